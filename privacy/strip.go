package privacy

import "strings"

// strip replaces the content of opted-out files in diffs and fenced blocks by a mark, and returns how
// often it did.
func (o optOut) strip(text string) (string, int) {
	if len(o.globs) == 0 {
		return text, 0
	}
	s := stripper{optOut: o, text: text}
	for start := 0; start < len(text); {
		end := len(text)
		if n := strings.IndexByte(text[start:], '\n'); n >= 0 {
			end = start + n + 1
		}
		s.line(start, end)
		start = end
	}
	s.resume(len(text))
	if s.count == 0 {
		return text, 0
	}
	return string(append(s.out, text[s.copied:]...)), s.count
}

// stripper reads a text by lines; outside of opted-out content it only watches.
type stripper struct {
	optOut
	text    string
	out     []byte
	copied  int    // what stands before is in out or dropped
	from    int    // where the content that is being dropped starts; 0 while nothing is
	fence   string // closes the block in which the line stands
	heading string // the line before, which may name the file of a block
	count   int
}

func (s *stripper) line(start, end int) {
	raw := strings.TrimRight(s.text[start:end], " \t\r\n")
	line := strings.TrimLeft(raw, " \t>")
	mark := fenceMark(line)
	switch {
	case s.fence != "":
		inDiff := s.from > 0 && line != raw // a line of a diff may look like a fence
		if mark == line && strings.HasPrefix(mark, s.fence) && !inDiff {
			s.fence = ""
			s.resume(start)
			return
		}
	case mark != "" && s.from == 0:
		s.fence = mark
		if s.named(line[len(mark):]) || isHeading(s.heading) && s.named(s.heading) {
			s.from = end
		}
		return
	}
	s.diffLine(line, start, end)
	if line != "" {
		s.heading = line
	}
}

// isHeading reports whether a line is hardly more than a name, as in "File: .env".
func isHeading(line string) bool {
	const words = 2
	n := 0
	for range strings.FieldsFuncSeq(line, splitsNames) {
		n++
	}
	return n <= words
}

// fenceMark returns the three or more backquotes or tildes with which a line begins.
func fenceMark(line string) string {
	if line == "" || line[0] != '`' && line[0] != '~' {
		return ""
	}
	n := len(line) - len(strings.TrimLeft(line, line[:1]))
	if n < 3 {
		return ""
	}
	return line[:n]
}

// fileHeaders begin the lines that name the file of a diff or patch.
var fileHeaders = [...]string{"diff ", "--- ", "+++ ", "Index: ", "*** ", "rename "}

// nextFile are headers that only the next file of a diff has.
var nextFile = [...]string{"diff ", "Index: ", "*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** End Patch"}

// diffLine starts dropping behind the header of an opted-out file and ends it in front of another file.
func (s *stripper) diffLine(line string, start, end int) {
	if !hasAnyPrefix(line, fileHeaders[:]) {
		return
	}
	switch {
	case s.named(line):
		if s.from == 0 {
			s.from = end
		}
	case s.from == 0 || strings.HasSuffix(line, " /dev/null"):
	case hasAnyPrefix(line, nextFile[:]), strings.HasPrefix(line, "--- ") && strings.HasPrefix(s.text[end:], "+++ "):
		s.resume(start)
	}
}

func hasAnyPrefix(line string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(line, p) {
			return true
		}
	}
	return false
}

// named reports whether a line names an opted-out file.
func (s *stripper) named(line string) bool {
	for word := range strings.FieldsFuncSeq(line, splitsNames) {
		if s.matches(word) {
			return true
		}
	}
	return false
}

func splitsNames(r rune) bool {
	return strings.ContainsRune(" \t:=,;|(){}[]\"'`*", r)
}

// resume puts a mark in place of what was dropped and copies again from text[at].
func (s *stripper) resume(at int) {
	if s.from == 0 {
		return
	}
	dropped := s.text[s.from:at]
	if strings.TrimSpace(dropped) != "" && strings.TrimSpace(dropped) != optedOutMark {
		s.out = append(append(s.out, s.text[s.copied:s.from]...), optedOutMark...)
		if strings.HasSuffix(dropped, "\n") {
			s.out = append(s.out, '\n')
		}
		s.copied = at
		s.count++
	}
	s.from = 0
}
