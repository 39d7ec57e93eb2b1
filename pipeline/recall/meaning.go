package recall

import (
	"context"
	"crypto/sha256"
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
// query alone; those of learnings come from beside, of what was found and had none. It
// is safe for concurrent use.
type meaning struct {
	model   providers.Embedder
	missing chan reading
	rest    time.Duration // after the model gave no answer

	mu    sync.Mutex
	known map[digest]search.Vector // guarded by mu
	asked map[digest]bool          // guarded by mu; of what waits
}

// digest stands for a text that the model is shown.
type digest [16]byte

// reading is a text that the model has yet to read.
type reading struct {
	digest digest
	text   string
}

func newMeaning(model providers.Embedder) *meaning {
	return &meaning{model: model, missing: make(chan reading, mostMissing), rest: restTime,
		known: map[digest]search.Vector{}, asked: map[digest]bool{}}
}

// ofQuery is what a query means; none when the model gave no answer in time.
func (m *meaning) ofQuery(ctx context.Context, _ *search.Snapshot, text string) search.Blend {
	ctx, cancel := context.WithTimeout(ctx, queryTime)
	defer cancel()
	vectors, err := m.embed(ctx, text)
	if err != nil {
		return search.Blend{}
	}
	return search.Blend{Query: vectors[0], Weight: modelWeight}
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
	if v, ok := m.known[r.digest]; ok {
		return v
	}
	if !m.asked[r.digest] {
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

// run has the model read what is missing, until the context ends.
func (m *meaning) run(ctx context.Context) {
	for {
		batch := m.next(ctx)
		if len(batch) == 0 {
			return
		}
		if err := m.read(ctx, batch); err != nil && !wait(ctx, m.rest) {
			return
		}
	}
}

// next waits for something to read, and takes what else is there; nothing when the
// context has ended.
func (m *meaning) next(ctx context.Context) (batch []reading) {
	select {
	case <-ctx.Done():
		return nil
	case r := <-m.missing:
		batch = append(batch, r)
	}
	for len(batch) < textsAtOnce {
		select {
		case r := <-m.missing:
			batch = append(batch, r)
		default:
			return batch
		}
	}
	return batch
}

// read asks for the vectors of a batch. What it gets none for is asked about when it is
// found again.
func (m *meaning) read(ctx context.Context, batch []reading) error {
	ctx, cancel := context.WithTimeout(ctx, textsTime)
	defer cancel()
	texts := make([]string, len(batch))
	for i, r := range batch {
		texts[i] = r.text
	}
	vectors, err := m.embed(ctx, texts...)
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, r := range batch {
		delete(m.asked, r.digest)
		if err == nil {
			m.remember(r.digest, vectors[i])
		}
	}
	return err
}

// remember keeps a vector, in the place of any other when there are too many.
func (m *meaning) remember(d digest, v search.Vector) {
	if len(m.known) >= mostVectors {
		for other := range m.known {
			delete(m.known, other)
			break
		}
	}
	m.known[d] = v
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
	text := strings.Join([]string{d.Title, d.Context, d.Observation, d.Implication, d.Action, strings.Join(d.Tags, ", ")}, "\n")
	return strings.ToValidUTF8(text[:min(len(text), longestText)], "")
}

// wait reports whether a time has passed before the context ended.
func wait(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}
