package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"learnloop.dev/bus"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"
)

// broadcast tells one listener what changes. However slowly the listener reads, no more is
// kept than one event per topic.
type broadcast struct {
	js       jetstream.JetStream
	topics   []topic
	licensed func(kind string) error
	enter    func() (leave func(), ok bool) // takes a place among the listeners
	closing  <-chan struct{}                // closed when the loop ends

	mu   sync.Mutex
	at   places                  // guarded by mu; up to where news are complete
	news map[string]*ChangedKeys // guarded by mu; by topic
}

var (
	errClosing = errors.New("the loop ends")
	errGone    = errors.New("the listener has gone")
)

// run tells changes until the listener or the loop has gone.
func (b *broadcast) run(ctx context.Context, w io.Writer) error {
	leave, ok := b.enter()
	if !ok {
		_, err := io.WriteString(w, "retry: 10000\n\n") // come again when others have gone
		return err
	}
	defer leave()
	gone := ctx.Done()
	g, ctx := errgroup.WithContext(ctx)
	woken := make(chan struct{}, 1)
	from := maps.Clone(b.at)
	for _, t := range b.topics {
		g.Go(func() error { return b.follow(ctx, t, from[t.name]+1, woken) })
	}
	g.Go(func() error { return b.tell(ctx, w, woken) })
	err := g.Wait()
	select {
	case <-gone: // whoever noticed it first
		return nil
	default:
	}
	if errors.Is(err, errClosing) || errors.Is(err, errGone) {
		return nil
	}
	return err
}

// follow notes what changes in one topic, from a sequence on.
func (b *broadcast) follow(ctx context.Context, t topic, from uint64, woken chan<- struct{}) error {
	log := bus.ReadLog(b.js, t.stream, from, t.filters...)
	defer log.Close()
	for {
		entries, err := log.Next(ctx)
		if err != nil {
			return fmt.Errorf("follow %s: %w", t.name, err)
		}
		b.note(t, entries)
		select {
		case woken <- struct{}{}:
		default:
		}
	}
}

// note adds what changed to what is to be told.
func (b *broadcast) note(t topic, entries []bus.Entry) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range entries {
		c := t.read(e)
		if t.stream == contextStream && b.licensed(c.Kind) != nil {
			continue
		}
		if b.news[t.name] == nil {
			b.news[t.name] = &ChangedKeys{}
		}
		b.news[t.name].add(c)
	}
	b.at[t.name] = entries[len(entries)-1].Seq
}

// add lists a change once, and as it is at last.
func (k *ChangedKeys) add(c Changed) {
	i := slices.IndexFunc(k.Changes, func(o Changed) bool { return o.Key == c.Key })
	switch {
	case i >= 0:
		k.Changes[i] = c
	case len(k.Changes) < mostTold:
		k.Changes = append(k.Changes, c)
	default:
		k.More = true
	}
}

// take returns what is to be told, and up to where it is complete.
func (b *broadcast) take() (map[string]*ChangedKeys, places) {
	b.mu.Lock()
	defer b.mu.Unlock()
	news := b.news
	b.news = map[string]*ChangedKeys{}
	return news, maps.Clone(b.at)
}

// tell writes events as there are news.
func (b *broadcast) tell(ctx context.Context, w io.Writer, woken <-chan struct{}) error {
	_, told := b.take() // nothing yet
	if _, err := fmt.Fprintf(w, "retry: 2000\nid: %s\n\n", told); err != nil {
		return errGone
	}
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		select {
		case <-ctx.Done():
			return errGone
		case <-b.closing:
			return errClosing
		case <-beat.C:
			if _, err := io.WriteString(w, ":\n\n"); err != nil {
				return errGone
			}
		case <-woken:
			if err := b.settle(ctx); err != nil {
				return err
			}
			if err := b.write(w, told); err != nil {
				return errGone
			}
		}
	}
}

// settle lets more changes come.
func (b *broadcast) settle(ctx context.Context) error {
	pause := time.NewTimer(settling)
	defer pause.Stop()
	select {
	case <-ctx.Done():
		return errGone
	case <-b.closing:
		return errClosing
	case <-pause.C:
		return nil
	}
}

// write tells what is new. The id of an event says what the listener knows then.
func (b *broadcast) write(w io.Writer, told places) error {
	news, at := b.take()
	for _, name := range slices.Sorted(maps.Keys(news)) {
		told[name] = at[name]
		data, err := json.Marshal(news[name])
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "id: %s\nevent: %s\ndata: %s\n\n", told, name, data); err != nil {
			return err
		}
	}
	return nil
}
