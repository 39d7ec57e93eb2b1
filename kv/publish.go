package kv

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const inFlight = 64 // requests that wait for their answers at the same time

// publish writes the entries and returns those that the bucket took, and those
// it did not take because another writer had changed their keys.
func (w *Writer) publish(ctx context.Context, entries []Entry) (taken []Change, contended []Entry, err error) {
	for len(entries) > 0 && err == nil {
		chunk := entries[:min(len(entries), batchSize)]
		entries = entries[len(chunk):]
		var some []Change
		var lost []Entry
		if w.atomic && len(chunk) > few {
			some, lost, err = w.together(ctx, chunk)
		} else {
			some, lost, err = w.singly(ctx, chunk)
		}
		taken = append(taken, some...)
		contended = append(contended, lost...)
	}
	return taken, contended, err
}

// message is the entry, to be refused when the key is no longer what the entry
// was judged by. The reader may know more by now; asking it here would let an
// older insight replace one that arrived in between.
func (w *Writer) message(e Entry) *nats.Msg {
	return e.message(w.reader.feed.bucket, w.known[e.Key].revision)
}

// wrote remembers an entry that the bucket has taken.
func (w *Writer) wrote(e Entry, revision uint64) Change {
	delete(w.confirmed, e.Key)
	w.learn(stored{key: e.Key, value: e.Value, revision: revision, insight: e.Insight})
	return Change{e.Key, revision}
}

// singly writes each entry by itself, many at a time.
func (w *Writer) singly(ctx context.Context, entries []Entry) (taken []Change, refused []Entry, err error) {
	messages := make([]*nats.Msg, len(entries))
	for i, e := range entries {
		messages[i] = w.message(e)
	}
	revisions := make([]uint64, len(entries)) // 0: not stored
	err = concurrently(len(entries), func(i int) error {
		ack, err := w.reader.feed.js.PublishMsg(ctx, messages[i])
		if err == nil {
			revisions[i] = ack.Sequence
		}
		if conflict(err) {
			return nil
		}
		return err
	})
	for i, e := range entries {
		if revisions[i] == 0 {
			refused = append(refused, e)
			continue
		}
		taken = append(taken, w.wrote(e, revisions[i]))
	}
	return taken, refused, err
}

// conflict reports whether the server refused an outdated revision. Replicated
// streams have a code of their own for it.
func conflict(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && (api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence ||
		api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant)
}

// reread learns what the bucket holds under the keys of the entries now.
func (w *Writer) reread(ctx context.Context, entries []Entry, wait time.Duration) error {
	if err := rest(ctx, wait); err != nil {
		return err
	}
	found := make([]stored, len(entries))
	err := concurrently(len(entries), func(i int) error {
		key := entries[i].Key
		m, err := w.stream.GetLastMsgForSubject(ctx, subject(w.reader.feed.bucket, key))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			found[i] = stored{key: key}
			return nil
		}
		if err != nil {
			return err
		}
		found[i] = fetched(key, m)
		return nil
	})
	if err != nil {
		return err
	}
	for _, s := range found {
		if s.revision == 0 || s.revision > w.known[s.key].revision {
			w.learn(s)
		}
	}
	return nil
}

// concurrently calls do for 0 to n-1, a bounded number at a time, waits for all
// and returns one of their errors.
func concurrently(n int, do func(int) error) error {
	var group sync.WaitGroup
	errs := make([]error, n)
	next := make(chan int)
	for range min(n, inFlight) {
		group.Go(func() {
			for i := range next {
				errs[i] = do(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
