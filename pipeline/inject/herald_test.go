package inject

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/kv"
	"learnloop.dev/pipeline"
)

// board keeps what is put up, batch by batch, and refuses some.
type board struct {
	refusals int
	batches  [][]string
}

func (b *board) Put(_ context.Context, notices []bus.Notice) error {
	if b.refusals > 0 {
		b.refusals--
		return errors.New("not now")
	}
	var texts []string
	for _, n := range notices {
		texts = append(texts, string(n.Kind)+" "+n.ID+" "+string(n.Data))
	}
	b.batches = append(b.batches, texts)
	return nil
}

// herald runs one over a board until end is called.
func herald(t *testing.T, b *board) (h Herald, end func()) {
	t.Helper()
	h = Herald{Notices: b, Every: 100 * time.Millisecond, news: newNews()}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- h.run(ctx, pipeline.Observer{}.EnsureDefaults()) }()
	return h, func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// pass lets time go by, of the bubble's clock.
func pass(d time.Duration) { <-time.After(d) }

func TestChangesThatCloselyFollowEachOtherAreToldTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b board
		h, end := herald(t, &b)
		h.news.add([]kv.Change{{Key: "rule.b", Revision: 1}, {Key: "rule.a", Revision: 2}})
		pass(50 * time.Millisecond)
		h.news.add([]kv.Change{{Key: "rule.b", Revision: 3}})
		pass(time.Second)
		h.news.add(nil)
		h.news.add([]kv.Change{{Key: "rule.a", Revision: 4}})
		pass(time.Second)
		end()
		want := [][]string{
			{`context.changed rule.a@2 {"key":"rule.a","revision":2}`, `context.changed rule.b@3 {"key":"rule.b","revision":3}`},
			{`context.changed rule.a@4 {"key":"rule.a","revision":4}`},
		}
		if !slices.EqualFunc(b.batches, want, slices.Equal) {
			t.Errorf("told %q\nwant %q", b.batches, want)
		}
	})
}

func TestNoticesThatCannotBePublishedHoldUpNobodyAndAreToldLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := board{refusals: 5}
		h, end := herald(t, &b)
		for i := range uint64(10) {
			h.news.add([]kv.Change{{Key: "rule.a", Revision: i + 1}}) // returns though nobody takes it
		}
		pass(time.Minute)
		end()
		if len(b.batches) != 1 || len(b.batches[0]) != 1 || b.batches[0][0] != `context.changed rule.a@10 {"key":"rule.a","revision":10}` {
			t.Errorf("told %q", b.batches)
		}
	})
}
