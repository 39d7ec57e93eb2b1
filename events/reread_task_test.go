package events

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

// storedTask is a task as the log keeps it, with every member set.
func storedTask(text string) *Fact[Task] {
	id, seconds, tokens := ID(text), 12.5, int64(900)
	step := Subtask{
		ID: id, Description: text, ModelTier: 1, VerificationTier: 2, DependsOn: []ID{id, "other"}, ModelUsed: text, Success: new(true),
		RetryCount: 3, DurationSeconds: &seconds, TokensUsed: &tokens, FailureReasons: []string{text}, PromptFeatures: []string{},
	}
	return &Fact[Task]{
		Head: Head{SpecVersion: "1.0", ID: text, Type: TaskFinished.Kind.Type(), Group: Outcomes},
		Data: Task{
			TaskID: id, Goal: text, Status: Completed, Subtasks: []Subtask{step, {ID: "b", Success: new(false)}, {ID: "c"}},
			Corrections: []TaskInstruction{{Tags: Tags{text, "b"}, Instruction: text}, {}}, Template: id, UserID: id,
			Moment: Moment{time.Date(2026, 3, 2, 11, 12, 13, 0, time.UTC)},
		},
	}
}

func TestATaskIsReadTheShortWay(t *testing.T) {
	bare := &Fact[Task]{Data: Task{Subtasks: []Subtask{}}}
	for name, f := range map[string]*Fact[Task]{"whole": storedTask("x"), "bare": bare, "escapes": storedTask("a \"b\"\n\\ <&>"), "wide": storedTask("їжак 🦊")} {
		data, err := Encode(f)
		if err != nil {
			t.Fatal(err)
		}
		got := new(Fact[Task])
		if !reread(data, &got.Head, &got.Data) {
			t.Errorf("%s is not read: %s", name, data)
		}
		if diff := cmp.Diff(f, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// rereadTaskAlike holds the short way to the decoder.
func rereadTaskAlike(t *testing.T, data []byte) {
	t.Helper()
	short, long := new(Fact[Task]), new(Fact[Task])
	if !reread(data, &short.Head, &short.Data) {
		return
	}
	if err := json.Unmarshal(data, long); err != nil {
		t.Fatalf("read without an error, but %v: %s", err, data)
	}
	if !reflect.DeepEqual(short, long) {
		t.Fatalf("(-decoder +short way):\n%s\n%s", cmp.Diff(long, short), data)
	}
}

func TestWhateverTaskIsReadTheShortWayTheDecoderReadsAlike(t *testing.T) {
	whole, err := Encode(storedTask("näme"))
	if err != nil {
		t.Fatal(err)
	}
	for _, odd := range []string{"", "{", "}", "[", "]", "\"", "\\", "null", "true", "0", "-1", "1e3", ".", " ", ",", ":", "{}", "[]", "\x00", "\xff", "é"} {
		for i := range len(whole) + 1 {
			rereadTaskAlike(t, slices.Concat(whole[:i], []byte(odd), whole[i:]))
			rereadTaskAlike(t, slices.Concat(whole[:i], []byte(odd), whole[min(i+1, len(whole)):]))
		}
	}
	for i := range whole {
		rereadTaskAlike(t, whole[:i])
	}
}

func FuzzTasksAreReadAlike(f *testing.F) {
	for _, text := range []string{"x", "", "a \"b\"\n", "їжак"} {
		data, err := Encode(storedTask(text))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(rereadTaskAlike)
}

// BenchmarkReadTask compares reading a stored task of five steps with what the decoder
// takes for it.
func BenchmarkReadTask(b *testing.B) {
	f := storedTask("Move the reports of the service")
	f.Data.Subtasks = slices.Repeat(f.Data.Subtasks[:1], 5)
	data, err := Encode(f)
	if err != nil {
		b.Fatal(err)
	}
	for name, read := range map[string]func() error{
		"short way": func() error { _, err := TaskFinished.ReadFact(data); return err },
		"decoder":   func() error { return json.Unmarshal(data, new(Fact[Task])) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := read(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
