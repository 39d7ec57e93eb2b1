package privacy

import "strings"

const (
	headReach = 1024 // bytes of a line of a table that are read
	maxHead   = 48   // bytes of the head of a column
)

// head tells from the head of its column what the number at text[i] is, whose line starts at text[line].
func (v view) head(line, i int) cue { return nameCue(v.headOf(line, i)) }

// headOf returns the head of the column of what stands at text[i], if that is in a table: the first line of the
// paragraph has as many cells as its own, which starts at text[line].
func (v view) headOf(line, i int) string {
	if v.known.block >= line || i-line > headReach {
		return ""
	}
	first, own := lineAt(v.text, v.known.block), lineAt(v.text, line)
	at := strings.IndexAny(first, ",;\t|")
	if at < 0 {
		return ""
	}
	between := first[at : at+1]
	if n := strings.Count(first, between); n != strings.Count(own, between) {
		return ""
	}
	for column := strings.Count(v.text[line:i], between); column > 0; column-- {
		_, first, _ = strings.Cut(first, between)
	}
	if name, _, _ := strings.Cut(first, between); len(name) <= maxHead {
		return name
	}
	return ""
}

// namedByHead finds the name of somebody that fills the cell at text[i] of a column for names.
func namedByHead(v view, i int) Finding {
	if before := v.back(i, 1); before == 0 || strings.IndexByte("\n,;\t|", before) < 0 {
		return Finding{}
	}
	f := fullName(v, i)
	if next := v.next(f.End); f.End == 0 || next != 0 && strings.IndexByte("\r\n,;\t|", next) < 0 || strings.IndexByte(v.text[i:f.End], ' ') < 0 {
		return Finding{}
	}
	from := max(0, i-headReach)
	line := from + strings.LastIndexByte(v.text[from:i], '\n') + 1
	if line == from {
		return Finding{} // the first line, or too far from its beginning
	}
	name := v.headOf(line, i)
	if promiseOf(name) == person || strings.EqualFold(name, "name") && members(lineAt(v.text, v.known.block)).tellOfPeople() {
		return f
	}
	return Finding{}
}

// lineAt returns the line that starts at text[i], or the beginning of it.
func lineAt(text string, i int) string {
	line, _, _ := strings.Cut(text[i:min(len(text), i+headReach)], "\n")
	return line
}
