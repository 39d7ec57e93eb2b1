package recall

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"learnloop.dev/learn/learnings"
	"learnloop.dev/providers"
	"learnloop.dev/search"
)

// thinker is a model to which cars and automobiles are the same.
type thinker struct {
	mu    sync.Mutex
	shown []string // guarded by mu
	asked []int    // guarded by mu; how many texts each question was about
	fails error
	lazy  error         // guarded by mu; about learnings
	slow  time.Duration // guarded by mu
	each  time.Duration // for each text
	hates string
	over  error // what it hates
}

// change has the model do otherwise from now on.
func (th *thinker) change(to func(th *thinker)) {
	th.mu.Lock()
	defer th.mu.Unlock()
	to(th)
}

// questions are how many texts each question was about.
func (th *thinker) questions() []int {
	th.mu.Lock()
	defer th.mu.Unlock()
	return slices.Clone(th.asked)
}

// saw are the texts that it was shown.
func (th *thinker) saw() []string {
	th.mu.Lock()
	defer th.mu.Unlock()
	return slices.Clone(th.shown)
}

func why(w providers.Why, status int) error {
	return &providers.Error{Who: "thinker", Why: w, Status: status}
}

func (*thinker) ID() string { return "thinker/2" }

func (*thinker) Dim() int { return 2 }

func (th *thinker) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	th.mu.Lock()
	th.asked = append(th.asked, len(texts))
	takes := th.slow + time.Duration(len(texts))*th.each
	th.mu.Unlock()
	if !wait(ctx, takes) {
		return nil, why(providers.Late, 0)
	}
	th.mu.Lock()
	defer th.mu.Unlock()
	if th.hates != "" && strings.Contains(strings.Join(texts, "\n"), th.hates) {
		return nil, th.over
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
	for name, model := range map[string]*thinker{"fails": {fails: why(providers.Unreachable, 0)}, "slow": {slow: time.Hour}} {
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
		model := &thinker{lazy: why(providers.Unreachable, 0)}
		s := thoughtful(t, model, bus, vehicle)
		s.Search(t.Context(), about)
		synctest.Wait()
		if found := s.Search(t.Context(), about); found.Note != Unread {
			t.Errorf("%v, %q", order(found), found.Note)
		}
		model.change(func(th *thinker) { th.lazy = nil })
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

// remembers is how many texts are known.
func (m *meaning) remembers() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.known.by)
}

// repairs are n learnings that one search finds.
func repairs(n int) (all []learnings.Learning) {
	for i := range n {
		all = append(all, lesson(fmt.Sprintf("learn_%02d", i), fmt.Sprintf("Repair of number %d", i)))
	}
	return all
}

func TestATextThatTheModelCannotReadKeepsNoOtherUnread(t *testing.T) {
	for name, over := range map[string]error{
		"rejected": why(providers.Rejected, 400), "too long": why(providers.Rejected, 413), "failed over": why(providers.Broken, 500),
		"answered otherwise": why(providers.Unusable, 0),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				model := &thinker{hates: "number 7", over: over}
				s := thoughtful(t, model, repairs(32)...)
				for range 3 { // some servers do not say that it is for the text, and are left alone at times
					s.Search(t.Context(), about)
					wait(t.Context(), 2*restTime)
				}
				before := len(model.questions())
				if found := s.Search(t.Context(), about); found.Note != search.ByRank || s.model.remembers() != 31 {
					t.Errorf("%d of 32 are read, and one was refused: %q", s.model.remembers(), found.Note)
				}
				// Each text alone if they come so, halving, queries, and the bad one once more a round.
				const most = 32 + 2*5 + 3 + 3
				if synctest.Wait(); len(model.questions()) != before+1 || before > most { // for the query
					t.Errorf("after %d questions what was refused is asked about again: %v", before, model.questions())
				}
				model.change(func(th *thinker) { th.hates = "" })
				wait(t.Context(), refusedTime)
				s.Search(t.Context(), about)
				synctest.Wait()
				if found := s.Search(t.Context(), about); found.Note != "" {
					t.Errorf("later it can be read: %q", found.Note)
				}
			})
		})
	}
}

func TestOneSearchWaitsForAModelThatIsAwayAndNoOtherUntilItIsBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := &thinker{slow: time.Hour}
		s := thoughtful(t, model, bus, vehicle)
		s.Search(t.Context(), together)
		began := time.Now()
		for range 100 {
			if found := s.Search(t.Context(), together); found.Note != Silent || len(found.All) != 2 {
				t.Fatalf("%v, %q", order(found), found.Note)
			}
			wait(t.Context(), time.Second)
		}
		if waited := time.Since(began) - 100*time.Second; waited > 0 {
			t.Errorf("searches waited %v for a model that is away", waited)
		}
		if asked := len(model.questions()); asked > 10 {
			t.Errorf("the model was asked %d times within 100 seconds", asked)
		}
		model.change(func(th *thinker) { th.slow = 0 })
		s.Search(t.Context(), together)
		wait(t.Context(), 2*restTime) // the model is back, and read nothing yet
		s.Search(t.Context(), together)
		synctest.Wait()
		if found := s.Search(t.Context(), together); order(found)[0] != "learn_car" || found.Note != "" {
			t.Errorf("%v, %q", order(found), found.Note)
		}
	})
}

func TestAQueryThatTheModelRefusesOrNobodyWaitsForTakesNobodyElsesMeaning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := &thinker{hates: "repair the zebra", over: why(providers.Rejected, 400)}
		s := thoughtful(t, model, bus, vehicle)
		s.Search(t.Context(), about)
		synctest.Wait()
		refused := Query{Query: search.Query{Text: "repair the zebra"}, Strategy: ByMeaning}
		if found := s.Search(t.Context(), refused); found.Note != Silent {
			t.Errorf("what the model refuses: %q", found.Note)
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		s.Search(gone, about)
		if found := s.Search(t.Context(), about); found.Note != "" {
			t.Errorf("another query: %q", found.Note)
		}
	})
}

func TestTheModelIsNotAskedWhereWordsFindNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := &thinker{}
		s := thoughtful(t, model, bus, vehicle)
		for _, text := range []string{"zebra", "the of and", ""} {
			if found := s.Search(t.Context(), Query{Query: search.Query{Text: text}, Strategy: ByBoth}); found.Note == "" || len(model.questions()) > 0 {
				t.Errorf("%q: %q, asked %d times", text, found.Note, len(model.questions()))
			}
		}
	})
}

func TestALongQueryIsCutForTheModel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := &thinker{}
		s := thoughtful(t, model, bus)
		s.Search(t.Context(), Query{Query: search.Query{Text: "repair " + strings.Repeat("ü", longestText)}, Strategy: ByMeaning})
		if n := len(model.saw()[0]); n > longestText {
			t.Errorf("the model was shown %d bytes", n)
		}
	})
}

func TestASlowModelIsGivenAsMuchAsItReadsInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := &thinker{each: 2 * time.Second} // 15 texts within the time
		s := thoughtful(t, model, repairs(32)...)
		for range 12 {
			s.Search(t.Context(), about)
			wait(t.Context(), time.Minute)
		}
		if found := s.Search(t.Context(), about); found.Note != "" {
			t.Errorf("%q, asked about %v at once", found.Note, model.questions())
		}
	})
}

func TestWhatModelsTellTakesOnlySoMuchMemory(t *testing.T) {
	kept := vectors{by: map[digest]search.Vector{}}
	wide := search.Vector{Embedder: "m", Values: make([]int8, 1<<20)}
	for i := range 200 {
		kept.keep(digest{byte(i)}, wide)
		kept.keep(digest{byte(i)}, wide)
	}
	if n := len(kept.by); n != 63 || kept.bytes != 63*size(wide) {
		t.Errorf("%d vectors of a megabyte are kept, as %d bytes", n, kept.bytes)
	}
	kept.drop(digest{199})
	if kept.keep(digest{1, 1}, search.Vector{}); kept.bytes != 62*size(wide)+asEntry {
		t.Errorf("%d vectors, as %d bytes", len(kept.by), kept.bytes)
	}
}
