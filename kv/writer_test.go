package kv_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"learnloop.dev/kv"
)

// bothWays names buckets that take batches, and ordinary ones.
func bothWays() map[string]bool { return map[string]bool{"atomic": true, "ordinary": false} }

func rule(i int, prompt string, insight uint64) kv.Entry {
	return kv.Entry{Key: kv.Key("rule", strconv.Itoa(i)), Value: value(prompt), Insight: insight}
}

func mustPut(tb testing.TB, w *kv.Writer, want int, entries ...kv.Entry) {
	tb.Helper()
	if changed, err := w.Put(within(tb), entries); err != nil || len(changed) != want {
		tb.Fatalf("%d changed, want %d: %v", len(changed), want, err)
	}
}

func TestPutTellsWhichKeysChangedAndTheirRevisions(t *testing.T) {
	for name, atomic := range bothWays() {
		t.Run(name, func(t *testing.T) {
			nc := start(t).connect()
			values := bucket(t, nc, atomic)
			w := write(t, read(t, nc))
			mustPut(t, w, 1, rule(1, "one", 1))
			changed, err := w.Put(within(t), []kv.Entry{rule(1, "one", 2), rule(2, "two", 2), rule(3, "three", 2)})
			if err != nil || len(changed) != 2 {
				t.Fatalf("%v changed: %v", changed, err)
			}
			for i, key := range []string{"rule.2", "rule.3"} {
				if want := (kv.Change{Key: key, Revision: revision(t, values, key)}); changed[i] != want {
					t.Errorf("%v changed, want %v", changed[i], want)
				}
			}
		})
	}
}

func revision(tb testing.TB, values jetstream.KeyValue, key string) uint64 {
	tb.Helper()
	e, err := values.Get(tb.Context(), key)
	if err != nil {
		tb.Fatal(err)
	}
	return e.Revision()
}

func holds(tb testing.TB, values jetstream.KeyValue, key, prompt string) {
	tb.Helper()
	e, err := values.Get(tb.Context(), key)
	if err != nil || !bytes.Equal(e.Value(), value(prompt)) {
		tb.Fatalf("%s holds %v, want %s: %v", key, e, prompt, err)
	}
}

func TestTheSameBytesAreNotWrittenAgain(t *testing.T) {
	for name, batches := range bothWays() {
		t.Run(name, func(t *testing.T) {
			nc := start(t).connect()
			values := bucket(t, nc, batches)
			w := write(t, read(t, nc))
			mustPut(t, w, 2, rule(1, "one", 1), rule(2, "two", 2))
			first := revision(t, values, "rule.1")
			mustPut(t, w, 1, rule(1, "one", 3), rule(2, "changed", 4))
			mustPut(t, write(t, read(t, nc)), 0, rule(1, "one", 5), rule(2, "changed", 6))
			if again := revision(t, values, "rule.1"); again != first {
				t.Fatalf("revision %d became %d", first, again)
			}
			holds(t, values, "rule.2", "changed")
		})
	}
}

func TestAnOlderInsightNeverReplacesANewerOne(t *testing.T) {
	for name, batches := range bothWays() {
		t.Run(name, func(t *testing.T) {
			nc := start(t).connect()
			values := bucket(t, nc, batches)
			r := read(t, nc)
			w, other := write(t, r), write(t, read(t, nc))
			mustPut(t, w, 2, rule(1, "new", 10), rule(2, "new", 10))
			mustPut(t, w, 0, rule(1, "old", 9), rule(2, "old", 9))
			mustPut(t, other, 0, rule(1, "old", 9), rule(2, "old", 9))
			eventually(t, r, "rule.1", says("new"))
			mustPut(t, write(t, r), 0, rule(1, "old", 9), rule(2, "old", 9))
			holds(t, values, "rule.1", "new")
			holds(t, values, "rule.2", "new")
		})
	}
}

func TestWhatWasConfirmedByANewerInsightStays(t *testing.T) {
	nc := start(t).connect()
	values := bucket(t, nc, true)
	w := write(t, read(t, nc))
	mustPut(t, w, 1, rule(1, "same", 1))
	mustPut(t, w, 0, rule(1, "same", 3))
	mustPut(t, w, 0, rule(1, "late", 2))
	holds(t, values, "rule.1", "same")
}

// keep has a writer keep the bucket until the test ends.
func keep(tb testing.TB, w *kv.Writer) {
	tb.Helper()
	ctx, cancel := context.WithCancel(tb.Context())
	var group sync.WaitGroup
	group.Go(func() {
		if err := w.Keep(ctx); err != nil {
			tb.Error(err)
		}
	})
	tb.Cleanup(func() { cancel(); group.Wait() })
}

func TestWhatAnotherWriterConfirmedComesBackWhenAnOlderInsightReplacesIt(t *testing.T) {
	nc := start(t).connect()
	bucket(t, nc, true)
	r := read(t, nc)
	late, knowing := write(t, read(t, nc)), write(t, read(t, nc))
	mustPut(t, late, 1, rule(1, "right", 5))
	mustPut(t, knowing, 0, rule(1, "right", 20), kv.Entry{Key: "rule.2", Insight: 20})
	mustPut(t, late, 2, rule(1, "before", 10), rule(2, "before", 10)) // nobody told it of 20
	keep(t, knowing)
	eventually(t, r, "rule.1", says("right"))
	eventually(t, r, "rule.2", gone)
	mustPut(t, late, 2, rule(1, "newer", 30), rule(3, "three", 30))
	mustPut(t, knowing, 0, rule(3, "three", 40))
	mustPut(t, late, 1, rule(3, "before", 35))
	eventually(t, r, "rule.3", says("three")) // what it comes upon while it keeps, too
	eventually(t, r, "rule.1", says("newer"))
}

func TestWhatWasPutByHandIsNotTakenBack(t *testing.T) {
	nc := start(t).connect()
	values := bucket(t, nc, true)
	r := read(t, nc)
	w := write(t, r)
	keep(t, w)
	mustPut(t, w, 2, rule(1, "one", 1), rule(2, "two", 1))
	mustPut(t, w, 0, rule(1, "one", 3), rule(2, "two", 3))
	put(t, values, "rule.1", "by hand")
	mustPut(t, write(t, read(t, nc)), 1, rule(2, "two, again", 2))
	eventually(t, r, "rule.2", says("two")) // after what came before it
	holds(t, values, "rule.1", "by hand")
}

func TestNumbersOfInsightsThatWereLostHinderNobody(t *testing.T) {
	nc := start(t).connect()
	values := bucket(t, nc, true)
	mustPut(t, write(t, read(t, nc)), 2, rule(1, "one", 9), rule(2, "two", 5))
	w := write(t, read(t, nc))
	w.Distrust(6) // 7 and above went
	mustPut(t, w, 1, rule(1, "again", 7), rule(2, "old", 4))
	holds(t, values, kv.Key("rule", "1"), "again")
	mustPut(t, w, 0, rule(1, "older", 6)) // what was written since is trusted
}

func TestTheNewestOfSeveralEntriesCounts(t *testing.T) {
	nc := start(t).connect()
	values := bucket(t, nc, true)
	w := write(t, read(t, nc))
	mustPut(t, w, 1, rule(1, "b", 2), rule(1, "c", 3), rule(1, "a", 1))
	holds(t, values, "rule.1", "c")
}

func TestADeletedKeyIsNotBroughtBackByAnOlderInsight(t *testing.T) {
	for name, batches := range bothWays() {
		t.Run(name, func(t *testing.T) {
			nc := start(t).connect()
			values := bucket(t, nc, batches)
			w, other := write(t, read(t, nc)), write(t, read(t, nc))
			mustPut(t, w, 2, rule(1, "one", 1), rule(2, "two", 1))
			mustPut(t, w, 2, kv.Entry{Key: "rule.1", Insight: 5}, kv.Entry{Key: "rule.2", Insight: 5})
			mustPut(t, w, 0, kv.Entry{Key: "rule.1", Insight: 6}, kv.Entry{Key: "rule.never", Insight: 6})
			mustPut(t, other, 0, rule(1, "late", 4), rule(2, "late", 4))
			if _, err := values.Get(t.Context(), "rule.1"); !errors.Is(err, jetstream.ErrKeyNotFound) {
				t.Fatalf("an ordinary client gets %v", err)
			}
			mustPut(t, write(t, read(t, nc)), 2, rule(1, "again", 7), rule(2, "again", 7))
			holds(t, values, "rule.1", "again")
		})
	}
}

func TestManyKeysAreWrittenAtOnce(t *testing.T) {
	for name, batches := range bothWays() {
		t.Run(name, func(t *testing.T) {
			nc := start(t).connect()
			values := bucket(t, nc, batches)
			const n = 1234
			w := write(t, read(t, nc))
			for round := range 3 {
				var entries []kv.Entry
				for i := range n {
					entries = append(entries, rule(i, fmt.Sprint("round ", round), uint64(round+1)))
				}
				mustPut(t, w, n, entries...)
			}
			status, err := values.Status(t.Context())
			if err != nil || status.Values() != n {
				t.Fatalf("%d values, want %d: %v", status.Values(), n, err)
			}
			// Had a revision been remembered wrongly, a round would have been refused and repeated.
			if last := status.(*jetstream.KeyValueBucketStatus).StreamInfo().State.LastSeq; last != 3*n {
				t.Fatalf("%d revisions, want %d", last, 3*n)
			}
		})
	}
}

func TestWritersAgreeOnTheNewestInsight(t *testing.T) {
	for name, batches := range bothWays() {
		t.Run(name, func(t *testing.T) {
			nc := start(t).connect()
			values := bucket(t, nc, batches)
			const keys, insights = 50, 40 // more keys than are put one by one
			var group sync.WaitGroup
			for me := range 4 {
				w := write(t, read(t, nc))
				group.Go(func() {
					for n := me; n < insights; n += 4 {
						var entries []kv.Entry
						for k := range keys {
							entries = append(entries, rule(k, fmt.Sprint("insight ", n), uint64(n+1)))
						}
						for {
							_, err := w.Put(t.Context(), entries)
							if err == nil {
								break
							}
							if !errors.Is(err, kv.ErrContended) {
								t.Error(err)
								return
							}
						}
					}
				})
			}
			group.Wait()
			for k := range keys {
				holds(t, values, fmt.Sprint("rule.", k), fmt.Sprint("insight ", insights-1))
			}
		})
	}
}

func TestWhatOthersWroteIsFoundOut(t *testing.T) {
	nc := start(t).connect()
	values := bucket(t, nc, true)
	r := read(t, nc)
	w := write(t, r)
	mustPut(t, w, 2, rule(1, "one", 1), rule(2, "two", 1))
	put(t, values, "rule.1", "by hand")
	mustPut(t, w, 2, rule(1, "mine", 2), rule(2, "changed", 2))
	holds(t, values, "rule.1", "mine")
	put(t, values, "rule.1", "by hand again")
	eventually(t, r, "rule.1", says("by hand again"))
	mustPut(t, w, 1, rule(1, "mine", 3))
	holds(t, values, "rule.1", "mine")
}

func TestAnEmptyBucketUnderTheOldNameIsFilledAgain(t *testing.T) {
	b := start(t)
	nc := b.connect()
	bucket(t, nc, true)
	r := read(t, nc)
	w := write(t, r)
	mustPut(t, w, 2, rule(1, "one", 1), rule(2, "two", 1))
	eventually(t, r, "rule.2", says("two"))
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	if err := js.DeleteKeyValue(t.Context(), kv.Contexts); err != nil {
		t.Fatal(err)
	}
	values := bucket(t, nc, true)
	b.down()
	b.up()
	eventually(t, r, "rule.2", gone)
	mustPut(t, w, 2, rule(1, "one", 1), rule(2, "two", 1))
	holds(t, values, "rule.1", "one")
}

func TestWhatNoBucketCanHoldIsReportedAndTheRestWritten(t *testing.T) {
	nc := start(t).connect()
	values := bucket(t, nc, true)
	w := write(t, read(t, nc))
	secret := strings.Repeat("secret", 200_000)
	changed, err := w.Put(t.Context(), []kv.Entry{
		{Key: "rule.a b", Value: value("x")},
		{Key: "rule.>", Value: value("x")},
		{Key: "rule.large", Value: value(secret)},
		rule(1, "one", 1),
	})
	if len(changed) != 1 || err == nil {
		t.Fatalf("%d changed, %v", len(changed), err)
	}
	for _, want := range []string{`"rule.a b"`, `"rule.>"`, "rule.large"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%s is not named", want)
		}
	}
	if strings.Contains(err.Error(), "secret") {
		t.Error("a value is told in an error")
	}
	holds(t, values, "rule.1", "one")
}

func TestAWriterNeedsAReaderOfEveryKey(t *testing.T) {
	nc := start(t).connect()
	bucket(t, nc, true)
	if _, err := kv.NewWriter(t.Context(), read(t, nc, "rule.>")); err == nil {
		t.Fatal("a writer that does not see every key")
	}
}

func TestAPutFailsWhileTheServerIsAwayAndWorksAgainAfterwards(t *testing.T) {
	b := start(t)
	nc := b.connect()
	bucket(t, nc, true)
	w := write(t, read(t, nc))
	mustPut(t, w, 2, rule(1, "one", 1), rule(2, "two", 1))
	b.down()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Put(ctx, []kv.Entry{rule(1, "three", 2)}); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	b.up()
	values := reopen(t, b.connect())
	put(t, values, "rule.1", "by hand")
	for {
		_, err := w.Put(within(t), []kv.Entry{rule(1, "one", 2), rule(2, "four", 2)})
		if err == nil {
			break
		}
		if t.Context().Err() != nil {
			t.Fatal(err)
		}
	}
	holds(t, values, "rule.1", "one")
	holds(t, values, "rule.2", "four")
}

func BenchmarkPut(b *testing.B) {
	nc := start(b).connect()
	bucket(b, nc, true)
	w := write(b, read(b, nc))
	entries := make([]kv.Entry, 1000)
	round := 0
	for b.Loop() {
		round++
		for i := range entries {
			entries[i] = rule(i, strings.Repeat(fmt.Sprint(round, " "), 300), uint64(round))
		}
		mustPut(b, w, len(entries), entries...)
	}
	b.ReportMetric(float64(len(entries)*b.N)/b.Elapsed().Seconds(), "keys/s")
}
