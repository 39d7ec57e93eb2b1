package analyze

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"learnloop.dev/bus"
	"learnloop.dev/pipeline"
)

// ErrLost means that another process published for a partition of ours.
var ErrLost = errors.New("another process owns the partition now")

// Fences reads the markers of partitions.
type Fences interface {
	// LastMarks returns those that there are.
	LastMarks(ctx context.Context, partitions []int) (map[int]Fence, error)
}

// Fence is the last marker of a partition, and its sequence.
type Fence struct {
	Seq  uint64
	Mark pipeline.Mark
}

// publish sends insights and then markers, all of them behind the fences. When the
// outcome of an earlier attempt was unknown, the markers may have moved on by our
// own hand: then they are read again and everything repeated, which is harmless.
func (r *run) publish(ctx context.Context, p publication) (at []uint64, err error) {
	err = pipeline.Retry(ctx, func() error {
		if at, err = r.send(ctx, p); errors.Is(err, bus.ErrFenced) {
			if lost := r.reclaim(ctx, p); lost != nil {
				return lost
			}
		}
		return err
	}, lostOrBroken, func(err error) { r.Observe.Retried("publish insights", err) })
	return at, err
}

func (r *run) send(ctx context.Context, p publication) ([]uint64, error) {
	insights, err := r.worthTelling(ctx, p)
	if err != nil {
		return nil, err
	}
	if _, err := r.Insights.Send(ctx, insights); err != nil {
		return nil, err
	}
	if len(p.facts) > 0 { // behind the fence of the insights; to say it again is harmless
		if _, err := r.Facts.Append(ctx, p.facts); err != nil {
			return nil, fmt.Errorf("append %d conclusions: %w", len(p.facts), err)
		}
	}
	return r.Insights.Send(ctx, p.marks)
}

// worthTelling leaves out that nothing is known any more where nothing was told, or it
// was erased: what would say so names a person who may have been forgotten.
func (r *run) worthTelling(ctx context.Context, p publication) ([]bus.Message, error) {
	if r.Told == nil || len(p.gone) == 0 {
		return p.insights, nil
	}
	told, err := r.Told.PerSubject(ctx, 0, p.gone...)
	if err != nil {
		return nil, fmt.Errorf("find what was told of %d keys: %w", len(p.gone), err)
	}
	idle := map[string]bool{}
	for _, subject := range p.gone {
		idle[subject] = true
	}
	for _, e := range told {
		delete(idle, e.Subject)
	}
	return slices.DeleteFunc(slices.Clone(p.insights), func(m bus.Message) bool { return idle[m.Subject] }), nil
}

// lostOrBroken are the errors that trying again cannot mend.
func lostOrBroken(err error) bool {
	return errors.Is(err, ErrLost) || errors.Is(err, bus.ErrTooLarge) || errors.Is(err, bus.ErrSubject)
}

// reclaim reads the fences again and expects what they are now, as long as the
// markers are ours.
func (r *run) reclaim(ctx context.Context, p publication) error {
	last, err := r.Fences.LastMarks(ctx, p.moved)
	if err != nil {
		return err
	}
	now := map[string]uint64{}
	for _, partition := range p.moved {
		is := last[partition]
		if is.Seq > 0 && is.Seq != p.fences[partition] && is.Mark.Owner != r.Owner {
			return fmt.Errorf("publish for partition %d: %w", partition, ErrLost)
		}
		now[pipeline.MarkSubject(partition)] = is.Seq
	}
	for _, msgs := range [][]bus.Message{p.insights, p.marks} {
		for i := range msgs {
			seq := now[cmp.Or(msgs[i].ExpectOn, msgs[i].Subject)]
			msgs[i].ExpectLast = &seq
		}
	}
	return nil
}
