package privacy

import "strings"

const (
	maxAuthority = 512 // bytes of user, password and host
	minURLToken  = 16  // characters that make a user name without password a token
)

var authorityEnd = setOf(isSpace, "/?#\"'`<>\\")

// urlCredentials finds the user and password in front of the host of a URL.
func urlCredentials(v view, i int) Finding {
	if !strings.HasPrefix(v.text[i:], "://") || i == v.floor || !isAlnum(v.text[i-1]) {
		return Finding{}
	}
	start := i + len("://")
	end := start
	for limit := min(len(v.text), start+maxAuthority); end < limit && !authorityEnd[v.text[end]]; {
		end++
	}
	user := strings.LastIndexByte(v.text[start:end], '@')
	if user <= 0 {
		return Finding{}
	}
	info := v.text[start : start+user]
	_, password, ok := strings.Cut(info, ":")
	if ok && isStandIn(password) || !ok && (len(info) < minURLToken || isStandIn(info)) {
		return Finding{}
	}
	return Finding{Secret, start, start + user}
}
