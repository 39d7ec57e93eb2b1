package main

import (
	"strings"
	"unicode/utf8"
)

// wrapped breaks a line into rows of at most so many characters, at spaces.
func wrapped(line string, width int) (rows []string) {
	row, indent := "", ""
	if strings.HasPrefix(line, "- ") {
		indent = "  "
	}
	for word := range strings.SplitSeq(line, " ") {
		switch {
		case row == "":
			row = word
		case utf8.RuneCountInString(row)+1+utf8.RuneCountInString(word) <= width:
			row += " " + word
		default:
			rows = append(rows, row)
			row = indent + word
		}
	}
	return append(rows, row)
}

// indented moves a row to the right, unless there is nothing in it.
func indented(row string) string {
	if row == "" {
		return ""
	}
	return "  " + row
}
