package store_test

import (
	"errors"
	"sync"
	"testing"

	"learnloop.dev/learn"
	"learnloop.dev/store"
)

func TestAViewStandsStillWhileABatchCommits(t *testing.T) {
	s, _ := openStore(t)
	foldSome(t, s, 1, 3)
	view(t, s, func(v *store.View) {
		foldSome(t, s, 3, 6)
		p := v.Partition(0)
		if got := *count(p, passive, "a"); got != 4 || p.Cursor() != 2 || len(ids(p.Each(learn.Select{}))) != 4 {
			t.Errorf("the view shows %d, cursor %d", got, p.Cursor())
		}
	})
	if got := folded(t, s); got != 5 {
		t.Errorf("%d batches, want 5", got)
	}
}

func TestAViewReturnsTheReadersError(t *testing.T) {
	s, _ := openStore(t)
	want := errors.New("enough")
	if err := s.View(func(*store.View) error { return want }); !errors.Is(err, want) {
		t.Errorf("got %v", err)
	}
}

func TestAViewCannotFold(t *testing.T) {
	s, _ := openStore(t)
	defer func() {
		if recover() == nil {
			t.Error("a view emitted a derived fact")
		}
	}()
	view(t, s, func(v *store.View) { v.Partition(0).Emit(derived("a", false)) })
}

func TestReadersSeeWholeBatchesOnly(t *testing.T) {
	s, _ := openStore(t)
	var readers sync.WaitGroup
	done := make(chan struct{})
	for range 3 {
		readers.Go(func() {
			for {
				folded(t, s)
				for _, m := range s.Dirty() {
					if m.Model != "rules" {
						t.Errorf("mark of %s", m.Model)
					}
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	foldSome(t, s, 1, 60)
	close(done)
	readers.Wait()
}
