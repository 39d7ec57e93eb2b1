package privacy

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxLocal bounds how far an address may reach to the left, and maxDomain to the right, in bytes.
const maxLocal, maxDomain = 128, 256

var localPart = setOf(isAlnum, "._%+-'")

// email finds the address whose @ ends before text[right] and starts at text[left].
func email(v view, left, right int) Finding {
	start := localStart(v, left)
	if start == left {
		return Finding{}
	}
	end := domainEnd(v, right)
	if end == 0 || v.next(end) == '(' || v.text[start:left] == "git" && v.next(end) == ':' {
		return Finding{}
	}
	return Finding{Email, start, end}
}

// encodedEmail finds an address whose @ is written %40.
func encodedEmail(v view, i int) Finding {
	if !strings.HasPrefix(v.text[i:], "%40") {
		return Finding{}
	}
	return email(v, i, i+len("%40"))
}

// localStart returns where the local part before text[end] starts, or end if there is none.
func localStart(v view, end int) int {
	start := end
	for start > v.floor && end-start < maxLocal {
		b := v.text[start-1]
		if localPart[b] {
			start--
			continue
		}
		r, size := utf8.DecodeLastRuneInString(v.text[v.floor:start])
		if b < utf8.RuneSelf || !spaced(r) {
			break
		}
		start -= size
	}
	if start < end && v.escaped(start) {
		start++
	}
	for start < end && strings.IndexByte("._%+-'", v.text[start]) >= 0 {
		start++
	}
	return start
}

// spaced reports whether r is a letter of a script that puts spaces between words: elsewhere the
// sentence runs into the address.
func spaced(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)) &&
		!unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer)
}

// domainEnd returns the end of the domain name at text[i], or 0 if there is none.
func domainEnd(v view, i int) int {
	best, labels := 0, 0
	for p := i; p-i < maxDomain; labels++ {
		end := labelEnd(v.text, p)
		if end == p {
			break
		}
		if tld := topLevel(v.text[p:end]); labels > 0 && tld > 0 {
			best = p + tld
			if best < end {
				break
			}
		}
		if v.next(end) != '.' {
			break
		}
		p = end + 1
	}
	return best
}

// labelEnd returns the end of the letters, digits and inner hyphens at text[i].
func labelEnd(text string, i int) int {
	limit := min(len(text), i+maxDomain)
	end := i
	for p := i; p < limit; {
		b := text[p]
		r, size := utf8.DecodeRuneInString(text[p:])
		switch {
		case isAlnum(b), b >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsMark(r)):
			p += size
			end = p
		case b == '-':
			p++
		default:
			return end
		}
	}
	return end
}

// fileTypes are no top-level domains: what ends in one is a file such as logo@2x.png.
var fileTypes = [...]string{"png", "jpg", "jpeg", "gif", "svg", "webp", "js", "ts", "jsx", "tsx", "css", "html",
	"json", "xml", "yaml", "yml", "txt", "pdf", "csv"}

// topLevel returns how much of a label is a top-level domain, or 0.
func topLevel(label string) int {
	if strings.HasPrefix(label, "xn--") || strings.HasPrefix(label, "XN--") {
		return len(label)
	}
	end := 0
	for end < len(label) && isAlpha(label[end]) {
		end++
	}
	if end == 0 && label[0] >= utf8.RuneSelf {
		return len(label)
	}
	if end < 2 || end > 24 || end < len(label) && label[end] < utf8.RuneSelf {
		return 0
	}
	for _, ext := range fileTypes {
		if strings.EqualFold(label[:end], ext) {
			return 0
		}
	}
	return end
}
