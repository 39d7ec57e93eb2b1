package privacy

import (
	"slices"
	"strings"
)

// strength says how much a name promises that its value is secret.
type strength uint8

const (
	public strength = iota // nothing
	weak                   // keys and tokens: made by machines, so at least six characters
	strong                 // passwords: anything goes
)

const minWeak, minStrong = 6, 3 // characters

// secretEndings are what secret names end in, without separators, by their last letter.
var secretEndings = [256][]struct {
	ending string
	strength
}{
	'd': {{"password", strong}, {"passwd", strong}, {"pwd", strong}},
	'e': {{"passphrase", strong}, {"passcode", strong}},
	'g': {{"connectionstring", weak}},
	'h': {{"passwordhash", strong}},
	'l': {{"credential", weak}},
	'n': {{"token", weak}},
	's': {{"credentials", weak}, {"passwords", strong}},
	't': {{"secret", weak}, {"passwort", strong}},
	'y': {{"apikey", weak}, {"accesskey", weak}, {"secretkey", weak}, {"privatekey", weak}, {"authkey", weak},
		{"encryptionkey", weak}, {"signingkey", weak}, {"accountkey", weak}, {"masterkey", weak}, {"sharedkey", weak}},
}

// harmlessEndings are tokens of another trade: pages, counts and vocabularies.
var harmlessEndings = [...]string{"pagetoken", "nexttoken", "maxtoken", "eostoken", "bostoken", "padtoken", "unktoken",
	"septoken", "masktoken", "clstoken", "stoptoken", "endtoken", "starttoken", "continuationtoken", "cancellationtoken"}

// secretName tells from a name whether its value is secret.
func secretName(name string) strength {
	if name == "" {
		return public
	}
	for _, e := range secretEndings[lower(name[len(name)-1])] {
		if endsIn(name, e.ending) && !harmless(name) {
			return e.strength
		}
	}
	if isPass(name) {
		return strong
	}
	return public
}

func harmless(name string) bool {
	for _, e := range harmlessEndings {
		if endsIn(name, e) {
			return true
		}
	}
	return false
}

// endsIn compares the end of a name, without its separators and case.
func endsIn(name, ending string) bool {
	k := len(ending)
	for i := len(name) - 1; i >= 0 && k > 0; i-- {
		if !isAlnum(name[i]) {
			continue
		}
		if k--; lower(name[i]) != ending[k] {
			return false
		}
	}
	return k == 0
}

// isPass recognises the word pass, which ends many others.
func isPass(name string) bool {
	const pass = "pass"
	if len(name) < len(pass) || !strings.EqualFold(name[len(name)-len(pass):], pass) {
		return false
	}
	at := len(name) - len(pass)
	return at == 0 || !isAlnum(name[at-1]) || isUpper(name[at]) && isLower(name[at-1])
}

// accepts reports whether a value may be the secret itself.
func (s strength) accepts(value string) bool {
	if s == weak && len(value) < minWeak || s == strong && len(value) < minStrong {
		return false
	}
	return s != public && !isStandIn(value)
}

// standIns are values that documentation and code use instead of a secret.
var standIns = [...]string{"changeme", "change_me", "change-me", "changeit", "example", "placeholder", "redacted", "removed",
	"secret", "password", "none", "null", "nil", "true", "false", "undefined", "optional", "required", "string", "str", "bool",
	"boolean", "bytes", "number", "int", "any", "object", "text", "varchar", "self", "await", "new", "function", "lambda", "return",
	"todo", "tbd", "n/a", "empty", "unset", "default", "yes", "async", "not"}

// isStandIn recognises what stands for a secret: a mark, a variable, an illustration.
func isStandIn(value string) bool {
	if value == "" || monotone(value) && strings.IndexByte("xX*.-_#?0", value[0]) >= 0 || isVariable(value) {
		return true
	}
	lowered := strings.ToLower(value)
	if strings.HasPrefix(lowered, "your") && !strings.ContainsAny(lowered, "0123456789") ||
		strings.HasPrefix(lowered, "http://") || strings.HasPrefix(lowered, "https://") || strings.HasPrefix(lowered, "process.env") {
		return true
	}
	return slices.Contains(standIns[:], lowered)
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
		return last == '%' || len(value) == 2
	}
	return false
}

// isPath recognises names joined by dots, such as config.token.
func isPath(value string) bool {
	dots := 0
	for i := range len(value) {
		switch b := value[i]; {
		case b == '.':
			dots++
		case !isAlpha(b) && b != '_':
			return false
		}
	}
	return dots > 0
}
