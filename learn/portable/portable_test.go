package portable_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn/portable"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

const source = "0123456789abcdef"

func header() portable.Header {
	return portable.Header{
		ExportedAt: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC), Source: source,
		Options: portable.Options{AnonymizeAll: true, IncludePatterns: true},
	}
}

func pattern(rule string, n int) portable.Pattern {
	return portable.Pattern{
		Place: portable.Place{RuleID: events.ID(rule), Source: source}, PatternType: "accepted", Count: 3, SuccessRate: 1,
		ImportedPattern: events.ImportedPattern{
			Pattern: fmt.Sprintf("%016d", n), OriginalPattern: "utilize \"é\"", SuggestedPattern: "use", Mode: "pattern", Accepted: 3,
		},
	}
}

func rule(id string) portable.Rule {
	return portable.Rule{
		Place: portable.Place{RuleID: events.ID(id), Source: source, AsOf: time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)}, FeedbackCount: 3, Patterns: 2,
		ImportedRule: events.ImportedRule{
			Cells:      []events.ImportedCell{{Category: "style", Accepted: 3, Graded: 2, Hits: 1}},
			Confidence: []events.ImportedBin{{Bin: 3, N: 2, Kept: 2, Sum: 60_000}}, ErrorRest: 12, First: "2026-01-01", Last: "2026-01-02",
		},
	}
}

// document is an export of two rules.
func document(tb testing.TB) []byte {
	tb.Helper()
	var out bytes.Buffer
	w := portable.NewWriter(&out)
	err := errors.Join(w.Begin(header()), w.Patterns(pattern("a", 1), pattern("a", 2)), w.Patterns(pattern("b", 1)),
		w.Rules(rule("a")), w.Rules(rule("b")),
		w.End(time.Date(2026, 5, 1, 12, 0, 9, 0, time.UTC), jsontext.Value(`{"z":1e3,"a":[null,0.5]}`)))
	if err != nil {
		tb.Fatal(err)
	}
	return out.Bytes()
}

func TestWhatIsWrittenIsReadAgain(t *testing.T) {
	var patterns []portable.Pattern
	var rules []portable.Rule
	s, err := portable.Read(bytes.NewReader(document(t)), portable.Visitor{
		Pattern: func(p *portable.Pattern) error { patterns = append(patterns, *p); return nil },
		Rule:    func(r *portable.Rule) error { rules = append(rules, *r); return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]portable.Pattern{pattern("a", 1), pattern("a", 2), pattern("b", 1)}, patterns); diff != "" {
		t.Errorf("-written +read\n%s", diff)
	}
	if diff := cmp.Diff([]portable.Rule{rule("a"), rule("b")}, rules); diff != "" {
		t.Errorf("-written +read\n%s", diff)
	}
	if s.Patterns != 3 || s.Rules != 2 || s.Source != source || s.Version != portable.Version || s.Until.Second() != 9 || !s.Options.IncludePatterns {
		t.Errorf("%+v", s)
	}
}

func TestWhatIsWrittenFitsTheSchema(t *testing.T) {
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(portable.Schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("export.json", schema); err != nil {
		t.Fatal(err)
	}
	checked, err := c.Compile("export.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(document(t)))
	if err != nil {
		t.Fatal(err)
	}
	if err := checked.Validate(doc); err != nil {
		t.Error(err)
	}
	doc.(map[string]any)["rules"].([]any)[0].(map[string]any)["source"] = "Ada Lovelace"
	if checked.Validate(doc) == nil {
		t.Error("anything fits it")
	}
}

func TestOtherWhiteSpaceIsTheSameExport(t *testing.T) {
	v := jsontext.Value(document(t))
	if err := v.Indent(); err != nil {
		t.Fatal(err)
	}
	if _, err := portable.Read(bytes.NewReader(v), portable.Visitor{}); err != nil {
		t.Error(err)
	}
	if err := v.Canonicalize(); err != nil { // the checksum comes first then
		t.Fatal(err)
	}
	if _, err := portable.Read(bytes.NewReader(v), portable.Visitor{}); err != nil {
		t.Error(err)
	}
}

func TestNothingCanBeCutOffOrChanged(t *testing.T) {
	doc := bytes.TrimSuffix(document(t), []byte("\n"))
	for n := range doc {
		if _, err := portable.Read(bytes.NewReader(doc[:n]), portable.Visitor{}); err == nil {
			t.Fatalf("the first %d bytes were taken", n)
		}
		changed := bytes.Clone(doc)
		changed[n] ^= 1
		if s, err := portable.Read(bytes.NewReader(changed), portable.Visitor{}); err == nil {
			t.Fatalf("byte %d was changed to %q and taken: %+v", n, changed[n], s)
		}
	}
}

func TestWhatIsWrongIsSaidWithoutQuotingIt(t *testing.T) {
	doc := string(document(t))
	for name, c := range map[string]struct {
		doc  string
		want error
	}{
		"nothing":         {"", portable.ErrBroken},
		"not JSON":        {"Ada Lovelace", portable.ErrBroken},
		"a list":          {"[]", portable.ErrBroken},
		"empty":           {"{}", portable.ErrBroken},
		"more behind":     {doc + "{}", portable.ErrBroken},
		"a later version": {strings.Replace(doc, `"version":"1.0"`, `"version":"2.0"`, 1), portable.ErrVersion},
		"no version":      {strings.Replace(doc, `"version":"1.0"`, `"version":"Ada"`, 1), portable.ErrVersion},
		"a minor version": {strings.Replace(doc, `"version":"1.0"`, `"version":"1.7"`, 1), portable.ErrChecksum},
		"another count":   {strings.Replace(doc, `"accepted":3`, `"accepted":4`, 1), portable.ErrChecksum},
		"less than none":  {strings.Replace(doc, `"accepted":3`, `"accepted":-3`, 1), portable.ErrBroken},
		"very many":       {strings.Replace(doc, `"accepted":3`, `"accepted":999999999999`, 1), portable.ErrBroken},
		"unknown":         {strings.Replace(doc, `"accepted":3`, `"Ada":3`, 1), portable.ErrBroken},
		"unknown member":  {strings.Replace(doc, `{"exported_at"`, `{"Ada":1,"exported_at"`, 1), portable.ErrBroken},
		"twice the same":  {strings.Replace(doc, `"accepted":3`, `"accepted":3,"accepted":3`, 1), portable.ErrBroken},
		"in disorder":     {strings.Replace(doc, `0000000000000001`, `0000000000000009`, 1), portable.ErrBroken},
		"no such source":  {strings.Replace(doc, source, "Ada Lovelace", 1), portable.ErrBroken},
		"very deep":       {strings.Repeat(`{"options":`, 20_000), portable.ErrBroken},
	} {
		_, err := portable.Read(strings.NewReader(c.doc), portable.Visitor{})
		if !errors.Is(err, c.want) || strings.Contains(fmt.Sprint(err), "Ada") {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// endless repeats a text after a beginning.
type endless struct {
	begin, again string
	at           int
}

func (e *endless) Read(p []byte) (n int, err error) {
	for n < len(p) {
		i := e.at - len(e.begin)
		if i < 0 {
			p[n] = e.begin[e.at]
		} else {
			p[n] = e.again[i%len(e.again)]
		}
		n, e.at = n+1, e.at+1
	}
	return n, nil
}

func TestAnEndlessValueIsRefusedBeforeItIsHeld(t *testing.T) {
	for name, e := range map[string]*endless{
		"a text":       {`{"exported_at":"`, "x", 0},
		"white space":  {`{`, " ", 0},
		"an entry":     {`{"patterns":[{"rule_id":"`, "x", 0},
		"a nested one": {`{"options":{"rules":[`, `"a",`, 0},
		"a name":       {`{"`, "n", 0},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := portable.Read(e, portable.Visitor{})
		runtime.ReadMemStats(&after)
		if !errors.Is(err, portable.ErrTooLarge) {
			t.Errorf("%s: %v", name, err)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 8<<20 {
			t.Errorf("%s: took %d bytes of memory", name, used)
		}
	}
}

// counting is a writer that only counts.
type counting struct{ n int64 }

func (c *counting) Write(p []byte) (int, error) { c.n += int64(len(p)); return len(p), nil }

func TestManyPatternsAreWrittenInConstantMemory(t *testing.T) {
	const many = 100_000
	out := &counting{}
	w := portable.NewWriter(out)
	if err := w.Begin(header()); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for n := range many {
		if err := w.Patterns(pattern("r", n)); err != nil {
			t.Fatal(err)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if err := w.End(header().ExportedAt, nil); err != nil {
		t.Fatal(err)
	}
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 1<<20 || out.n < 100*many {
		t.Errorf("%d bytes written, the heap grew by %d", out.n, grown)
	}
}

func TestWhatAVisitorOrTheDiskSaysIsHandedOn(t *testing.T) {
	no := errors.New("no")
	_, err := portable.Read(bytes.NewReader(document(t)), portable.Visitor{Rule: func(*portable.Rule) error { return no }})
	if !errors.Is(err, no) {
		t.Errorf("got %v", err)
	}
	_, err = portable.Read(io.MultiReader(bytes.NewReader(document(t)[:40]), failing{}), portable.Visitor{})
	if !errors.Is(err, os.ErrPermission) {
		t.Errorf("got %v", err)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, os.ErrPermission }

func FuzzRead(f *testing.F) {
	f.Add(document(f))
	f.Add([]byte(`{"exported_at":"2026-01-01T00:00:00Z","patterns":[{}],"checksum":""}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := portable.Read(bytes.NewReader(data), portable.Visitor{})
		if err == nil && !bytes.Contains(data, []byte(s.Checksum)) {
			t.Errorf("taken with a checksum that is not there: %+v", s)
		}
	})
}

// An export of one rule, read again.
func Example() {
	var out bytes.Buffer
	w := portable.NewWriter(&out)
	at := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	err := errors.Join(
		w.Begin(portable.Header{ExportedAt: at, Source: "0123456789abcdef"}),
		w.Rules(portable.Rule{
			Place:        portable.Place{RuleID: "passive-voice", Source: "0123456789abcdef"},
			ImportedRule: events.ImportedRule{Cells: []events.ImportedCell{{Category: "style", Accepted: 9, Rejected: 1}}},
		}),
		w.End(at, nil),
	)
	if err != nil {
		fmt.Println(err)
	}
	s, err := portable.Read(&out, portable.Visitor{Rule: func(r *portable.Rule) error {
		fmt.Println(r.RuleID, r.Cells[0].Accepted, "accepted")
		return nil
	}})
	fmt.Println(s.Rules, "rule", err)
	// Output:
	// passive-voice 9 accepted
	// 1 rule <nil>
}

func TestPartsAreWholeAndHoldEverything(t *testing.T) {
	var out bytes.Buffer
	w := portable.NewWriter(&out)
	err := w.Begin(header())
	for n := range 9000 {
		err = errors.Join(err, w.Patterns(pattern(fmt.Sprintf("rule-%d", n/3000), n)))
	}
	for n := range 5000 {
		err = errors.Join(err, w.Rules(rule(fmt.Sprintf("rule-%05d", n))))
	}
	if err := errors.Join(err, w.End(header().ExportedAt, nil)); err != nil {
		t.Fatal(err)
	}
	whole, err := portable.Read(bytes.NewReader(out.Bytes()), portable.Visitor{})
	if err != nil {
		t.Fatal(err)
	}
	parts, patterns, rules := 0, 0, 0
	of := map[events.ID]int{}
	err = portable.Split(bytes.NewReader(out.Bytes()), whole, func(part []byte) error {
		parts++
		s, err := portable.Read(bytes.NewReader(part), portable.Visitor{Pattern: func(p *portable.Pattern) error {
			of[p.RuleID] = parts
			return nil
		}})
		patterns, rules = patterns+s.Patterns, rules+s.Rules
		if s.Source != source || !s.ExportedAt.Equal(whole.ExportedAt) || !s.Until.Equal(whole.Until) {
			t.Errorf("a part of %+v", s.Header)
		}
		return err
	})
	if err != nil || patterns != 9000 || rules != 5000 || parts < 5 || of["rule-0"] == of["rule-1"] || of["rule-1"] == of["rule-2"] {
		t.Errorf("%d parts of %d patterns and %d rules, the rules in %v: %v", parts, patterns, rules, of, err)
	}
}
