package ingest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"learnloop.dev/bus"

	"github.com/go-json-experiment/json"
)

// Owners is the bucket that tells whom exchanges belong to, and where feedback
// waits until that is known. The first owner that is put stays: whoever puts
// later finds the one before, so that no feedback is given to two.
type Owners interface {
	Find(ctx context.Context, patterns ...string) ([]bus.Cell, error)
	Put(ctx context.Context, cells []bus.Cell) error
	Remove(ctx context.Context, c bus.Cell) error
}

const (
	ownedFor  = 7 * 24 * time.Hour // how long the owner of an exchange is remembered
	waitsFor  = 10 * time.Minute   // how long feedback waits for its exchange
	lookEvery = 15 * time.Second   // for feedback that has waited long enough
	together  = 100                // exchanges that are looked up at once
	tries     = 8                  // to change what others change too
)

// settle puts the owners that exchanges name, releases what waited for them, and
// adds feedback whose owner is known to the messages; the rest waits. What is
// settled leaves the outcome, so that trying again goes on where it failed.
func (s Stage) settle(ctx context.Context, out *outcome) error {
	for len(out.claims) > 0 {
		some := out.claims[:min(len(out.claims), together)]
		if err := s.own(ctx, some); err != nil {
			return fmt.Errorf("put owners of exchanges: %w", err)
		}
		out.claims = out.claims[len(some):]
	}
	for len(out.homeless) > 0 {
		some := out.homeless[:min(len(out.homeless), together)]
		if err := s.house(ctx, some, out); err != nil {
			return fmt.Errorf("look for owners of exchanges: %w", err)
		}
		out.homeless = out.homeless[len(some):]
	}
	return nil
}

// own makes claims that nobody made before, and releases what waited for the
// exchanges.
func (s Stage) own(ctx context.Context, claims []claim) error {
	if len(claims) == 0 {
		return nil
	}
	names := make([]string, len(claims))
	for i, c := range claims {
		names[i] = c.exchange
	}
	var owners map[string]Owner
	err := fenced(func() (err error) {
		if owners, err = s.owners(ctx, names); err != nil {
			return err
		}
		var cells []bus.Cell
		for _, c := range claims {
			if _, known := owners[c.exchange]; known {
				continue
			}
			owners[c.exchange] = c.owner
			cell, err := c.cell()
			if err != nil {
				return err
			}
			cells = append(cells, cell)
		}
		return s.Owners.Put(ctx, cells)
	})
	if err != nil {
		return err
	}
	return s.release(ctx, owners)
}

// fenced tries again what somebody else came before.
func fenced(do func() error) (err error) {
	for range tries {
		if err = do(); !errors.Is(err, bus.ErrFenced) {
			return err
		}
	}
	return err
}

// owners returns the owners of exchanges, as far as they are known.
func (s Stage) owners(ctx context.Context, exchanges []string) (map[string]Owner, error) {
	keys := make([]string, len(exchanges))
	byKey := make(map[string]string, len(exchanges))
	for i, name := range exchanges {
		keys[i] = ownerKey(name)
		byKey[keys[i]] = name
	}
	cells, err := s.Owners.Find(ctx, keys...)
	if err != nil {
		return nil, err
	}
	owners := make(map[string]Owner, len(cells))
	for _, c := range cells {
		var o Owner
		if json.Unmarshal(c.Value, &o) == nil && o.Group != "" {
			owners[byKey[c.Key]] = o
		} else if err := s.Owners.Remove(ctx, c); err != nil { // nobody can read it: as if it were not there
			return nil, err
		}
	}
	return owners, nil
}

// house adds feedback whose owner is known to the messages of an outcome, and
// parks the rest. What is parked is looked at once more: its exchange may have
// come in the meantime, and have found nothing that waits.
func (s Stage) house(ctx context.Context, homeless []waiting, out *outcome) error {
	var r residents
	err := fenced(func() (err error) {
		if r, err = s.accommodate(ctx, homeless); err != nil {
			return err
		}
		return s.Owners.Put(ctx, r.cells)
	})
	if err == nil && len(r.parked) > 0 {
		var owners map[string]Owner
		if owners, err = s.owners(ctx, r.parked); err == nil {
			err = s.release(ctx, owners)
		}
	}
	if err != nil {
		return err
	}
	out.messages = append(out.messages, r.messages...)
	for replay, counts := range r.judged {
		out.judged.add(replay, counts)
	}
	for range r.again {
		s.Observe.Declined(stageName, "duplicate")
	}
	for range r.unwanted {
		s.Observe.Declined(stageName, optOut)
	}
	return nil
}

// residents are where feedback belongs that names only its exchange.
type residents struct {
	messages []bus.Message // of what has an owner
	cells    []bus.Cell    // to be put for what has none
	parked   []string      // exchanges without an owner
	again    int           // what is parked already
	unwanted int           // what its owner does not want kept
	judged   judged
}

func (s Stage) accommodate(ctx context.Context, homeless []waiting) (r residents, err error) {
	known, err := s.lookUp(ctx, homeless)
	if err != nil {
		return r, err
	}
	for _, w := range homeless {
		if o, ok := known.owners[w.Exchange]; ok {
			if !s.House.keeps(w, o) {
				r.unwanted++
				r.judged.add(w.Replay, Judged{Declined: 1})
				continue
			}
			m, err := s.House.deliver(w, o)
			if err != nil {
				return r, err
			}
			r.messages = append(r.messages, m)
			continue
		}
		r.parked = append(r.parked, w.Exchange)
		if known.waiting[w.key()] {
			r.again++
			r.judged.add(w.Replay, Judged{Declined: 1})
			continue
		}
		known.waiting[w.key()] = true
		c, err := w.cell(s.Now())
		if err != nil {
			return r, err
		}
		r.cells = append(r.cells, c)
		r.judged.add(w.Replay, Judged{Waiting: 1})
	}
	return r, nil
}

// knowledge is what the bucket says about feedback that names only its exchange.
type knowledge struct {
	owners  map[string]Owner // by exchange
	waiting map[string]bool  // keys of what is parked already
}

func (s Stage) lookUp(ctx context.Context, homeless []waiting) (k knowledge, err error) {
	exchanges, keys := make([]string, len(homeless)), make([]string, len(homeless))
	for i, w := range homeless {
		exchanges[i], keys[i] = w.Exchange, w.key()
	}
	if k.owners, err = s.owners(ctx, exchanges); err != nil {
		return k, err
	}
	cells, err := s.Owners.Find(ctx, keys...)
	k.waiting = make(map[string]bool, len(cells))
	for _, c := range cells {
		k.waiting[c.Key] = true
	}
	return k, err
}
