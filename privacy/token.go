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

var bearerChars = setOf(isAlnum, "-._~+/=:")

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

const telegramTail = 35 // characters behind the colon

// numberedToken finds tokens that begin with a number: of Telegram, of Asana and of Facebook.
func numberedToken(v view, i int, n *number) Finding {
	end := n.ends[0]
	if n.counts[0] == 16 && v.next(end) == ':' {
		if stop := hexes.run(v.text, end+1); stop-end-1 == 32 && v.endsWord(stop) {
			return Finding{Secret, i, stop}
		}
	}
	if (n.counts[0] == 15 || n.counts[0] == 16) && v.next(end) == '|' { // of an app of Facebook
		if stop := base64URL.run(v.text, end+1); stop-end > 27 && stop-end <= 41 && random(v.text[end+1:stop]) {
			return Finding{Secret, i, stop}
		}
	}
	if n.counts[0] < 8 || n.counts[0] > 10 || v.next(end) != ':' || v.next(end+1) != 'A' {
		return Finding{}
	}
	if stop := base64URL.run(v.text, end+1); stop-end-1 == telegramTail {
		return Finding{Secret, i, stop}
	}
	return Finding{}
}

// markedToken finds tokens whose mark stands inside: of Terraform (x.atlasv1.y), of Azure (xxx8Q~y), of Discord
// (three parts with dots), of Airtable (pat…, 64 hexadecimal digits), of Mailchimp (hexadecimal digits, -us1), of Mailgun
// (32, 8 and 8 hexadecimal digits), of MaxMind (x_y_mmk), of Vault (s.y). The first word is text[i:end].
func markedToken(v view, i, end int) Finding {
	var stop int
	n := end - i
	switch rest := v.text[end:]; {
	case n == 1 && v.text[i] == 's' && rest != "" && rest[0] == '.':
		if stop = words.run(v.text, end+1); stop-end-1 != 24 || !looksRandom(v.text[end+1:stop]) || digitRuns(v.text[end+1:stop]) < 2 {
			return Finding{}
		}
	case n == 14 && strings.HasPrefix(rest, ".atlasv1."):
		stop = tokenAll.run(v.text, end+len(".atlasv1."))
	case n >= 3 && n <= 5 && rest != "" && rest[0] == '~' && v.text[end-1] == 'Q' && isDigit(v.text[end-2]):
		if stop = azureChars.run(v.text, end); stop-end < 30 {
			return Finding{}
		}
	case n >= 23 && n <= 28 && rest != "" && rest[0] == '.':
		middle := base64URL.run(v.text, end+1)
		if middle-end-1 < 6 || middle-end-1 > 7 || v.next(middle) != '.' {
			return Finding{}
		}
		if stop = base64URL.run(v.text, middle+1); stop-middle < 27 || !random(v.text[i:end]) {
			return Finding{}
		}
	case n == 17 && strings.HasPrefix(v.text[i:], "pat") && rest[0] == '.':
		if stop = hexes.run(v.text, end+1); stop-end-1 != 64 {
			return Finding{}
		}
	case n == 32 && rest != "" && rest[0] == '-' && hexes.run(v.text, i) == end && hexes.run(v.text, end+1) == end+9 && v.next(end+9) == '-':
		if stop = hexes.run(v.text, end+10); stop != end+18 {
			return Finding{}
		}
	case n == 6 && rest != "" && rest[0] == '_' && words.run(v.text, end+1) == end+30 && strings.HasPrefix(v.text[end+30:], "_mmk"):
		stop = end + 34
	case n == 32 && strings.HasPrefix(rest, "-us") && hexes.run(v.text, i) == end:
		stop = digits.run(v.text, end+len("-us"))
	}
	if stop <= end || !v.startsWord(i) || !v.endsWord(stop) {
		return Finding{}
	}
	return Finding{Secret, i, trimDots(v.text, stop)}
}

// digitToken finds tokens that begin with a digit and letters: of ClickHouse, and Google's for refreshing. The word is text[i:end].
func digitToken(v view, i, end int) Finding {
	const cloud, refresh = "4b1d", "1//0"
	switch {
	case end-i == 42 && strings.HasPrefix(v.text[i:], cloud) && looksRandom(v.text[i:end]):
	case strings.HasPrefix(v.text[i:], refresh):
		if end = base64URL.run(v.text, i+len(refresh)); end-i < 40 || !random(v.text[i+len(refresh):end]) {
			return Finding{}
		}
	default:
		return Finding{}
	}
	if !v.startsWord(i) {
		return Finding{}
	}
	return Finding{Secret, i, end}
}

// digitRuns counts stretches of digits: names of code have one at most.
func digitRuns(text string) (n int) {
	for i := range len(text) {
		if isDigit(text[i]) && (i == 0 || !isDigit(text[i-1])) {
			n++
		}
	}
	return n
}

var azureChars = setOf(isAlnum, "_~.-")
