package experiments

import (
	"maps"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
)

// The questions the model answers, one part per partition.
const (
	AskBlocks = "blocks" // nothing → map[string]Block
	AskEnds   = "ends"   // nothing → map[events.ID]End
)

func answers() map[string]learn.Answer {
	return map[string]learn.Answer{AskBlocks: answerBlocks, AskEnds: answerEnds, AskCourse: answerCourse}
}

// answerBlocks tells of every experiment in which something is compared.
func answerBlocks(q learn.Question) (any, error) {
	blocks := map[string]Block{}
	for name := range learn.Scan[int64](q.Rows, allKey(), "") {
		in, known := know(q.Rows, Key(name))
		if !known || in.Design == nil && len(in.Pairs) == 0 {
			continue
		}
		if c, told := render(Key(name), []Insight{in}); told {
			blocks[name] = BlockOf(*c.(*Context))
		}
	}
	return blocks, nil
}

// End is when an experiment that has records was over, and since when the first of them is stored.
type End struct {
	Over   time.Time `json:"over"`
	Stored time.Time `json:"stored"`
}

// Before reports whether the experiment was over before a time, and has records that were stored before it.
func (e End) Before(t time.Time) bool { return e.Over.Before(t) && e.Stored.Before(t) }

// answerEnds tells of every experiment that was stopped or archived, or has an end date; one that nobody declared
// is over when its last record was stored.
func answerEnds(q learn.Question) (any, error) {
	ends := map[events.ID]End{}
	for name := range learn.Scan[int64](q.Rows, allKey(), "") {
		h := versionsOf(q.Rows, name)
		at, over := h.over()
		if !over && len(h) > 0 {
			continue
		}
		end := storedSince(q.Records, name)
		if over {
			end.Over = at.time()
		}
		ends[events.ID(name)] = end
	}
	return ends, nil
}

// storedSince is when the first record of an experiment was stored, and the last.
func storedSince(records learn.Records, name string) (e End) {
	for rec := range records.InLogOrder(learn.Select{Key: name}) {
		h := rec.Header()
		if h.Group != events.ByExperiment {
			continue
		}
		if e.Stored.IsZero() || h.Recorded.Before(e.Stored) {
			e.Stored = h.Recorded
		}
		if h.Recorded.After(e.Over) {
			e.Over = h.Recorded
		}
	}
	return e
}

// MergeBlocks joins the parts of the partitions: each experiment is in one.
func MergeBlocks(parts ...map[string]Block) map[string]Block {
	all := map[string]Block{}
	for _, part := range parts {
		maps.Copy(all, part)
	}
	return all
}
