package privacy

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	minVague, minWeak, minStrong = 16, 6, 3 // characters
	maxPerson, maxPlace          = 80, 200
)

// accepts reports whether a value is what the name promises.
func (p promise) accepts(value string) bool {
	switch p {
	case public:
		return false
	case person:
		return isPersonValue(value)
	case holder:
		return isPersonValue(value) && isCapital(value, 0) && isFullName(value)
	case place:
		return isPlaceValue(value)
	case vague:
		return len(value) >= minVague && looksRandom(value) && !isStandIn(value)
	case weak:
		return len(value) >= minWeak && !isStandIn(value)
	default:
		return len(value) >= minStrong && !isStandIn(value)
	}
}

// looksRandom reports whether a value has digits and letters of both cases, as keys have and names have not.
func looksRandom(value string) bool {
	var digit, small, capital bool
	for i := range len(value) {
		switch b := value[i]; {
		case isDigit(b):
			digit = true
		case isLower(b):
			small = true
		case isUpper(b):
			capital = true
		case strings.IndexByte("+/_-~", b) < 0 && (b != '=' || i < len(value)-2):
			return false
		}
	}
	return digit && small && capital
}

// isPersonValue accepts words of letters that are no stand-in: a name, not a number, an address or code.
func isPersonValue(value string) bool {
	if len(value) < 2 || len(value) > maxPerson || isStandIn(value) || strings.Count(value, " ") > 4 {
		return false
	}
	for _, r := range value {
		if !unicode.In(r, unicode.L, unicode.M) && !strings.ContainsRune(" .,'’-", r) {
			return false
		}
	}
	first, _ := utf8.DecodeRuneInString(value)
	return (unicode.IsLetter(first)) && !isPath(value) && !isCamel(value)
}

// isCamel recognises names of code, such as userName.
func isCamel(value string) bool {
	for i := 1; i < len(value)-1; i++ {
		if isLower(value[i-1]) && isUpper(value[i]) && strings.IndexByte(value, ' ') < 0 && isLower(value[0]) {
			return true
		}
	}
	return false
}

// isPlaceValue accepts what has a word with a capital and, apart from it, a number that begins with few
// digits, as streets with their houses have.
func isPlaceValue(value string) bool {
	if len(value) > maxPlace || isStandIn(value) || strings.IndexByte(value, ' ') < 0 || strings.ContainsAny(value, "{}[]<>=$@\\`|_") {
		return false
	}
	number, name := false, false
	for word := range strings.FieldsSeq(value) {
		if n := digits.run(word, 0); n > 0 {
			number = number || n <= maxHouse+1 && words.run(word, 0) <= n+1 && strings.Count(word, ".") < 2
			continue
		}
		name = name || len(word) > 2 && isCapital(word, 0) || len(word) > 2 && caseless(word) != ""
	}
	return number && name
}

// standIns are values that documentation and code use instead of a secret or a name.
var standIns = strings.Fields("changeme change_me change-me changeit example placeholder redacted removed secret password passwd pass none null nil " +
	"true false undefined optional required string str bool boolean bytes number int any object text varchar self await new function lambda " +
	"return todo tbd n/a na empty unset default yes async not unknown anonymous test user admin name fullname firstname lastname author " +
	"token apikey hidden masked filtered omitted private public basic bearer const var let this std here key value input output const final " +
	"email phone address street incorrect invalid missing expired wrong correct valid and the is or if you your credentials string, env " +
	"yes. no. it. char enum static")

// isStandIn recognises what stands for a secret: a mark, a variable, an illustration.
func isStandIn(value string) bool {
	if value == "" || monotone(value) && strings.IndexByte("xX*.-_#?0•", value[0]) >= 0 || isVariable(value) {
		return true
	}
	lowered := strings.ToLower(value)
	if strings.HasPrefix(lowered, "your") && !strings.ContainsAny(lowered, "0123456789") ||
		strings.HasPrefix(lowered, "http://") || strings.HasPrefix(lowered, "https://") || strings.HasPrefix(lowered, "process.env") ||
		strings.HasPrefix(lowered, "xxxx") || strings.HasPrefix(value, "****") || strings.HasPrefix(lowered, "secrets.") {
		return true
	}
	return slices.Contains(standIns, strings.TrimSpace(lowered))
}

// isVariable recognises marks and what a shell or a template replaces: ${VAR}, $VAR, {{ var }}, <var>, %s.
func isVariable(value string) bool {
	last := value[len(value)-1]
	switch value[0] {
	case '[':
		return placeholderAt(value, 0) == len(value)
	case '$':
		named := names.run(value, 1) == len(value) && !strings.ContainsAny(value, "0123456789")
		return named || value[1] == '{' || value[1] == '('
	case '<':
		return last == '>'
	case '{':
		return last == '}'
	case '%':
		return last == '%' || len(value) <= 3
	case '&', '*':
		return len(value) > 1 && names.run(value, 1) == len(value) && !strings.ContainsAny(value, "0123456789")
	}
	return false
}

// isPath recognises names joined by dots, such as config.token.
func isPath(value string) bool {
	dots := 0
	for i := range len(value) {
		switch b := value[i]; {
		case b == '.':
			if i+1 == len(value) || value[i+1] == ' ' {
				return false
			}
			dots++
		case !isAlpha(b) && b != '_':
			return false
		}
	}
	return dots > 0
}
