package conversations_test

import (
	"fmt"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/learn/conversations"
	"learnloop.dev/learn/learntest"

	"github.com/google/go-cmp/cmp"
)

func TestWhatIsKnownOutlivesItsRecords(t *testing.T) {
	log := liking(40, 4)
	whole := hear(t, log...)
	l := hear(t, log...)
	before, statistics := preferences(t, l), summary(t, l).Block()
	for _, d := range digests(l, time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)) {
		tell(l, d)
	}
	for _, e := range log {
		l.Withdraw(e.ID)
	}
	l.Refresh()
	if diff := cmp.Diff(before, preferences(t, l)); diff != "" {
		t.Errorf("preferences: -before +after\n%s", diff)
	}
	if diff := cmp.Diff(statistics, summary(t, l).Block()); diff != "" {
		t.Errorf("statistics: -before +after\n%s", diff)
	}
	gone := wanted(9000, "", "", "null")
	if err := l.Hear(gone); err != nil {
		t.Fatal(err)
	}
	if p := preferences(t, l); p.SampleSize != 0 || p.Prompt != "" {
		t.Errorf("deleted since: %+v", p)
	}
	if p := preferences(t, whole); p.SampleSize != 40 {
		t.Errorf("with records: %+v", p.SampleSize)
	}
}

func TestManySessionsOfADayAreCountedOnceThoughSumsTellFewApart(t *testing.T) {
	var log []learntest.Event
	for i := range 300 { // of three exchanges, the last of them on the next day
		in := func(x *events.Exchange) { x.SessionID = events.ID(fmt.Sprint("s", i)) }
		log = append(log, asked(fmt.Sprint(i, "a"), i, in), asked(fmt.Sprint(i, "b"), i+5, in))
		if i < 50 {
			log = append(log, asked(fmt.Sprint(i, "c"), 24*60+i, in))
		}
	}
	l := hear(t, log...)
	for _, d := range digests(l, time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)) {
		tell(l, d)
	}
	for _, e := range log {
		l.Withdraw(e.ID)
	}
	l.Refresh()
	person, all := preferences(t, l).Evidence.Sessions, summary(t, l).Block().Implicit.Sessions
	if most := int64(300 + 50); person < 300 || person > most || all < 300 || all > most { // beyond a hundred a day some count twice
		t.Errorf("%d of the person, %d of all", person, all)
	}
}

func BenchmarkAddUpAThousandDaysWhoseRecordsAreGone(b *testing.B) {
	log := liking(1000, 0)
	for i := range log {
		log[i].Time = log[i].Time.Add(time.Duration(i/2) * 24 * time.Hour)
	}
	l := hear(b, log...)
	for _, d := range digests(l, time.Date(2037, 1, 1, 0, 0, 0, 0, time.UTC)) {
		tell(l, d)
	}
	for _, e := range log {
		l.Withdraw(e.ID)
	}
	ask(b, l, conversations.AskSummary, `{}`)
}

// digests are what partitions sum up.
func digests(l *learntest.Loop, before time.Time) (all []learn.Digest) {
	m := conversations.Model()
	for _, p := range l.Open() {
		all = append(all, m.Condense(learn.Question{Rows: m.Open(p.Table), Records: p}, before)...)
	}
	return all
}

// tell folds the sums of a day, as the analyzer appends them.
func tell(l *learntest.Loop, d learn.Digest) {
	for _, data := range d.Data {
		part := data.Parts()[0]
		spec, _ := events.Lookup(part.Kind)
		head := d.Newest
		head.Type, head.Key, head.Group = part.Kind.Type(), part.Key, part.Group
		head.Record = learntest.Blind("sum", append(data.Identity(), string(part.Kind))...)
		head.ID, head.Content = head.Record, fmt.Sprint(data)
		l.Fold(spec.Fact(head, data))
	}
}

func TestAPeriodHoldsTheDaysOfWhichOnlySumsAreLeft(t *testing.T) {
	log := liking(40, 4)
	l := hear(t, log...)
	day := log[0].Time.UTC().Truncate(24 * time.Hour)
	first := conversations.Window{To: day.AddDate(0, 0, 1)}
	before := period(t, l, first)
	for _, d := range digests(l, time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)) {
		tell(l, d)
	}
	for _, e := range log {
		l.Withdraw(e.ID)
	}
	if before.People != 1 || before.Total().Exchanges == 0 || before.Total().Exchanges == 40 {
		t.Fatalf("the first of some days has %d exchanges of %d people", before.Total().Exchanges, before.People)
	}
	after := period(t, l, first)
	if after.People != 1 || after.Total().Exchanges != before.Total().Exchanges || after.Total().Overall.N != before.Total().Overall.N {
		t.Errorf("sums alone: %+v of %d people, with records it was %+v", after.Total(), after.People, before.Total())
	}
	rest := period(t, l, conversations.Window{From: first.To})
	if n := after.Total().Exchanges + rest.Total().Exchanges; n != 40 {
		t.Errorf("two halves of time hold %d exchanges", n)
	}
	if none := period(t, l, conversations.Window{To: day}); none.People != 0 || len(none.Days) != 0 {
		t.Errorf("before everything: %+v", none)
	}
	if cut := period(t, l, conversations.Window{From: day.Add(1), To: day.Add(2)}); len(cut.Days) != 0 {
		t.Errorf("a day that begins before the period: %+v", cut)
	}
}

func TestForecastsAreRightWhereThereIsATasteAndNotByLuck(t *testing.T) {
	var f, noise conversations.Forecast
	for _, d := range summary(t, hear(t, liking(60, 0)...)).Days {
		f = sumOf(f, d.Forecast)
	}
	for _, d := range summary(t, hear(t, liking(60, 3)...)).Days {
		noise = sumOf(noise, d.Forecast)
	}
	if f.N < 40 || 10*f.Right < 9*f.N || f.Usual > f.Right {
		t.Errorf("a clear taste: %+v", f)
	}
	if noise.N != f.N || noise.Squares <= f.Squares || noise.Right >= f.Right {
		t.Errorf("no taste: %+v, a clear one: %+v", noise, f)
	}
}

func sumOf(a, b conversations.Forecast) conversations.Forecast {
	return conversations.Forecast{N: a.N + b.N, Right: a.Right + b.Right, Usual: a.Usual + b.Usual, Squares: a.Squares + b.Squares}
}

func TestForecastsOfAPeriodKnowWhatWasBefore(t *testing.T) {
	l := hear(t, liking(60, 0)...)
	all := summary(t, l).Daily()
	last := all[len(all)-1]
	day, err := time.Parse(time.DateOnly, last.Day)
	if err != nil {
		t.Fatal(err)
	}
	some := period(t, l, conversations.Window{From: day}).Daily()
	if len(some) != 1 || last.Predicted == 0 || some[0].Predicted != last.Predicted || *some[0].PersonalizationAccuracy != *last.PersonalizationAccuracy {
		t.Errorf("of the last day %+v, of all %+v", some, last)
	}
	for _, d := range digests(l, time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)) {
		tell(l, d)
	}
	for _, e := range liking(60, 0) {
		l.Withdraw(e.ID)
	}
	kept := summary(t, l).Daily()
	if diff := cmp.Diff(all, kept); diff != "" {
		t.Errorf("sums alone: -records +sums\n%s", diff)
	}
}

func TestATrendLooksBeyondThePeriod(t *testing.T) {
	l := hear(t, liking(40, 4)...)
	at := liking(40, 4)[0].Time
	w := conversations.Window{From: at.Add(time.Hour), AsOf: at.AddDate(0, 0, 7)}
	narrow, all := period(t, l, w), period(t, l, conversations.Window{AsOf: w.AsOf})
	if narrow.Recent != all.Recent || narrow.Previous != all.Previous || all.Recent.N == 0 {
		t.Errorf("of a period %v and %v, of all %v and %v", narrow.Previous, narrow.Recent, all.Previous, all.Recent)
	}
}
