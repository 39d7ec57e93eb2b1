package ingest

import (
	"context"
	"errors"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/pipeline"

	"github.com/go-json-experiment/json"
)

// release appends what waits for exchanges to the log and then takes it out of
// the bucket: a crash in between leaves facts that the record index recognises
// when they are appended again.
func (s Stage) release(ctx context.Context, owners map[string]Owner) error {
	if len(owners) == 0 {
		return nil
	}
	patterns := make([]string, 0, len(owners))
	for exchange := range owners {
		patterns = append(patterns, waitKey(exchange)+".*")
	}
	for {
		cells, err := s.Owners.Find(ctx, patterns...)
		if err != nil || len(cells) == 0 {
			return err
		}
		if err := s.hand(ctx, cells, owners); err != nil {
			return err
		}
	}
}

// hand gives what waited to its owners. What cannot be read is a dead letter.
func (s Stage) hand(ctx context.Context, cells []bus.Cell, owners map[string]Owner) error {
	var out outcome
	for _, c := range cells {
		w, err := readWaiting(c)
		if err == nil && !s.House.keeps(w, owners[w.Exchange]) {
			s.Observe.Declined(stageName, optOut)
			out.judged.add(w.Replay, Judged{Waiting: -1, Declined: 1})
			continue
		}
		if err == nil {
			var m bus.Message
			if m, err = s.House.deliver(w, owners[w.Exchange]); err == nil {
				out.messages = append(out.messages, m)
				out.judged.add(w.Replay, Judged{Waiting: -1})
				continue
			}
		}
		letter, err := sealed(s.unreadable(c))
		if err != nil {
			return err
		}
		out.letters = append(out.letters, letter)
	}
	if err := errors.Join(s.append(ctx, &out), s.report(ctx, &out)); err != nil {
		return err
	}
	for _, c := range cells {
		if err := s.Owners.Remove(ctx, c); err != nil {
			return err
		}
	}
	return s.Replays.tell(ctx, out.judged)
}

func readWaiting(c bus.Cell) (w waiting, err error) {
	if err = json.Unmarshal(c.Value, &w); err == nil && c.Key != w.key() {
		err = errors.New("it says that it waits elsewhere")
	}
	return w, err
}

// unreadable is the letter about what somebody else has put into the bucket.
func (s Stage) unreadable(c bus.Cell) pipeline.Letter {
	s.Observe.Refused(stageName, events.ReasonMalformed)
	return pipeline.Letter{Stage: stageName, Reason: events.ReasonMalformed, At: s.Now().UTC(),
		Size: len(c.Value), SHA256: pipeline.Digest(c.Value)}
}
