package privacy

import (
	"bytes"
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

const (
	minJWT    = 30 // characters of a header that is cut off before its first dot
	minBearer = 20 // characters that make a bearer token without a digit
	minBasic  = 8
	maxBasic  = 512
)

var bearerChars = setOf(isAlnum, "-._~+/=")

// jwt finds JSON web tokens: base64url of an object, and what follows it after dots.
func jwt(v view, i int) Finding {
	if !strings.HasPrefix(v.text[i:], "eyJ") || !v.startsWord(i) {
		return Finding{}
	}
	end := base64URL.run(v.text, i)
	dotted := false
	for v.next(end) == '.' && base64URL.run(v.text, end+1) > end+1 {
		end, dotted = base64URL.run(v.text, end+1), true
	}
	if !dotted && end-i < minJWT {
		return Finding{}
	}
	return Finding{Secret, i, end}
}

// authorization finds the credentials behind the words Bearer and Basic.
func authorization(v view, i int) Finding {
	if !v.startsWord(i) {
		return Finding{}
	}
	if start := afterWord(v, i, "bearer"); start > 0 {
		end := trimDots(v.text, bearerChars.run(v.text, start))
		if token := v.text[start:end]; isBearer(token) {
			return Finding{Secret, start, end}
		}
		return Finding{}
	}
	if start := afterWord(v, i, "basic"); start > 0 {
		end := bearerChars.run(v.text, start)
		if isBasic(v.text[start:end]) {
			return Finding{Secret, start, end}
		}
	}
	return Finding{}
}

// afterWord returns where the text goes on behind a word and spaces, or 0 if the word is not there.
func afterWord(v view, i int, word string) int {
	end := i + len(word)
	if end >= len(v.text) || v.text[end] != ' ' || !strings.EqualFold(v.text[i:end], word) {
		return 0
	}
	for end < len(v.text) && end < i+len(word)+4 && v.text[end] == ' ' {
		end++
	}
	return end
}

func isBearer(token string) bool {
	if isStandIn(token) {
		return false
	}
	return len(token) >= minBearer || len(token) >= 8 && strings.ContainsAny(token, "0123456789")
}

// isBasic reports whether a token decodes to user:password.
func isBasic(token string) bool {
	if len(token) < minBasic {
		return false
	}
	if len(token) > maxBasic {
		return true
	}
	plain, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(token, "="))
	control := func(r rune) bool { return r < ' ' || r == utf8.RuneError }
	return err == nil && bytes.IndexByte(plain, ':') >= 0 && bytes.IndexFunc(plain, control) < 0
}
