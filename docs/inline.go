package docs

import (
	"html"
	"path"
	"regexp"
	"strings"
	"unicode"
)

// span is what stands out in a text: code, a picture, a link, words that are bold or
// stressed, or a sign behind a backslash. The first that begins wins.
var span = regexp.MustCompile("(?s)(`+)(.+?)(`+)" +
	`|!\[([^\]]*)\]\(([^)\s]+)\)` +
	`|\[((?:[^\[\]]|` + "`[^`]*`" + `)+)\]\(([^)\s]+)\)` +
	`|\*\*(\S.*?)\*\*` +
	`|\*([^\s*][^*]*?)\*` +
	`|<(https?://[^>\s]+)>` +
	`|\\([!-/:-@\[-` + "`" + `{-~])`)

// inline writes a text with what stands out in it.
func (r *renderer) inline(text string) {
	for text != "" {
		at := span.FindStringIndex(text)
		if at == nil {
			break
		}
		r.put(html.EscapeString(text[:at[0]]))
		r.outstanding(span.FindStringSubmatch(text))
		text = text[at[1]:]
	}
	r.put(html.EscapeString(text))
}

// outstanding writes one span, by the groups of its pattern.
func (r *renderer) outstanding(group []string) {
	code, picture, label, target, bold, stressed, address, sign := group[2], group[5], group[6], group[7], group[8], group[9], group[10], group[11]
	switch {
	case code != "":
		r.put("<code>" + html.EscapeString(code) + "</code>")
	case picture != "":
		r.put(`<span class="elsewhere">` + html.EscapeString(group[4]) + "</span>")
	case label != "":
		r.link(label, target)
	case bold != "":
		r.within("strong", bold)
	case stressed != "":
		r.within("em", stressed)
	case address != "":
		r.link(address, address)
	default:
		r.put(html.EscapeString(sign))
	}
}

func (r *renderer) within(tag, text string) {
	r.put("<" + tag + ">")
	r.inline(text)
	r.put("</" + tag + ">")
}

// link leads to another page or elsewhere. What is in the repository and not in the
// manual has no address here: its name stands alone.
func (r *renderer) link(label, target string) {
	if strings.Contains(target, "://") || strings.HasPrefix(target, "/") || strings.HasPrefix(target, "#") {
		r.anchor(label, target)
		return
	}
	file, part, _ := strings.Cut(target, "#")
	at := address(path.Join(path.Dir(r.file), file))
	if at == "" {
		r.put(`<span class="elsewhere" title="in the repository">`)
		r.inline(label)
		r.put("</span>")
		return
	}
	if part != "" {
		at += "#" + part
	}
	r.anchor(label, at)
}

func (r *renderer) anchor(label, address string) {
	r.put(`<a href="` + html.EscapeString(address) + `">`)
	if label == address {
		r.put(html.EscapeString(label))
	} else {
		r.inline(label)
	}
	r.put("</a>")
}

// Slug is the name by which links call a heading: its letters and digits in lower
// case, and a hyphen for each space.
func Slug(heading string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case unicode.IsLetter(c), unicode.IsDigit(c), c == '-', c == '_':
			return unicode.ToLower(c)
		case c == ' ':
			return '-'
		}
		return -1
	}, heading)
}
