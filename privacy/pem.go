package privacy

import "strings"

const (
	pemBegin   = "-----BEGIN "
	pemEnd     = "-----END "
	maxHeader  = 256     // bytes of a label or header line
	maxPEMLine = 8 << 10 // bytes that are read at once; a key on one line is shorter
	minPEMWord = 16      // characters that make a word of a body on one line
)

var pemLabel = setOf(isUpper, "0123456789 ")

// pemBlock finds keys and certificates in PEM, whole or cut short, over lines, on one line, or as
// strings in code.
func pemBlock(v view, i int) Finding {
	if !strings.HasPrefix(v.text[i:], pemBegin) {
		return Finding{}
	}
	from := i + len(pemBegin)
	label := pemLabel.run(v.text[:min(len(v.text), from+maxHeader)], from)
	if label == from || !strings.HasPrefix(v.text[label:], "-----") {
		return Finding{}
	}
	header := label + len("-----")
	end := header
	for {
		next, last := pemLine(v.text, end)
		if next == end {
			break
		}
		if end = next; last {
			break
		}
	}
	for end > header && (isSpace(v.text[end-1]) || v.text[end-1] == '"') {
		end--
	}
	if end == header {
		return Finding{}
	}
	return Finding{Secret, i, end}
}

// pemValue finds the block that is the value at text[i], which may be quoted and cut short.
func pemValue(v view, i int) Finding {
	for i < len(v.text) && strings.IndexByte("\"'`\\", v.text[i]) >= 0 {
		i++
	}
	return pemBlock(v, i)
}

// pemLine returns the end of the line of a block at text[i], or i when it is none, and whether it
// closes the block.
func pemLine(text string, i int) (end int, last bool) {
	end = min(len(text), i+maxPEMLine)
	if n := strings.IndexByte(text[i:end], '\n'); n >= 0 {
		end = i + n + 1
	}
	line := text[i:end]
	if next := strings.Index(line, pemBegin); next >= 0 {
		line, end = line[:next], i+next
	}
	if line == "" {
		return i, false
	}
	if at := strings.Index(line, pemEnd); at >= 0 {
		tail := at + len(pemEnd)
		if closing := strings.Index(line[tail:], "-----"); closing >= 0 {
			return i + tail + closing + len("-----"), true
		}
		return end, true
	}
	if pemHeader(line) {
		return end, false
	}
	return i + pemBody(line), false
}

// pemHeader recognises lines such as "Proc-Type: 4,ENCRYPTED".
func pemHeader(line string) bool {
	name, _, ok := strings.Cut(line, ": ")
	return ok && len(line) < maxHeader && isUpper(line[0]) && !strings.Contains(name, " ")
}

// pemBody returns how much of a line belongs to a block: all of it when it is one word, else its long
// words up to the first short one.
func pemBody(line string) int {
	trimmed := strings.Trim(line, " \t\r\n\"'+,;|>*#")
	if !strings.Contains(trimmed, " ") {
		return len(line)
	}
	end := 0
	for end < len(line) {
		start := end
		for start < len(line) && isSpace(line[start]) {
			start++
		}
		stop := start
		for stop < len(line) && !isSpace(line[stop]) {
			stop++
		}
		if stop-start < minPEMWord {
			return end
		}
		end = stop
	}
	return end
}
