package recall

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"learnloop.dev/learn/learnings"
	"learnloop.dev/search"
)

// thinker is a model to which cars and automobiles are the same.
type thinker struct {
	mu    sync.Mutex
	shown []string // guarded by mu
	fails error
	lazy  error // guarded by mu; about learnings
	slow  time.Duration
}

func (*thinker) ID() string { return "thinker/2" }

func (*thinker) Dim() int { return 2 }

func (th *thinker) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	th.mu.Lock()
	defer th.mu.Unlock()
	if !wait(ctx, th.slow) {
		return nil, ctx.Err()
	}
	if th.fails != nil {
		return nil, th.fails
	}
	if th.lazy != nil && strings.HasPrefix(texts[0], "Repair of") {
		return nil, th.lazy
	}
	th.shown = append(th.shown, texts...)
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		vectors[i] = []float32{1, 0}
		if strings.Contains(text, "car") || strings.Contains(text, "automobile") {
			vectors[i] = []float32{0, 1}
		}
	}
	return vectors, nil
}

// thoughtful has a shelf whose meaning comes from a model live until the test ends, in
// a bubble of its own time.
func thoughtful(t *testing.T, model *thinker, all ...learnings.Learning) *Shelf {
	t.Helper()
	s := shelved(t, all...)
	s.Ask(model)
	ctx, cancel := context.WithCancel(t.Context())
	var done sync.WaitGroup
	done.Go(func() { s.model.run(ctx) })
	t.Cleanup(func() { cancel(); done.Wait() })
	return s
}

var (
	bus      = lesson("learn_bus", "Repair of the bus")
	vehicle  = lesson("learn_car", "Repair of the car")
	about    = Query{Query: search.Query{Text: "repair the automobile"}, Strategy: ByMeaning}
	together = Query{Query: search.Query{Text: "repair the automobile"}, Strategy: ByBoth}
)

func order(f Finds) (ids []string) {
	for _, found := range f.All {
		ids = append(ids, found.Learning.ID)
	}
	return ids
}

func TestAModelTellsWhatIsMeantOnceItHasReadWhatWasFound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := &thinker{}
		s := thoughtful(t, model, bus, vehicle)
		if first := s.Search(t.Context(), about); first.Note != Unread || len(first.All) != 2 {
			t.Errorf("before anything was read: %v, %q", order(first), first.Note)
		}
		synctest.Wait()
		for _, q := range []Query{about, together} {
			if found := s.Search(t.Context(), q); order(found)[0] != "learn_car" || found.Note != "" {
				t.Errorf("%s: %v, %q", q.Strategy, order(found), found.Note)
			}
		}
		if asked := len(model.shown); asked != 5 { // three queries, two learnings
			t.Errorf("the model was shown %d texts", asked)
		}
	})
}

func TestAModelThatFailsOrIsSlowLeavesItToWords(t *testing.T) {
	for name, model := range map[string]*thinker{"fails": {fails: errors.New("away")}, "slow": {slow: time.Hour}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := thoughtful(t, model, bus, vehicle)
				words := order(s.Search(t.Context(), Query{Query: about.Query}))
				began := time.Now()
				found := s.Search(t.Context(), together)
				if found.Note != Silent || !slices.Equal(order(found), words) || time.Since(began) > queryTime {
					t.Errorf("%v after %v, %q; by words %v", order(found), time.Since(began), found.Note, words)
				}
			})
		})
	}
}

func TestAModelIsAskedAgainWhenItComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := &thinker{lazy: errors.New("away")}
		s := thoughtful(t, model, bus, vehicle)
		s.Search(t.Context(), about)
		synctest.Wait()
		if found := s.Search(t.Context(), about); found.Note != Unread {
			t.Errorf("%v, %q", order(found), found.Note)
		}
		model.mu.Lock()
		model.lazy = nil
		model.mu.Unlock()
		wait(t.Context(), 2*restTime)
		s.Search(t.Context(), about)
		synctest.Wait()
		if found := s.Search(t.Context(), about); order(found)[0] != "learn_car" || found.Note != "" {
			t.Errorf("%v, %q", order(found), found.Note)
		}
	})
}

func TestAModelIsShownRedactedTextsAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := &thinker{}
		leaky := vehicle
		leaky.Action = "Write to jane.roe@example.com"
		s := thoughtful(t, model, leaky)
		s.Search(t.Context(), Query{Query: search.Query{Text: "repair for bob@example.com"}, Strategy: ByMeaning})
		synctest.Wait()
		if shown := strings.Join(model.shown, "\n"); strings.Contains(shown, "@example.com") || strings.Count(shown, "[EMAIL_1]") != 2 {
			t.Errorf("the model was shown %q", shown)
		}
	})
}

func TestAVoteDoesNotHaveALearningReadAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := &thinker{}
		s := thoughtful(t, model, vehicle)
		s.Search(t.Context(), about)
		synctest.Wait()
		voted := vehicle
		voted.Confidence, voted.TimesHelpful = 0.75, 1
		e := entry(t, voted)
		e.Revision = 2
		s.entries.(desk).entries[e.Key] = e
		s.Search(t.Context(), about)
		synctest.Wait()
		if n := len(model.shown); n != 3 { // two queries, one learning
			t.Errorf("the model was shown %d texts", n)
		}
	})
}
