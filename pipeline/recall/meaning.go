package recall

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"learnloop.dev/privacy"
	"learnloop.dev/providers"
	"learnloop.dev/search"
)

// Limits of asking a model what texts mean.
const (
	queryTime   = 3 * time.Second  // for that of a query: somebody waits
	textsTime   = 30 * time.Second // for those of learnings
	textsAtOnce = 32
	mostMissing = 1024 // learnings that wait for the model; others are asked about when they are found again
	restTime    = 10 * time.Second
	longestText = 6000 // bytes of a text that a model is shown
)

// modelWeight is the documented one (001).
const modelWeight = 0.5

// Why meaning has no say, beside what searches note.
const (
	Silent search.Note = "by words alone: the model that tells what texts mean gave no answer"
	Unread search.Note = "by words alone: the model has yet to read what was found; ask again in a moment"
)

// meaning tells by a model what texts mean. Who searches waits for the vector of the
// query alone; those of learnings come from beside, of what was found and had none. One
// search finds out that the model is away; until it is back the others do not wait. It
// is safe for concurrent use.
type meaning struct {
	model   providers.Embedder
	missing chan reading
	knocks  chan string   // a text that the model is asked about to see whether it is back
	rest    time.Duration // after the model gave no answer
	atOnce  int           // texts that the model reads in time; of run alone

	mu      sync.Mutex
	away    bool                 // guarded by mu
	known   vectors              // guarded by mu
	asked   map[digest]bool      // guarded by mu; of what waits
	refused map[digest]time.Time // guarded by mu; of what the model cannot read, until when
}

// digest stands for a text that the model is shown.
type digest [16]byte

func newMeaning(model providers.Embedder) *meaning {
	return &meaning{model: model, missing: make(chan reading, mostMissing), knocks: make(chan string, 1),
		rest: restTime, atOnce: textsAtOnce,
		known: vectors{by: map[digest]search.Vector{}}, asked: map[digest]bool{}, refused: map[digest]time.Time{}}
}

// ofQuery is what a query means; none when the model gave no answer in time, and at
// once while it is away.
func (m *meaning) ofQuery(ctx context.Context, _ *search.Snapshot, text string) search.Vector {
	text = shown(text)
	if m.isAway() {
		select {
		case m.knocks <- text:
		default: // somebody knocks already
		}
		return search.Vector{}
	}
	vectors, err := m.inTime(ctx, text)
	switch {
	case err == nil:
		return vectors[0]
	case ctx.Err() == nil && !blames(err): // else who asked gave up, or asked what cannot be read
		m.setAway(true)
	}
	return search.Vector{}
}

func (m *meaning) inTime(ctx context.Context, text string) ([]search.Vector, error) {
	ctx, cancel := context.WithTimeout(ctx, queryTime)
	defer cancel()
	return m.embed(ctx, text)
}

func (m *meaning) isAway() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.away
}

func (m *meaning) setAway(is bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.away = is
}

// of is what a learning means. One that the model has yet to read has no vector, and
// is read soon.
func (m *meaning) of(_ string, _ uint64, doc func() (search.Doc, bool)) search.Vector {
	d, ok := doc()
	if !ok {
		return search.Vector{}
	}
	text := prose(d)
	sum := sha256.Sum256([]byte(text))
	r := reading{digest(sum[:16]), text}
	m.mu.Lock()
	defer m.mu.Unlock()
	if v, ok := m.known.by[r.digest]; ok {
		return v
	}
	if !m.asked[r.digest] && !time.Now().Before(m.refused[r.digest]) {
		select {
		case m.missing <- r:
			m.asked[r.digest] = true
		default:
		}
	}
	return search.Vector{}
}

// missed says why no match could be compared.
func (m *meaning) missed(query search.Vector) search.Note {
	if len(query.Values) == 0 {
		return Silent
	}
	return Unread
}

// embed asks the model. It is shown redacted texts alone.
func (m *meaning) embed(ctx context.Context, texts ...string) ([]search.Vector, error) {
	safe, err := redacted(texts)
	if err != nil {
		return nil, err
	}
	numbers, err := m.model.Embed(ctx, safe)
	if err != nil {
		return nil, fmt.Errorf("embed %d texts: %w", len(texts), err)
	}
	vectors := make([]search.Vector, len(numbers))
	for i, n := range numbers {
		vectors[i] = search.Quantize(m.model.ID(), n)
	}
	return vectors, nil
}

// blames reports whether it may be for the texts that there is no answer, and not for
// the model, which then would answer about others.
func blames(err error) bool {
	failed, is := errors.AsType[*providers.Error](err)
	return !is || failed.OfQuestion()
}

// redacted takes out of texts what must not leave the process. Those of learnings were
// redacted before they were stored; what somebody searches by was not.
func redacted(texts []string) ([]string, error) {
	all := struct{ Texts []string }{append([]string(nil), texts...)}
	if _, err := privacy.NewTextGuard().Protect(&all); err != nil {
		return nil, err
	}
	return all.Texts, nil
}

// prose is what a model is shown of a learning.
func prose(d search.Doc) string {
	return shown(strings.Join([]string{d.Title, d.Context, d.Observation, d.Implication, d.Action, strings.Join(d.Tags, ", ")}, "\n"))
}

// shown is as much of a text as a model is shown.
func shown(text string) string {
	return strings.ToValidUTF8(text[:min(len(text), longestText)], "")
}
