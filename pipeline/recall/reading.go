package recall

import (
	"context"
	"errors"
	"time"

	"learnloop.dev/providers"
	"learnloop.dev/search"
)

// reading is a text that the model has yet to read.
type reading struct {
	digest digest
	text   string
}

// Limits of what the model could not read.
const (
	refusedTime = 10 * time.Minute // until it is asked again
	mostRefused = 1 << 14
)

// run has the model read what is missing, and sees whether it is back, until the context
// ends.
func (m *meaning) run(ctx context.Context) {
	for {
		var err error
		select {
		case <-ctx.Done():
			return
		case text := <-m.knocks:
			err = m.knock(ctx, text)
		case r := <-m.missing:
			err = m.read(ctx, m.with(r))
		}
		if err != nil && !wait(ctx, m.rest) {
			return
		}
	}
}

// knock sees whether a model that was away answers what somebody searched by.
func (m *meaning) knock(ctx context.Context, text string) error {
	_, err := m.inTime(ctx, text)
	if err != nil && !blames(err) {
		return err
	}
	m.setAway(false)
	return nil
}

// with is a reading and what else is there to read, as many as the model can at once.
func (m *meaning) with(r reading) []reading {
	batch := []reading{r}
	for len(batch) < m.atOnce {
		select {
		case r := <-m.missing:
			batch = append(batch, r)
		default:
			return batch
		}
	}
	return batch
}

// read asks for the vectors of a batch. Where the model may have stumbled over one of
// the texts, it is asked about halves, until that text stands alone and is left out. What
// there is no answer about is asked about when it is found again.
func (m *meaning) read(ctx context.Context, batch []reading) error {
	vectors, err := m.ofTexts(ctx, batch)
	switch {
	case err == nil:
		m.learn(batch, vectors)
		return nil
	case !blames(err):
		m.giveUp(batch, err)
		return err
	case len(batch) == 1:
		m.refuse(batch[0])
		return lasting(err)
	}
	half := len(batch) / 2
	if err := m.read(ctx, batch[:half]); err != nil {
		m.giveUp(batch[half:], err)
		return err
	}
	return m.read(ctx, batch[half:])
}

func (m *meaning) ofTexts(ctx context.Context, batch []reading) ([]search.Vector, error) {
	ctx, cancel := context.WithTimeout(ctx, textsTime)
	defer cancel()
	texts := make([]string, len(batch))
	for i, r := range batch {
		texts[i] = r.text
	}
	return m.embed(ctx, texts...)
}

// lasting is the error where it may be of the model after all, none where it is of the
// text for sure.
func lasting(err error) error {
	if failed, is := errors.AsType[*providers.Error](err); is && failed.Why != providers.Rejected {
		return err
	}
	return nil
}

// learn keeps what texts mean. A model that has read all in time is given one more.
func (m *meaning) learn(batch []reading, vectors []search.Vector) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, r := range batch {
		delete(m.asked, r.digest)
		m.known.keep(r.digest, vectors[i])
	}
	if len(batch) == m.atOnce {
		m.atOnce = min(m.atOnce+1, textsAtOnce)
	}
}

// giveUp leaves texts unread. A model that took too long is given half as many.
func (m *meaning) giveUp(batch []reading, why error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range batch {
		delete(m.asked, r.digest)
	}
	if failed, is := errors.AsType[*providers.Error](why); is && failed.Why == providers.Late {
		m.atOnce = max(min(m.atOnce, len(batch)/2), 1)
	}
}

// refuse leaves a text alone that the model cannot read, for a while.
func (m *meaning) refuse(r reading) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.asked, r.digest)
	if len(m.refused) >= mostRefused {
		clear(m.refused)
	}
	m.refused[r.digest] = time.Now().Add(refusedTime)
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
