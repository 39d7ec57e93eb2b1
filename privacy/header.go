package privacy

import "strings"

const (
	headReach = 1024 // bytes of a line of a table that are read
	maxHead   = 48   // bytes of the head of a column
)

// head tells from the head of its column what the number at text[i] is, if it stands in a table: the first line
// of the paragraph has as many cells as its own, which starts at text[line].
func (v view) head(line, i int) cue {
	if v.known.block >= line || i-line > headReach {
		return 0
	}
	first, own := lineAt(v.text, v.known.block), lineAt(v.text, line)
	at := strings.IndexAny(first, ",;\t|")
	if at < 0 {
		return 0
	}
	between := first[at : at+1]
	if n := strings.Count(first, between); n != strings.Count(own, between) {
		return 0
	}
	for column := strings.Count(v.text[line:i], between); column > 0; column-- {
		_, first, _ = strings.Cut(first, between)
	}
	if name, _, _ := strings.Cut(first, between); len(name) <= maxHead {
		return nameCue(name)
	}
	return 0
}

// lineAt returns the line that starts at text[i], or the beginning of it.
func lineAt(text string, i int) string {
	line, _, _ := strings.Cut(text[i:min(len(text), i+headReach)], "\n")
	return line
}
