package main

import (
	"fmt"
	"strings"

	"learnloop.dev/api"

	"github.com/go-json-experiment/json/jsontext"
)

// browser is what somebody sees who browses patterns: pure, so that it can be tested
// key by key. Whoever drives it carries out what press asks for.
type browser struct {
	list   []shownPattern
	total  int
	cursor int
	kind   int    // of patternTypes: only those of this type
	search string // only those in whose key this stands
	mode   mode
	note   string
	top    int // the first line of evidence that is seen
	room   int // lines of it that were seen at once, last
}

// mode is what the next key is for.
type mode int

const (
	browsing mode = iota
	inspecting
	searching
	confirming
)

// patternTypes are the types to choose among; the first is all.
var patternTypes = []string{
	"", "subtask_success", "model_failure", "prompt_effective", "task_template", "user_correction", "retry_pattern",
}

// wish is what has to be done after a key.
type wish int

const (
	nothing wish = iota
	reload
	remove
	leave
)

// Keys beyond characters.
const (
	keyUp       = "up"
	keyDown     = "down"
	keyPageUp   = "page up"
	keyPageDown = "page down"
	keyHome     = "home"
	keyEnd      = "end"
	keyEnter    = "enter"
	keyEscape   = "escape"
	keyErase    = "erase"

	keyInterrupt = "\x03" // Ctrl-C
)

// query asks for what is to be shown.
func (b *browser) query() api.PatternsArgs {
	return api.PatternsArgs{Type: patternTypes[b.kind], Search: b.search, Limit: 1000}
}

// show takes over what was found.
func (b *browser) show(list []shownPattern, total int) {
	b.list, b.total = list, total
	b.cursor = max(min(b.cursor, len(list)-1), 0)
}

// chosen is the pattern under the cursor, false when there is none.
func (b *browser) chosen() (shownPattern, bool) {
	if b.cursor >= len(b.list) {
		return shownPattern{}, false
	}
	return b.list[b.cursor], true
}

// press takes a key and says what has to be done.
func (b *browser) press(key string) wish {
	b.note = ""
	if key == keyInterrupt {
		return leave
	}
	switch b.mode {
	case searching:
		return b.typeKey(key)
	case confirming:
		b.mode = browsing
		if key == "y" {
			return remove
		}
		b.note = "nothing was deleted"
		return nothing
	case inspecting:
		return b.scroll(key)
	case browsing:
	}
	return b.browse(key)
}

// moves are by how many lines keys move.
var moves = map[string]int{
	keyUp: -1, "k": -1, keyDown: 1, "j": 1, keyPageUp: -page, keyPageDown: page, " ": page, keyHome: -everything, keyEnd: everything,
}

const (
	page       = 10
	everything = 1 << 20 // more than is ever listed
)

// scroll takes a key while evidence is seen.
func (b *browser) scroll(key string) wish {
	by, moved := moves[key]
	if !moved {
		b.mode, b.top = browsing, 0
		return nothing
	}
	b.top = max(min(b.top+by, len(b.evidence())-b.room), 0)
	return nothing
}

func (b *browser) browse(key string) wish {
	_, some := b.chosen()
	b.cursor = max(min(b.cursor+moves[key], len(b.list)-1), 0)
	switch key {
	case "q", keyEscape:
		return leave
	case "t":
		b.kind = (b.kind + 1) % len(patternTypes)
		return reload
	case "r":
		return reload
	case "/":
		b.mode = searching
	case keyEnter:
		if some {
			b.mode = inspecting
		}
	case "d":
		if some {
			b.mode = confirming
		}
	}
	return nothing
}

// typeKey takes a key of what is searched for.
func (b *browser) typeKey(key string) wish {
	switch key {
	case keyEnter:
		b.mode = browsing
		return reload
	case keyEscape:
		b.mode, b.search = browsing, ""
		return reload
	case keyErase:
		if runes := []rune(b.search); len(runes) > 0 {
			b.search = string(runes[:len(runes)-1])
		}
	default:
		if key >= " " && len([]rune(key)) == 1 {
			b.search += key
		}
	}
	return nothing
}

// view is what is seen, line by line, in so many lines of so many characters.
func (b *browser) view(width, height int) []string {
	lines := []string{b.heading(), ""}
	b.room = max(height-len(lines)-2, 1)
	if b.mode == inspecting {
		lines = append(lines, b.evidence()[b.top:]...)
	} else {
		lines = append(lines, b.rows(b.room)...)
	}
	lines = lines[:min(len(lines), max(height-2, 1))]
	lines = append(lines, "", b.help())
	for i, l := range lines {
		lines[i] = fit(printable(l), width)
	}
	return lines
}

func fit(line string, width int) string {
	if runes := []rune(line); len(runes) > width {
		return string(runes[:max(width-1, 0)]) + "…"
	}
	return line
}

func (b *browser) heading() string {
	of := patternTypes[b.kind]
	if of == "" {
		of = "all types"
	}
	head := fmt.Sprintf("Learned patterns: %d, %s", b.total, of)
	if b.search != "" || b.mode == searching {
		head += ", with " + b.search
	}
	return head
}

// rows are the patterns around the cursor.
func (b *browser) rows(room int) (lines []string) {
	if len(b.list) == 0 {
		return []string{"There are none."}
	}
	from := max(min(b.cursor-room/2, len(b.list)-room), 0)
	for i, p := range b.list[from:min(from+room, len(b.list))] {
		mark := "  "
		if from+i == b.cursor {
			mark = "> "
		}
		lines = append(lines, fmt.Sprintf("%s%-17s %5d  %s  %s", mark, p.Type, p.Frequency, p.LastSeen, p.Key))
	}
	return lines
}

// evidence is all that is known of the chosen pattern.
func (b *browser) evidence() []string {
	p, ok := b.chosen()
	if !ok {
		return nil
	}
	lines := []string{p.Key, fmt.Sprintf("%s, seen %s, from %s to %s", p.Type, plural(int(p.Frequency), "time"), p.CreatedAt, p.LastSeen), ""}
	data := p.Data.Clone()
	if data.Indent(jsontext.WithIndent("  ")) != nil {
		return lines
	}
	return append(lines, strings.Split(strings.TrimSpace(string(data)), "\n")...)
}

func (b *browser) help() string {
	p, _ := b.chosen()
	switch b.mode {
	case confirming:
		return fmt.Sprintf("forget %s %s, with what it rests on? y: yes, any other key: no", p.Type, p.Key)
	case searching:
		return "type what the key has to hold; enter: search, escape: all"
	case inspecting:
		if n := len(b.evidence()); n > b.room {
			return fmt.Sprintf("lines %d to %d of %d; up, down: scroll   any other key: back", b.top+1, min(b.top+b.room, n), n)
		}
		return "any key: back"
	case browsing:
	}
	if b.note != "" {
		return b.note
	}
	return "up, down: move   enter: evidence   t: type   /: search   d: delete   r: reload   q: leave"
}
