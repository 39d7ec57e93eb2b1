package main

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestPackingMarksAnEventAndChangesNothingElse(t *testing.T) {
	p := newPacker("R1")
	for line, want := range map[string]string{
		`{"id":"1","data":{"a": 1.0}}`:     `{"replayid":"R1","id":"1","data":{"a": 1.0}}`,
		`{"replayid":"old","id":"1"}`:      `{"replayid":"R1","id":"1"}`,
		`{"id":"1", "replayid": "old"}`:    `{"replayid":"R1","id":"1"}`,
		`{"id":"1","replayid":7,"x":[{}]}`: `{"replayid":"R1","id":"1","x":[{}]}`,
		`{"replayid":"only"}`:              `{"replayid":"R1"}`,
		`{"a":1,"a":2}`:                    `{"replayid":"R1","a":1,"a":2}`,
		`{ "id" : "1" }`:                   `{"replayid":"R1", "id" : "1" }`,
	} {
		got := p.pack([]byte(line), nil)
		if string(got.body) != want || got.alone || got.broken || got.subject != "learn.in.batch" {
			t.Errorf("%s became %s (%+v), want %s", line, got.body, got, want)
		}
	}
}

func TestWhatIsNoEventIsSentAsItIsAndAlone(t *testing.T) {
	p := newPacker("R1")
	for _, line := range []string{
		`{`, `{}`, `[]`, `"x"`, `{"a":1}{"b":2}`, `{"a":1} x`, `{"a":}`, "\xff", `{"a":"` + "\xff" + `"}`, `not json`,
	} {
		got := p.pack([]byte(line), nil)
		if string(got.body) != line || !got.alone || !got.broken {
			t.Errorf("%q became %q (%+v)", line, got.body, got)
		}
	}
}

func TestReservedKindsTravelOnTheirOwnSubject(t *testing.T) {
	p := newPacker("R1")
	for ceType, want := range map[string]string{
		"dev.learnloop.control.data.cleared.v1":   "learn.in.control.data.cleared",
		"dev.learnloop.learning.superseded.v1":    "learn.in.learning.superseded",
		"dev.learnloop.learning.created.v1":       "learn.in.batch",
		"dev.learnloop.learning.superseded.v2":    "learn.in.batch",
		`dev.learnloop.learning.\u0061rchived.v1`: "learn.in.learning.archived",
	} {
		got := p.pack([]byte(`{"type":"`+ceType+`"}`), nil)
		if got.subject != want || got.alone != (want != "learn.in.batch") {
			t.Errorf("%s travels on %s (alone %t), want %s", ceType, got.subject, got.alone, want)
		}
	}
}

func TestALargeEventTravelsAlone(t *testing.T) {
	line := `{"data":"` + strings.Repeat("x", 300<<10) + `"}`
	if got := newPacker("R1").pack([]byte(line), nil); !got.alone || got.broken {
		t.Errorf("alone %t, broken %t", got.alone, got.broken)
	}
}

func FuzzPackingKeepsValidJSONValidAndOtherLinesAsTheyAre(f *testing.F) {
	for _, seed := range []string{`{"id":"1"}`, `{"replayid":"a","replayid":"b"}`, `{"a":[1,2,{"b":null}]}`, `{`, ` {} `} {
		f.Add([]byte(seed))
	}
	p := newPacker("R1")
	f.Fuzz(func(t *testing.T, line []byte) {
		got := p.pack(line, nil)
		switch valid := jsontext.Value(got.body).IsValid(jsontext.AllowDuplicateNames(true)); {
		case got.broken && string(got.body) != string(line):
			t.Errorf("%q was changed to %q", line, got.body)
		case !got.broken && !valid:
			t.Errorf("%q became invalid: %q", line, got.body)
		case !got.broken && !strings.HasPrefix(string(got.body), `{"replayid":"R1"`):
			t.Errorf("%q is not marked: %q", line, got.body)
		}
	})
}
