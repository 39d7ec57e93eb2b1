package privacy

import "strings"

// flagValue finds the secret behind a flag of a command, whose dash is at text[i]: --token x, -u user:x,
// and -p x or -px of the commands that read a password there.
func flagValue(v view, i int) Finding {
	if before := v.back(i, 1); before != 0 && !isSpace(before) && before != '"' && before != '\'' && before != '`' {
		return Finding{}
	}
	if v.next(i+1) == '-' {
		return longFlag(v, i+2)
	}
	letter, start := v.next(i+1), i+2
	if v.next(start) == ' ' {
		start++
	}
	switch letter {
	case 'u', 'U':
		return userFlag(v, start)
	case 'p', 'P', 'a', 'w':
		if asksPassword(v, i, letter) {
			return flagWord(v, start, strong)
		}
	}
	return Finding{}
}

// longFlag finds the value behind a space: --password x; behind = it is an assignment.
func longFlag(v view, i int) Finding {
	end := nameChars.run(v.text[:min(len(v.text), i+maxKey)], i)
	if v.next(end) != ' ' || end == i {
		return Finding{}
	}
	name := v.text[i:end]
	if name == "user" || name == "proxy-user" {
		return userFlag(v, end+1)
	}
	switch p := promiseOf(name); p {
	case weak, strong:
		return flagWord(v, end+1, p)
	default:
		return Finding{}
	}
}

// userFlag finds the password in user:password at text[i].
func userFlag(v view, i int) Finding {
	if next := v.next(i); next == '"' || next == '\'' {
		i++
	}
	end := ownerChars.run(v.text, i)
	if v.next(end) == '@' {
		end = ownerChars.run(v.text, end+1)
	}
	if end == i || v.next(end) != ':' || end-i > maxKey {
		return Finding{}
	}
	return flagWord(v, end+1, strong)
}

// flagWord finds the word or quoted text at text[i].
func flagWord(v view, i int, p promise) Finding {
	if i >= len(v.text) || v.text[i] == '-' {
		return Finding{}
	}
	if f := quotedValue(v, i, p); f.End > 0 {
		return f
	}
	end := i
	for end < len(v.text) && !isSpace(v.text[end]) && !closes(v, end) && v.text[end] != '"' && v.text[end] != '\'' {
		end++
	}
	value := v.text[i:end]
	port := digits.run(value, 0) == len(value) && len(value) < 6
	if port || !p.accepts(value) || strings.IndexByte("/.$(<", value[0]) >= 0 || promiseOf(value) != public {
		return Finding{}
	}
	return Finding{Secret, i, end}
}

// passwordCommands read a password behind the flag of a letter.
var passwordCommands = [...]struct{ letter, name string }{
	{"p", "mysql"}, {"p", "mysqldump"}, {"p", "mysqladmin"}, {"p", "mariadb"}, {"p", "sshpass"}, {"p", "mongo"}, {"p", "mongosh"}, {"p", "mongodump"},
	{"p", "docker login"}, {"p", "podman login"}, {"p", "az login"}, {"p", "oc login"}, {"P", "zip"}, {"p", "7z"}, {"P", "sqlcmd"}, {"P", "bcp"},
	{"a", "redis-cli"}, {"w", "ldapsearch"}, {"P", "unzip"}, {"p", "htpasswd"}, {"p", "cf login"}, {"p", "helm registry login"},
}

const commandReach = 160 // bytes between a command and its flag

// asksPassword reports whether a command on the line of text[i] takes a password with a letter.
func asksPassword(v view, i int, letter byte) bool {
	start := i
	for start > v.floor && i-start < commandReach && v.text[start-1] != '\n' {
		start--
	}
	line := v.text[start:i]
	for _, c := range passwordCommands {
		if c.letter[0] == letter && strings.Contains(line, c.name) {
			return true
		}
	}
	return false
}

// spoken finds the password in "the password 'x'", and behind the word alone on a line that has a login; the
// word for it is text[i:end].
func spoken(v view, i, end int) Finding {
	n := end - i
	if n <= len("pass") && !strings.EqualFold(v.text[i:end], "pwd") || n > 10 || promiseOf(v.text[i:end]) != strong || v.next(end) != ' ' || end+1 >= len(v.text) {
		return Finding{}
	}
	if f := quotedValue(v, end+1, strong); f.End > 0 {
		return f
	}
	if before := v.text[max(v.floor, i-commandReach):i]; strings.Contains(before[strings.LastIndexByte(before, '\n')+1:], "login ") {
		return flagWord(v, end+1, strong)
	}
	return Finding{}
}
