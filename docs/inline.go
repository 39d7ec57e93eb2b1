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
		m := span.FindStringSubmatchIndex(text)
		if m == nil {
			break
		}
		r.WriteString(html.EscapeString(text[:m[0]]))
		r.outstanding(func(i int) (string, bool) {
			if m[2*i] < 0 {
				return "", false
			}
			return text[m[2*i]:m[2*i+1]], true
		})
		text = text[m[1]:]
	}
	r.WriteString(html.EscapeString(text))
}

// outstanding writes one span; part is a group of its pattern.
func (r *renderer) outstanding(part func(int) (string, bool)) {
	if code, ok := part(2); ok {
		r.WriteString("<code>" + html.EscapeString(code) + "</code>")
	} else if picture, ok := part(4); ok {
		r.WriteString(`<span class="elsewhere">` + html.EscapeString(picture) + "</span>")
	} else if label, ok := part(6); ok {
		target, _ := part(7)
		r.link(label, target)
	} else if bold, ok := part(8); ok {
		r.within("strong", bold)
	} else if stressed, ok := part(9); ok {
		r.within("em", stressed)
	} else if address, ok := part(10); ok {
		r.link(address, address)
	} else if sign, ok := part(11); ok {
		r.WriteString(html.EscapeString(sign))
	}
}

func (r *renderer) within(tag, text string) {
	r.WriteString("<" + tag + ">")
	r.inline(text)
	r.WriteString("</" + tag + ">")
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
		r.WriteString(`<span class="elsewhere" title="in the repository">`)
		r.inline(label)
		r.WriteString("</span>")
		return
	}
	if part != "" {
		at += "#" + part
	}
	r.anchor(label, at)
}

func (r *renderer) anchor(label, address string) {
	r.WriteString(`<a href="` + html.EscapeString(address) + `">`)
	if label == address {
		r.WriteString(html.EscapeString(label))
	} else {
		r.inline(label)
	}
	r.WriteString("</a>")
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
