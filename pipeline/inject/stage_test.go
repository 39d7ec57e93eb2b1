package inject

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"learnloop.dev/bus"
	"learnloop.dev/learn"
)

// bubble runs a test of an injector whose world has time of its own.
func bubble(t *testing.T, test func(*world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		test(&world{t: t, out: make(chan []bus.Delivery, 100), fails: map[string]int{}, calls: map[string]int{},
			acked: map[uint64]bool{}, contexts: map[string]string{}})
	})
}

func TestInsightsBecomeContexts(t *testing.T) {
	bubble(t, func(w *world) {
		defer w.inject()()
		w.insight(4, "all", "", 40) // delivered to another injector
		w.out <- []bus.Delivery{w.insight(0, "one", "a", 1), w.insight(2, "all", "", 20), w.mark(0, 100), w.insight(1, "all", "", 10)}
		w.out <- []bus.Delivery{w.insight(0, "one", "a", 2), w.insight(0, "one", "a", 3)}
		w.holds(map[string]string{"contexts one.a": "[3]", "contexts all": "[10,20,40]"})
	})
}

func TestEveryStepMayFailForAWhile(t *testing.T) {
	for _, step := range []string{"floor", "gather", "put contexts", "put settings", "keep contexts"} {
		t.Run(step, func(t *testing.T) {
			bubble(t, func(w *world) {
				w.fails[step] = 5
				end := w.inject()
				w.out <- []bus.Delivery{w.insight(0, "one", "a", 1), w.insight(1, "all", "x", 10), w.mark(0, 100)}
				w.holds(map[string]string{"contexts one.a": "[1]", "contexts all.x": "[10]", "settings reflected.0": "100"})
				if end(); w.fails[step] > 0 {
					w.t.Errorf("%s was not tried again: %d failures are left", step, w.fails[step])
				}
			})
		})
	}
}

func TestNothingIsAcknowledgedBeforeItIsStored(t *testing.T) {
	bubble(t, func(w *world) {
		w.fails["put contexts"] = 1 << 30
		end := w.inject()
		w.out <- []bus.Delivery{w.insight(0, "one", "a", 1), w.mark(0, 100)}
		w.holds(map[string]string{})
		if end(); len(w.acked) > 0 {
			w.t.Errorf("%v are acknowledged", w.acked)
		}
	})
}

func TestABatchIsRenderedWhileTheOneBeforeItIsStored(t *testing.T) {
	bubble(t, func(w *world) {
		w.held = make(chan struct{})
		defer w.inject()()
		for n := range 5 {
			w.out <- []bus.Delivery{w.insight(0, "one", "a", n), w.insight(0, "all", "", n)}
		}
		w.settle()
		if rendered := w.calls["gather"] - 1; rendered != 2 { // one is the start's
			w.t.Errorf("%d batches are rendered, want one and the next", rendered)
		}
		close(w.held)
		w.settle()
		var put []string
		for _, p := range w.order {
			if p[0] == 'o' {
				put = append(put, p)
			}
		}
		if want := []string{"one.a=[0]", "one.a=[1]", "one.a=[2]", "one.a=[3]", "one.a=[4]"}; !slices.Equal(put, want) {
			w.t.Errorf("put %v, want %v", put, want)
		}
	})
}

func TestInsightsOfAnotherVersionAreLeftAlone(t *testing.T) {
	bubble(t, func(w *world) {
		defer w.inject()()
		foreign := []byte(`{"of":"another shape"}`)
		w.insightOf(version+1, 3, learn.Key{Kind: "all"}, foreign)
		w.out <- []bus.Delivery{w.insightOf(version+1, 0, learn.Key{Kind: "one", ID: "a"}, foreign), w.insight(0, "one", "b", 1), w.insight(1, "all", "", 10)}
		w.holds(map[string]string{"contexts one.b": "[1]", "contexts all": "[10]"})
		if len(w.acked) != 3 {
			w.t.Errorf("%d are acknowledged", len(w.acked))
		}
	})
}

func TestAReplicaThatLacksWhatWasDeliveredIsAskedAgain(t *testing.T) {
	bubble(t, func(w *world) {
		defer w.inject()()
		w.settle()
		w.insight(2, "all", "", 20)
		d := w.insight(1, "all", "", 10)
		w.behind = 3
		w.out <- []bus.Delivery{d}
		w.holds(map[string]string{"contexts all": "[10,20]"})
		if w.behind > 0 {
			w.t.Error("what a replica lacked was not missed")
		}
	})
}

func TestKeysOfSeveralPartitionsAreGatheredTogether(t *testing.T) {
	bubble(t, func(w *world) {
		defer w.inject()()
		w.settle()
		var batch []bus.Delivery
		for i := range 2 * gathered {
			batch = append(batch, w.insight(i%4, "all", fmt.Sprint(i), i), w.insight(5, "all", fmt.Sprint(i), i))
		}
		before := w.calls["gather"]
		w.out <- batch
		if got := len(w.settle()); got != 2*gathered {
			w.t.Errorf("%d contexts", got)
		}
		if calls := w.calls["gather"] - before; calls != 2 {
			w.t.Errorf("asked %d times, want 2", calls)
		}
	})
}

func TestWhatIsNoLongerKnownIsDeleted(t *testing.T) {
	bubble(t, func(w *world) {
		defer w.inject()()
		w.out <- []bus.Delivery{w.insight(0, "one", "a", 1), w.insight(0, "all", "", 1), w.insight(1, "all", "", 2)}
		w.out <- []bus.Delivery{w.insightOf(version, 0, learn.Key{Kind: "one", ID: "a"}, nil), w.insightOf(version, 0, learn.Key{Kind: "all"}, nil)}
		w.holds(map[string]string{"contexts one.a": "", "contexts all": "[2]"})
	})
}

func TestAContextThatNoBucketHoldsHoldsUpNothingElse(t *testing.T) {
	bubble(t, func(w *world) {
		w.unfit = "one.a"
		defer w.inject()()
		w.out <- []bus.Delivery{w.insight(0, "one", "a", 1), w.insight(0, "one", "b", 2), w.mark(0, 100)}
		w.holds(map[string]string{"contexts one.b": "[2]", "settings reflected.0": "100"})
	})
}
