package analyze

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/pipeline"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// talks counts the exchanges of people, and keeps the count when the exchanges go.
func talks() learn.Model {
	type count struct{ N int64 }
	at := func(r learn.Rows, who string) *count {
		return learn.At[count](r, learn.Key{Kind: "user", ID: who}, "n")
	}
	return learn.Define(learn.Spec[count]{
		Name: "talks", Version: 1, Group: events.ByPerson, Kinds: []string{"user"},
		Folds: []learn.Fold{
			learn.Sum(events.ExchangeRecorded, func(r learn.Rows, f *events.Fact[events.Exchange], w int64) { at(r, f.Key).N += w }),
			learn.Sum(events.ControlPersonSummed, func(r learn.Rows, f *events.Fact[events.PersonSummed], w int64) {
				var n int64
				if json.Unmarshal(f.Data.Value, &n) == nil {
					at(r, f.Data.Of).N += w * n
				}
			}),
		},
		Know: func(r learn.Rows, k learn.Key) (count, bool) {
			c := learn.Peek[count](r, k, "n")
			return c, c.N != 0
		},
		Render: func(_ learn.Key, parts []count) (any, bool) { return parts, len(parts) > 0 },
		Condense: func(q learn.Question, before time.Time) (list []learn.Digest) {
			type day struct{ who, day string }
			sums, newest := map[day]int{}, map[day]events.Head{}
			var order []day
			for rec := range q.Records.InLogOrder(learn.Select{Kind: events.ExchangeRecorded.Kind}) {
				h := rec.Header()
				if !h.Recorded.Before(before) {
					continue
				}
				d := day{h.Key, h.Recorded.Format(time.DateOnly)}
				if sums[d] == 0 {
					order = append(order, d)
				}
				sums[d]++
				newest[d] = *h
			}
			for _, d := range order {
				s := events.Sum{Model: "talks", Of: d.who, Day: d.day, Value: jsontext.Value(fmt.Sprint(sums[d]))}
				list = append(list, learn.Digest{Newest: newest[d], Data: []events.Payload{&events.DaySummed{Sum: s}, &events.PersonSummed{Sum: s}}})
			}
			return list
		},
	})
}

// talk is a fact of an exchange that was stored a number of hours after new year.
func talk(record, who string, hours int) *events.Fact[events.Exchange] {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(hours) * time.Hour)
	return &events.Fact[events.Exchange]{
		Head: events.Head{SpecVersion: "1.0", ID: record, Source: "/test", Type: events.ExchangeRecorded.Kind.Type(),
			Time: at, Recorded: at, Record: record, Content: record, Group: events.ByPerson, Key: who, Person: "blind " + who},
		Data: events.Exchange{ExchangeID: events.ID(record)},
	}
}

// condense sums up what is older than two days.
func (b *bench) condense() error { return b.condenseAt(uint64(len(b.log))) }

// condenseAt does so where the log is thought to end.
func (b *bench) condenseAt(end uint64) error {
	return Condenser{
		Answerer: Answerer{Models: b.Models, Store: b.Store, Partitions: []int{0}}, Log: told{b},
		End: func(context.Context, int) (uint64, error) { return end, nil },
	}.Condense(b.t.Context(), time.Date(2026, 1, 3, 0, 0, 0, 0, time.UTC))
}

// told puts what is appended into the log.
type told struct{ *bench }

// Append appends.
func (l told) Append(_ context.Context, msgs []bus.Message) (uint64, error) {
	for _, m := range msgs {
		l.log = append(l.log, bus.Entry{Seq: uint64(len(l.log) + 1), Subject: m.Subject, Data: m.Data})
	}
	return uint64(len(l.log)), nil
}

func (b *bench) knows() string {
	return fmt.Sprintf("ann %s, bob %s", b.known["user.ann"].Value, b.known["user.bob"].Value)
}

// talked is a stage that folded exchanges of three days.
func talked(t *testing.T) *bench {
	t.Helper()
	b := newBench(t, talks())
	for i, hours := range []int{1, 2, 23, 24, 30, 47, 48, 60} {
		b.say(talk(fmt.Sprint("ann", i), "ann", hours))
	}
	b.say(talk("bob", "bob", 3))
	if err := b.live(); err != nil {
		t.Fatal(err)
	}
	return b
}

const nine = `ann {"N":8}, bob {"N":1}`

func TestWhatIsKnownOutlivesRecordsThatWereSummedUp(t *testing.T) {
	b := talked(t)
	if got := b.knows(); got != nine {
		t.Fatalf("before: %s", got)
	}
	if err := b.condense(); err != nil {
		t.Fatal(err)
	}
	sums := b.log[9:]
	if len(sums) != 6 {
		t.Fatalf("%d sums, want two for each of ann's two days and bob's one", len(sums))
	}
	b.erases = 7
	b.open(talks())
	if err := b.live(); err != nil {
		t.Fatal(err)
	}
	if got, gone := b.knows(), b.gone(); got != nine || len(gone) != 7 || slices.Max(gone) > 9 {
		t.Errorf("after: %s; deleted %v", got, gone)
	}
	oldest, err := Answerer{Store: b.Store, Partitions: []int{0}}.Oldest(events.ExchangeRecorded.Kind)
	if want := time.Date(2026, 1, 3, 0, 0, 0, 0, time.UTC); err != nil || !oldest.Equal(want) {
		t.Errorf("the oldest exchange is of %v: %v", oldest, err)
	}
	if err := b.condense(); err != nil || len(b.log) != 15 {
		t.Errorf("%d entries, nothing was left to sum up: %v", len(b.log), err)
	}
}

func TestALogThatIsHalfDeletedComesToTheSame(t *testing.T) {
	b := talked(t)
	for range 2 { // as two processes would that do not know of each other
		if err := b.condenseAt(9); err != nil {
			t.Fatal(err)
		}
	}
	whole := b.log
	for name, deleted := range map[string][]int{"nothing": nil, "some": {0, 2, 4}, "all": {0, 1, 2, 3, 4, 5, 8}} {
		t.Run(name, func(t *testing.T) {
			other := newBench(t, talks())
			for i, e := range whole {
				if !slices.Contains(deleted, i) {
					other.log = append(other.log, e)
				}
			}
			if err := other.live(); err != nil {
				t.Fatal(err)
			}
			if got := other.knows(); got != nine {
				t.Errorf("%s", got)
			}
		})
	}
}

func TestNothingIsSummedUpBeforeTheLogIsFolded(t *testing.T) {
	b := talked(t)
	b.say(talk("late", "ann", 1))
	ctx, stop := context.WithCancel(t.Context())
	waited := 0
	err := Condenser{
		Answerer: Answerer{Models: b.Models, Store: b.Store, Partitions: []int{0}}, Log: told{b},
		End: func(context.Context, int) (uint64, error) { return uint64(len(b.log)), nil },
		Observe: pipeline.Observer{Retried: func(string, error) {
			waited++
			stop()
		}},
	}.Condense(ctx, time.Date(2026, 1, 3, 0, 0, 0, 0, time.UTC))
	if err == nil || waited != 1 || len(b.log) != 10 {
		t.Errorf("%v, waited %d times, %d entries", err, waited, len(b.log))
	}
}

func TestSumsGetThroughWhileMoreAndMoreArrives(t *testing.T) {
	b := talked(t)
	said := 0
	say := func() {
		b.say(talk(fmt.Sprint("more", said), "ann", 60+said))
		said++
	}
	c := Condenser{
		Answerer: Answerer{Models: b.Models, Store: b.Store, Partitions: []int{0}}, Log: told{b},
		End: func(context.Context, int) (uint64, error) {
			say()
			return uint64(len(b.log)), nil
		},
		Observe: pipeline.Observer{Retried: func(string, error) {
			if err := b.live(); err != nil {
				t.Error(err)
			}
			say() // there is always something that is not folded
		}},
	}
	if err := c.Condense(t.Context(), time.Date(2026, 1, 3, 0, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	if sums := len(b.log) - 9 - said; sums != 6 {
		t.Errorf("%d sums, want two for each of ann's two days and bob's one", sums)
	}
}

func TestASumIsAboutWhomItsRecordsWereAbout(t *testing.T) {
	b := talked(t)
	if err := b.condense(); err != nil {
		t.Fatal(err)
	}
	for _, e := range b.log[9:] {
		_, kind, _ := pipeline.ParseLog(e.Subject)
		spec, _ := events.Lookup(kind)
		rec, err := spec.ReadFact(e.Data)
		if err != nil {
			t.Fatal(err)
		}
		h := rec.Header()
		forgetting := &events.SubjectForgotten{Subject: h.Person, Before: time.Now()}
		if h.Person != "blind "+h.Key || h.Record == "" || !forgetting.Takes(nil, h) {
			t.Errorf("%+v", h)
		}
	}
}
