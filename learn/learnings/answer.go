package learnings

import (
	"cmp"
	"fmt"
	"iter"

	"learnloop.dev/events"
	"learnloop.dev/inorder"
	"learnloop.dev/learn"
	"learnloop.dev/stats"

	"github.com/go-json-experiment/json"
)

// The questions the model answers, one part per partition; the parts of those that
// hold no learning are empty. An answer has to fit into a message.
const (
	AskBlock = "block" // nothing → Block
	AskQueue = "queue" // nothing → Queue
	AskUse   = "use"   // UseArgs → Use
	AskArms  = "arms"  // nothing → []ArmPeriod: finished tasks by arm, while the shares stood still
)

func answers() map[string]learn.Answer {
	return map[string]learn.Answer{
		AskBlock: func(q learn.Question) (any, error) { return blockOf(q.Rows), nil },
		AskQueue: func(q learn.Question) (any, error) { return queue(q.Rows), nil },
		AskUse:   answerUse,
		AskArms:  func(q learn.Question) (any, error) { return periods(q.Rows), nil },
	}
}

// UseArgs name an entry, and a task or events about the entry, or none.
type UseArgs struct {
	ID     string   `json:"id"`
	Task   string   `json:"task,omitzero"`
	Events []string `json:"events,omitzero"` // ids
}

// Use is how an entry stands, whether a task was given it, and what was heard of it.
type Use struct {
	Status   Status   `json:"status"` // "" of one that does not exist
	Injected bool     `json:"injected"`
	Heard    bool     `json:"heard"`            // of every event asked for
	Creator  string   `json:"creator,omitzero"` // the event that created it, by its id
	Learning Learning `json:"learning"`
}

func answerUse(q learn.Question) (any, error) {
	var args UseArgs
	if err := json.Unmarshal(q.Args, &args); err != nil {
		return nil, fmt.Errorf("read which learning is meant: %w", events.Unquoted(err))
	}
	k, known := know(q.Rows, learningKey(args.ID))
	if !known {
		return Use{}, nil
	}
	t := taskOf(q.Rows, events.ID(args.ID), events.ID(args.Task))
	return Use{
		Status: k.Status, Injected: learn.Peek[pair](q.Rows, t.key, pairRows+t.name).Used > 0,
		Heard: heardOf(q.Rows, t.key, args.Events), Creator: learn.Peek[summary](q.Rows, t.key, summaryRow).entry().Creator,
		Learning: k.learning(args.ID),
	}, nil
}

// heardOf reports whether all of some events are known, as acts, edits or echoes of an
// entry. They came lately as a rule, and edits and echoes stand with the latest first.
func heardOf(rows learn.Rows, key learn.Key, all []string) bool {
	missing := map[string]bool{}
	for _, id := range all {
		missing[id] = true
	}
	for id := range heardLast(rows, key) {
		if len(missing) == 0 {
			break
		}
		delete(missing, id)
	}
	return len(missing) == 0
}

// heardLast yields the events that an entry was told of.
func heardLast(rows learn.Rows, key learn.Key) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, a := range learn.Scan[act](rows, key, lifeRows) {
			if !yield(a.Event) {
				return
			}
		}
		for _, e := range learn.Scan[edit](rows, key, editRows) {
			if !yield(e.Event) {
				return
			}
		}
		for _, e := range learn.Scan[echo](rows, key, echoRows) {
			if !yield(e.Event) {
				return
			}
		}
	}
}

// Queue is what waits for a person's word.
type Queue struct {
	Total  int        `json:"total"`
	Oldest []Learning `json:"oldest"` // the first hundred
}

// mostQueued are as many learnings as a Queue lists.
const mostQueued = 100

func queue(rows learn.Rows) Queue {
	list := []Learning{}
	for _, m := range learn.Scan[mention](rows, allKey(), waitsRows) {
		if k, ok := know(rows, learningKey(m.ID)); ok {
			list = append(list, k.learning(m.ID))
		}
	}
	inorder.Sort(list, func(a, b Learning) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	return Queue{len(list), list[:min(len(list), mostQueued)]}
}

// Block is the table of learnings that published figures are compared with.
type Block struct {
	Counts     Counts           `json:"counts"`
	Helpful    int64            `json:"helpful"`
	NotHelpful int64            `json:"not_helpful"`
	Waiting    int64            `json:"votes_waiting"`
	Arms       Arms             `json:"arms"` // tasks that completed or failed, and those that completed
	Total      int64            `json:"learnings_total"`
	Injectable int64            `json:"learnings_injectable_at_0_6"`
	Searchable int64            `json:"learnings_searchable_at_0_5"`
	Histogram  map[string]int64 `json:"final_confidence_histogram"` // by confidence in hundredths: "0.50"
	Learnings  map[string]Row   `json:"learnings"`                  // by id; the first thousand
	Periods    []ArmPeriod      `json:"periods,omitzero"`           // finished tasks of which chance decided
}

// Counts are facts by what they are about.
type Counts struct {
	Discovery         int64 `json:"discovery"`
	Learning          int64 `json:"learning"`
	LearningInjection int64 `json:"learning_injection"`
	LearningFeedback  int64 `json:"learning_feedback"`
	TaskOutput        int64 `json:"task_output"`
	LearningProposal  int64 `json:"learning_proposal"`
}

// Row is one learning of a Block.
type Row struct {
	Title           string  `json:"title"`
	FinalConfidence float64 `json:"final_confidence"`
	TimesInjected   int64   `json:"times_injected"`
	TimesHelpful    int64   `json:"times_helpful"`
	TimesNotHelpful int64   `json:"times_not_helpful"`
	Lift            *Told   `json:"lift,omitzero"` // once tasks tell of it
}

// The documented bars (001): of injection and of search.
const (
	injectable = 6 * full / 10
	searchable = full / 2
)

// mostRows are as many learnings as a Block lists.
const mostRows = 1000

func blockOf(rows learn.Rows) Block {
	count := func(kind events.Kind) int64 { return learn.Peek[int64](rows, allKey(), countRows+string(kind)) }
	b := Block{
		Counts: Counts{
			Discovery: count(events.DiscoveryObserved.Kind), Learning: count(events.LearningCreated.Kind),
			LearningInjection: count(events.InjectionRecorded.Kind), LearningFeedback: count(events.FeedbackLearning.Kind),
			TaskOutput: count(events.TaskOutput.Kind), LearningProposal: count(events.LearningProposed.Kind),
		},
		Waiting:   learn.Peek[int64](rows, allKey(), waitingRow),
		Arms:      learn.Peek[Arms](rows, allKey(), armsRow),
		Histogram: map[string]int64{}, Learnings: map[string]Row{},
	}
	without := learn.Peek[Pool](rows, PoolKey(), poolRow)
	for _, m := range learn.Scan[mention](rows, allKey(), entriesRows) {
		if k, ok := know(rows, learningKey(m.ID)); ok {
			b.add(m.ID, k, without)
		}
	}
	b.Periods = periods(rows)
	return b
}

func (b *Block) add(id string, k insight, without Pool) {
	if k.Status == Proposed || k.Status == Rejected {
		return
	}
	c := k.confidence()
	b.Total++
	b.Helpful += k.Usage.Helpful
	b.NotHelpful += k.Usage.Bad
	b.Histogram[fmt.Sprintf("%.2f", stats.Round(c.share(), 2))]++
	if k.Status == Active && c >= injectable {
		b.Injectable++
	}
	if k.Status == Active && c >= searchable {
		b.Searchable++
	}
	if len(b.Learnings) < mostRows {
		b.Learnings[id] = Row{k.Fields.Title, c.share(), k.Usage.Injected, k.Usage.Helpful, k.Usage.Bad, toldOf(k.Credit, without)}
	}
}

// MergeBlocks joins the parts of the partitions: all but one of them are empty.
func MergeBlocks(parts ...Block) Block {
	for _, p := range parts {
		if p.Total > 0 || p.Counts != (Counts{}) || p.Arms != (Arms{}) {
			return p
		}
	}
	return Block{Histogram: map[string]int64{}, Learnings: map[string]Row{}}
}
