package bus

import (
	"context"

	"github.com/nats-io/nats.go/jetstream"
)

// Follower reads a stream in order and without gaps, as Log does; but what an Appender of this process
// has just stored it gets from there. One goroutine uses it.
type Follower struct {
	js     jetstream.JetStream
	stream string
	tap    *Tap
	next   uint64  // sequence to be returned next, or a later one if that is deleted
	log    *Log    // nil while the tap has everything
	held   []Entry // from the tap, behind a gap
}

// Follow reads the entries of a stream from a sequence on. Close it when done.
func Follow(js jetstream.JetStream, stream string, from uint64, tap *Tap) *Follower {
	from = max(from, 1)
	return &Follower{js: js, stream: stream, tap: tap, next: from, log: ReadLog(js, stream, from)}
}

// Next blocks until there are entries and returns what is there. It fails like Log.Next.
func (f *Follower) Next(ctx context.Context) ([]Entry, error) {
	for {
		batch, err := f.read(ctx)
		if err != nil || len(batch) > 0 {
			return batch, err
		}
	}
}

// read returns entries that follow on those before, or none.
func (f *Follower) read(ctx context.Context) ([]Entry, error) {
	if f.log != nil {
		return f.catchUp(ctx)
	}
	if len(f.held) > 0 {
		return f.release(), nil
	}
	select {
	case <-f.tap.wake:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	entries, doubt := f.tap.take()
	f.held = behind(entries, f.next)
	if doubt || len(f.held) > 0 && !f.follows() {
		f.log = ReadLog(f.js, f.stream, f.next)
	}
	return nil, nil
}

// follows reports whether what is held goes on without a gap.
func (f *Follower) follows() bool {
	first, last := f.held[0].Seq, f.held[len(f.held)-1].Seq
	return first == f.next && last-first == uint64(len(f.held)-1)
}

// release returns what is held.
func (f *Follower) release() []Entry {
	batch := f.held[:min(len(f.held), window)]
	f.held = f.held[len(batch):]
	last := &batch[len(batch)-1]
	last.Pending = uint64(len(f.held))
	f.next = last.Seq + 1
	return batch
}

// catchUp reads the stream until it is read to its end; what comes afterwards comes by the tap.
func (f *Follower) catchUp(ctx context.Context) ([]Entry, error) {
	batch, err := f.log.Next(ctx)
	if err != nil {
		return nil, err
	}
	last := batch[len(batch)-1]
	f.next = last.Seq + 1
	f.held = behind(f.held, f.next)
	if last.Pending == 0 {
		f.leave()
	}
	return batch, nil
}

// leave goes back to the tap.
func (f *Follower) leave() {
	f.log.Close()
	f.log = nil
	fresh, doubt := f.tap.take()
	f.held = append(f.held, behind(fresh, f.next)...)
	if doubt || len(f.held) > 0 && !f.follows() {
		f.held = nil // it is in the stream
		f.log = ReadLog(f.js, f.stream, f.next)
	}
}

// behind drops the entries before a sequence.
func behind(entries []Entry, from uint64) []Entry {
	for len(entries) > 0 && entries[0].Seq < from {
		entries = entries[1:]
	}
	return entries
}

// Close ends the reading; the connection stays open.
func (f *Follower) Close() {
	if f.log != nil {
		f.log.Close()
	}
}
