package privacy

import "strings"

// What stands where content was.
const (
	removedMark  = "[REMOVED]"   // could not be examined
	optedOutMark = "[OPTED_OUT]" // belongs to a file that is never stored
	wordMark     = "[WORD]"      // a word the strict mode hides
	numberMark   = "[NUM]"       // digits the strict mode hides
	contextMark  = "[...]"       // words the pattern mode hides
)

var marks = [...]string{removedMark, optedOutMark, wordMark, numberMark, contextMark}

// maxTagDigits bounds the number of a tag, so that a tag cannot hide a card number.
const maxTagDigits = 6

// placeholderAt returns the end of the mark or tag that starts at text[i], or i.
func placeholderAt(text string, i int) int {
	if text[i] != '[' {
		return i
	}
	if e, _, end := tagAt(text, i); e != 0 {
		return end
	}
	for _, m := range marks {
		if strings.HasPrefix(text[i:], m) {
			return i + len(m)
		}
	}
	return i
}

// Unmarked returns a text without what stands where content was.
func Unmarked(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		if end := placeholderAt(text, i); end > i {
			i = end
			continue
		}
		b.WriteByte(text[i])
		i++
	}
	return b.String()
}

// tagAt reads a tag such as [EMAIL_1] at text[i], which is a bracket.
func tagAt(text string, i int) (e Entity, n, end int) {
	name := i + 1
	end = name
	for end < len(text) && (isUpper(text[end]) || text[end] == '_') {
		end++
	}
	if end == name || text[end-1] != '_' {
		return 0, 0, i
	}
	e, ok := entityNamed(text[name : end-1])
	digits := end
	for ; end < len(text) && isDigit(text[end]) && end-digits < maxTagDigits; end++ {
		n = n*10 + int(text[end]-'0')
	}
	if !ok || end == digits || end == len(text) || text[end] != ']' {
		return 0, 0, i
	}
	return e, n, end + 1
}
