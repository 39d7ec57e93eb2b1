package analyze

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/pipeline"
	"learnloop.dev/store"
)

// poisonDir makes the test binary a process that dies folding "bomb".
const poisonDir = "LEARNLOOP_TEST_POISON"

// counting is a model that counts fixes and does something with each before.
func counting(version int, do func(*events.Fact[events.FixFeedback])) learn.Model {
	type count struct{ N int64 }
	return learn.Define(learn.Spec[count]{
		Name: "toy", Version: version, Group: events.ByRule, Kinds: []string{"rule"},
		Folds: []learn.Fold{learn.Sum(events.FeedbackFix, func(r learn.Rows, f *events.Fact[events.FixFeedback], w int64) {
			do(f)
			learn.At[count](r, learn.Key{Kind: "rule", ID: f.Key}, "n").N += w
		})},
		Know: func(r learn.Rows, k learn.Key) (count, bool) {
			c := learn.Peek[count](r, k, "n")
			return c, c.N != 0
		},
		Render: func(_ learn.Key, parts []count) (any, bool) { return parts, len(parts) > 0 },
	})
}

func harmless(*events.Fact[events.FixFeedback]) {}

// on does something with what is about the rule "bomb".
func on(do func()) func(*events.Fact[events.FixFeedback]) {
	return func(f *events.Fact[events.FixFeedback]) {
		if f.Key == "bomb" {
			do()
		}
	}
}

// sayBomb puts a bomb among harmless facts.
func (b *bench) sayBomb() {
	for i, rule := range []string{"a", "b", "bomb", "c"} {
		b.say(fix(fmt.Sprint(i), rule, events.Accepted))
	}
}

func victim() int {
	ctx := context.Background()
	deadly := counting(1, on(func() { os.Exit(3) }))
	b := &bench{t: &testing.T{}, dir: os.Getenv(poisonDir), known: map[string]pipeline.Insight{}, told: map[string][]string{},
		marks: map[int]pipeline.Mark{}, markSeq: map[int]uint64{}}
	s, err := store.Open(store.Options{Dir: b.dir, Key: make([]byte, 32)})
	if err != nil {
		return 4
	}
	b.Stage = Stage{Models: []learn.Model{deadly}, Store: s, Dead: b, Partitions: []int{0}, Fences: b, Insights: insights{b}, End: b.end, Now: time.Now,
		Replays: NewReplays(), Observe: pipeline.Observer{}.EnsureDefaults()}
	b.sayBomb()
	r, err := begin(b.Stage)
	if err == nil {
		err = r.open(ctx)
	}
	if err != nil {
		return 5
	}
	if err := r.careful(ctx, hear(b.log, false)); err != nil || len(b.letters) != 1 {
		return 6
	}
	return 0
}

// outlive starts victims on a folder until one goes on.
func outlive(t *testing.T, dir string) {
	t.Helper()
	for life := range 10 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), poisonDir+"="+dir)
		err := cmd.Run()
		if err == nil {
			t.Logf("life %d went on", life+1)
			return
		}
		if cmd.ProcessState.ExitCode() != 3 {
			t.Fatalf("life %d: %v", life+1, err)
		}
	}
	t.Fatal("ten lives ended at the same entry")
}

func TestAnEntryThatEndsTheProcessIsFoundAfterAFewLives(t *testing.T) { outlive(t, t.TempDir()) }

func TestARecordThatEndsTheProcessIsFoundAfterAFewLives(t *testing.T) {
	b := newBench(t, counting(2, harmless))
	b.sayBomb()
	b.run()
	if err := b.Store.Close(); err != nil {
		t.Fatal(err)
	}
	outlive(t, b.dir)
}

func TestARecordThatPanicsInANewVersionCostsOneDeadLetter(t *testing.T) {
	b := newBench(t, counting(1, harmless))
	b.sayBomb()
	b.run()
	b.open(counting(2, on(func() { panic("planted text") })))
	b.served = len(b.log) // the log is not needed for it
	b.known = map[string]pipeline.Insight{}
	b.run()
	b.want("a", `{"N":1}`)
	b.want("bomb", "")
	b.want("c", `{"N":1}`)
	if len(b.letters) != 1 || b.letters[0].Reason != "crashed" {
		t.Errorf("letters %v, want one that says crashed", b.letters)
	}
}

func TestRowsThatWaitAreWhatTheRecordsMakeOfThem(t *testing.T) {
	b := newBench(t, toy(1))
	for i := range 3 * rebuildSize {
		b.say(fix(fmt.Sprint(i), fmt.Sprint("r", i%7), events.Accepted))
	}
	again := fix("0", "other", events.Accepted)
	again.Stamp, again.Content = again.Time.Add(time.Second), "other"
	b.say(fix("x", "bomb", events.Accepted))
	b.say(again)
	b.head, b.Observe = uint64(len(b.log)), b.Observe.EnsureDefaults()
	b.log[rebuildSize-1].Pending = uint64(len(b.log) - rebuildSize)
	r, err := begin(b.Stage)
	if err == nil {
		err = r.open(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := r.take(t.Context(), hear(b.log[:rebuildSize], true)); err != nil {
		t.Fatal(err)
	}
	if err := r.postpone(); err != nil {
		t.Fatal(err)
	}
	if err := r.take(t.Context(), hear(b.log[rebuildSize:], true)); err != nil {
		t.Fatal(err)
	}
	if err := r.rest(); err != nil || !r.current || len(r.late) > 0 {
		t.Fatalf("rest: %v, current %v, %d models late; want all models current", err, r.current, len(r.late))
	}
	b.run()
	b.want("r0", `{"N":428}`) // 429, less the one that was replaced
	b.want("r1", `{"N":429}`)
	b.want("other", `{"N":1}`)
	if len(b.letters) != 1 || b.letters[0].Reason != "crashed" {
		t.Errorf("letters %v, want one that says crashed", b.letters)
	}
}

func TestARebuildThatIsInterruptedStartsOver(t *testing.T) {
	b := newBench(t, counting(1, harmless))
	for i := range 3 * rebuildSize {
		b.say(fix(fmt.Sprint(i), "r", events.Accepted))
	}
	b.run()
	ctx, cancel := context.WithCancel(t.Context())
	b.open(counting(2, func(f *events.Fact[events.FixFeedback]) {
		if f.Record == fmt.Sprint(rebuildSize) {
			cancel()
		}
	}))
	r, err := begin(b.Stage)
	if err == nil {
		err = r.open(ctx)
	}
	if err != nil || len(r.late) != 1 {
		t.Fatalf("%v, %d models late; want one that was interrupted", err, len(r.late))
	}
	if err := r.rest(); err != nil {
		t.Fatal(err)
	}
	b.open(counting(2, harmless))
	b.served = len(b.log) // the log is not needed for it
	b.known = map[string]pipeline.Insight{}
	b.run()
	b.want("r", fmt.Sprintf(`{"N":%d}`, 3*rebuildSize))
}

func TestWhatCouldNotBeFoldedCountsOnceWhenItIsDrivenAgain(t *testing.T) {
	b := newBench(t, counting(1, on(func() { panic("planted text") })))
	b.sayBomb()
	b.run()
	bomb := b.log[2]
	again := func() {
		bomb.Seq, bomb.Header = uint64(len(b.log)+1), map[string][]string{pipeline.RedrivenHeader: {"1"}}
		b.log = append(b.log, bomb)
	}
	again()
	b.run()
	if len(b.letters) != 2 || b.letters[0].Cause == b.letters[1].Cause || !strings.Contains(string(b.letters[1].Data), `"redriven":1`) {
		t.Fatalf("%s, want a second letter of its own that names the first", b.letters)
	}
	b.open(counting(1, harmless)) // as after an upgrade that changes no rows
	b.served = len(b.log)
	again()
	again()
	b.run()
	b.want("bomb", `{"N":1}`)
	if len(b.letters) != 2 {
		t.Errorf("%d dead letters, want no more than before", len(b.letters))
	}
}
