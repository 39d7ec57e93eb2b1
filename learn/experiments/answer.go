package experiments

import (
	"maps"
	"math"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
)

// The questions the model answers, one part per partition.
const (
	AskBlocks = "blocks" // nothing → map[string]Block
	AskEnds   = "ends"   // nothing → map[events.ID]End
	AskHeard  = "heard"  // CourseArgs → Heard
)

func answers() map[string]learn.Answer {
	return map[string]learn.Answer{AskBlocks: answerBlocks, AskEnds: answerEnds, AskCourse: answerCourse, AskHeard: answerHeard}
}

// answerBlocks tells of every experiment in which something is compared.
func answerBlocks(q learn.Question) (any, error) {
	blocks := map[string]Block{}
	for name := range learn.Scan[heard](q.Rows, allKey(), "") {
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

// End is when an experiment that has records was over, and all that counts in it stored, and since when the
// first of them is stored.
type End struct {
	Over   time.Time `json:"over"`
	Stored time.Time `json:"stored"`
}

// Before reports whether the experiment was over before a time, and has records that were stored before it.
func (e End) Before(t time.Time) bool { return e.Over.Before(t) && e.Stored.Before(t) }

// answerEnds tells of every experiment that was stopped or archived, or has an end date; one that nobody declared
// is over when its last record was stored. However many they are, the records are read once.
func answerEnds(q learn.Question) (any, error) {
	ends := map[events.ID]End{}
	limits := map[string]moment{} // what happened from then on does not count
	for name := range learn.Scan[heard](q.Rows, allKey(), "") {
		h := versionsOf(q.Rows, name)
		at, over := h.over()
		switch {
		case over:
			limits[name], ends[events.ID(name)] = at, End{Over: at.time()}
		case len(h) == 0:
			limits[name] = math.MaxInt64
		}
	}
	if len(limits) == 0 {
		return ends, nil
	}
	for _, kind := range []events.Kind{events.ExperimentExposed.Kind, events.ExperimentOutcome.Kind} {
		for rec := range q.Records.InLogOrder(learn.Select{Kind: kind}) {
			h := rec.Header()
			if limit, asked := limits[h.Key]; asked {
				ends[events.ID(h.Key)] = ends[events.ID(h.Key)].with(h, limit)
			}
		}
	}
	return ends, nil
}

// with is the end once one more record is known. What happened in time may be stored late: until then nothing is
// over, or an experiment would go in parts.
func (e End) with(h *events.Head, limit moment) End {
	if e.Stored.IsZero() || h.Recorded.Before(e.Stored) {
		e.Stored = h.Recorded
	}
	if h.Recorded.After(e.Over) && momentOf(h.Time) < limit {
		e.Over = h.Recorded
	}
	return e
}

// Heard is what came in about an experiment, whether or not there is a context of it.
type Heard struct {
	Records int64 `json:"records"`
	Named   int64 `json:"named"` // of them, those that name a variant
}

func answerHeard(q learn.Question) (any, error) {
	args, err := learn.ReadArgs[CourseArgs](q, "which experiment is meant")
	if err != nil {
		return nil, err
	}
	return Heard(learn.Peek[heard](q.Rows, allKey(), args.Experiment)), nil
}

// MergeBlocks joins the parts of the partitions: each experiment is in one.
func MergeBlocks(parts ...map[string]Block) map[string]Block {
	all := map[string]Block{}
	for _, part := range parts {
		maps.Copy(all, part)
	}
	return all
}
