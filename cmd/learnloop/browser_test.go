package main

import (
	"strings"
	"testing"

	"learnloop.dev/learn/outcomes"
)

func browsed(typing string, list ...string) (*browser, []wish) {
	b := &browser{}
	var shown []shownPattern
	for _, key := range list {
		shown = append(shown, shownPattern{Pattern: outcomes.Pattern{Type: "retry_pattern", Key: key, Frequency: 2}, Data: []byte(`{"runs":3}`)})
	}
	b.show(shown, len(shown))
	typed := &keys{from: strings.NewReader(typing)}
	var wishes []wish
	for {
		key, err := typed.next()
		if err != nil {
			return b, wishes
		}
		if w := b.press(key); w != nothing {
			wishes = append(wishes, w)
		}
	}
}

func seen(b *browser) string { return strings.Join(b.view(80, 12), "\n") }

func TestArrowsMoveAndStayInTheList(t *testing.T) {
	b, _ := browsed("\x1b[B\x1b[B\x1b[B\x1b[A", "a", "b", "c")
	if got := seen(b); !strings.Contains(got, "> retry_pattern         2    b") {
		t.Errorf("%s", got)
	}
}

func TestDeletingNeedsAYes(t *testing.T) {
	if b, wishes := browsed("dn", "a"); len(wishes) > 0 || !strings.Contains(seen(b), "nothing was deleted") {
		t.Errorf("%v\n%s", wishes, seen(b))
	}
	if _, wishes := browsed("dy", "a"); len(wishes) != 1 || wishes[0] != remove {
		t.Errorf("%v", wishes)
	}
	if _, wishes := browsed("dy"); len(wishes) > 0 {
		t.Errorf("of nothing: %v", wishes)
	}
}

func TestSearchingIsTypedAndErased(t *testing.T) {
	b, wishes := browsed("/tés\x7ft\r", "a")
	if len(wishes) != 1 || wishes[0] != reload || b.query().Search != "tét" {
		t.Errorf("%v, %+v", wishes, b.query())
	}
	if b, _ := browsed("/x\x1b", "a"); b.query().Search != "" {
		t.Errorf("%+v", b.query())
	}
}

func TestEvidenceIsShownUntilAKey(t *testing.T) {
	if b, _ := browsed("\r", "a"); !strings.Contains(seen(b), `"runs": 3`) {
		t.Errorf("%s", seen(b))
	}
	if b, _ := browsed("\rx", "a"); strings.Contains(seen(b), `"runs"`) {
		t.Errorf("%s", seen(b))
	}
}

func TestLongEvidenceScrollsToItsEndAndBack(t *testing.T) {
	b := &browser{}
	b.show([]shownPattern{{Pattern: outcomes.Pattern{Key: "a"}, Data: []byte(`{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9}`)}}, 1)
	b.press(keyEnter)
	if got := seen(b); strings.Contains(got, `"f"`) || !strings.Contains(got, "lines 1 to 8 of 14") {
		t.Errorf("%s", got)
	}
	b.press(keyEnd)
	b.press(keyDown) // there is no more
	if got := seen(b); !strings.Contains(got, `"i": 9`) || !strings.Contains(got, "lines 7 to 14 of 14") {
		t.Errorf("%s", got)
	}
	b.press(keyUp)
	if got := seen(b); !strings.Contains(got, "lines 6 to 13 of 14") {
		t.Errorf("%s", got)
	}
	b.press("x")
	b.press(keyEnter)
	if got := seen(b); !strings.Contains(got, "lines 1 to 8 of 14") {
		t.Errorf("%s", got)
	}
}

func TestKeysThatComeInSeveralBytesAreOneKey(t *testing.T) {
	typed := &keys{from: strings.NewReader("\x1b[5~\x1b[6~\x1b[1~\x1b[F\x1bOA\x1b[3~\x1b[1;5Cé")}
	for _, want := range []string{keyPageUp, keyPageDown, keyHome, keyEnd, keyUp, "", "", "é"} {
		if got, err := typed.next(); err != nil || got != want {
			t.Errorf("%q, want %q, %v", got, want, err)
		}
	}
}

func TestTypesGoRoundAndQLeaves(t *testing.T) {
	b, wishes := browsed("tq", "a")
	if b.query().Type != "subtask_success" || len(wishes) != 2 || wishes[1] != leave {
		t.Errorf("%v, %+v", wishes, b.query())
	}
	if b, _ := browsed(strings.Repeat("t", len(patternTypes))); b.query().Type != "" || !strings.Contains(seen(b), "There are none.") {
		t.Errorf("%+v\n%s", b.query(), seen(b))
	}
}

func TestCtrlCLeavesWhateverIsBeingDone(t *testing.T) {
	for _, typing := range []string{"\x03", "/wor\x03", "d\x03", "\r\x03"} {
		if b, wishes := browsed(typing, "a"); len(wishes) != 1 || wishes[0] != leave {
			t.Errorf("%q: %v\n%s", typing, wishes, seen(b))
		}
	}
}

func TestWhatIsShownFitsTheTerminal(t *testing.T) {
	b, _ := browsed("", strings.Repeat("long ", 50), "\x1b[31mred")
	for _, line := range b.view(40, 4) {
		if n := len([]rune(line)); n > 40 || strings.ContainsRune(line, '\x1b') {
			t.Errorf("%d: %q", n, line)
		}
	}
}
