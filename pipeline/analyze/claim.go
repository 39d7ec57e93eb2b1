package analyze

import (
	"context"
	"fmt"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/pipeline"

	"github.com/go-json-experiment/json"
)

// A stage folds before it publishes. Until the log is folded as far as it goes contexts
// would go back, and derived facts would be appended that the log already holds. Then it
// claims the fences, and whoever owned the partitions until then publishes no more. What
// that one told reaches no further than the log does now; once that is folded too, the
// stage publishes. So partitions change hands while contexts go on.

// lookAgain is how often the end of the log is looked for while nothing comes: what was
// the last entry may have been deleted.
const lookAgain = 250 * time.Millisecond

// find finds the end of the log.
func (r *run) find(ctx context.Context) error {
	return r.insist(ctx, "find the end of the log", func() (err error) {
		r.head, err = r.End(ctx)
		return err
	})
}

// insist tries until it succeeds, or the stage is asked to stop.
func (r *run) insist(ctx context.Context, what string, do func() error) error {
	err := pipeline.Retry(ctx, do, pipeline.Never, func(err error) { r.Observe.Retried(what, err) })
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// look finds out whether there is nothing to wait for.
func (r *run) look(ctx context.Context) error {
	if err := r.find(ctx); err != nil {
		return err
	}
	return r.arrive(ctx, false)
}

// arrive claims the fences when the log is folded as far as it goes, and goes live when
// that holds again afterwards.
func (r *run) arrive(ctx context.Context, end bool) error {
	if r.current || r.folded < r.head && !end {
		return nil
	}
	if !r.claimed {
		if err := r.rebuild(ctx); err != nil {
			return err
		}
		if len(r.late) > 0 {
			return nil // the stage was asked to stop
		}
		if err := r.claim(ctx); err != nil {
			return err
		}
	}
	r.current = r.folded >= r.head // whatever was still to come when the last entry was sent
	if r.current && r.Current != nil {
		r.Current()
	}
	return nil
}

// claim puts markers of ours in the place of those that stand. Each says as before how
// far the insights are: nothing was published yet.
func (r *run) claim(ctx context.Context) error {
	if err := r.insist(ctx, "claim partitions", func() error { return r.mark(ctx) }); err != nil {
		return err
	}
	r.claimed = true
	return r.find(ctx)
}

func (r *run) mark(ctx context.Context) error {
	last, err := r.Fences.LastMarks(ctx, r.Partitions)
	if err != nil {
		return err
	}
	msgs := make([]bus.Message, len(r.Partitions))
	for i, p := range r.Partitions {
		m := last[p].Mark
		m.Partition, m.Owner = p, r.Owner
		data, err := json.Marshal(m)
		if err != nil {
			return fmt.Errorf("encode marker of partition %d: %w", p, err)
		}
		expect := last[p].Seq
		msgs[i] = bus.Message{Subject: pipeline.MarkSubject(p), Data: data, ExpectLast: &expect}
	}
	seqs, err := r.Insights.Send(ctx, msgs)
	if err != nil {
		return err
	}
	for i, p := range r.Partitions {
		r.fences[p] = seqs[i]
	}
	return nil
}
