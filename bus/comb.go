package bus

import (
	"context"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// Comb hands every message of a stream to take, in order, as far as the stream went when it was called.
func Comb(ctx context.Context, js jetstream.JetStream, stream string, take func(Entry) error) error {
	s, err := js.Stream(ctx, stream)
	if err != nil {
		return fmt.Errorf("comb %s: %w", stream, err)
	}
	state := s.CachedInfo().State
	if state.Msgs == 0 {
		return nil
	}
	log := ReadLog(js, stream, state.FirstSeq)
	defer log.Close()
	for done := false; !done; {
		var entries []Entry
		if entries, done, err = log.upToDate(ctx); err != nil {
			return fmt.Errorf("comb %s: %w", stream, err)
		}
		for _, e := range entries {
			if e.Seq > state.LastSeq {
				return nil
			}
			if err := take(e); err != nil {
				return fmt.Errorf("comb %s: %w", stream, err)
			}
		}
		if n := len(entries); n > 0 && entries[n-1].Seq >= state.LastSeq {
			return nil
		}
	}
	return nil
}

// Streams lists the streams there are, buckets among them, by name.
func Streams(ctx context.Context, js jetstream.JetStream) (names []string, err error) {
	list := js.StreamNames(ctx)
	for name := range list.Name() {
		names = append(names, name)
	}
	if err := list.Err(); err != nil {
		return nil, fmt.Errorf("list streams: %w", err)
	}
	return names, nil
}

// EraseMsgs deletes messages that were found in a stream, from buckets too, whose messages go by key: then
// with all that the key held before.
func EraseMsgs(ctx context.Context, js jetstream.JetStream, stream string, found []Entry) error {
	s, err := js.Stream(ctx, stream)
	if err != nil {
		return fmt.Errorf("erase from %s: %w", stream, err)
	}
	if s.CachedInfo().Config.DenyDelete {
		for _, e := range found {
			if err := PurgeUpTo(ctx, js, Purge{stream, e.Subject, e.Seq}); err != nil {
				return err
			}
		}
		return nil
	}
	seqs := make([]uint64, len(found))
	for i, e := range found {
		seqs[i] = e.Seq
	}
	return DeleteMsgs(ctx, js, stream, seqs)
}

// Emptied reports whether a stream holds nothing of what it held up to a sequence.
func Emptied(ctx context.Context, js jetstream.JetStream, stream string, upTo uint64) (bool, error) {
	s, err := js.Stream(ctx, stream)
	if err != nil {
		return false, fmt.Errorf("look up stream %s: %w", stream, err)
	}
	state := s.CachedInfo().State
	return state.Msgs == 0 || state.FirstSeq > upTo, nil
}
