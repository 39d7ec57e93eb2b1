// Package learnings remembers what past tasks taught, where it was used, and
// whether it helped there.
//
// It hears of entries (context, observation, implication, action), of what people
// made of them, of injections into tasks, and of votes; and it tells, entry by
// entry, what stands and how far it can be trusted.
package learnings

import (
	"learnloop.dev/events"
	"learnloop.dev/learn"
)

// Name is the model's name, in subjects and in questions to it.
const Name = "learnings"

// The kinds of keys: one entry, and what nobody is told of: all of them together,
// when which of them ages, and tasks. See KindPool for what is told of tasks.
const (
	KindLearning = "learning"
	kindAll      = "learnings"
	kindDue      = "due"
	kindTasks    = "tasks"
)

// Model learns from everything that is said about learnings.
func Model() learn.Model {
	return learn.Define(learn.Spec[insight]{
		Name:    Name,
		Version: 6,
		Group:   events.Learnings,
		Kinds:   []string{KindLearning, KindPool},
		Folds: []learn.Fold{
			heard(events.LearningCreated, entered(func(p *events.Learning) events.ID { return p.ID })),
			heard(events.LearningProposed, entered(func(p *events.Proposal) events.ID { return p.ID })),
			heard(events.LearningReviewed, entered(func(p *events.Review) events.ID { return p.ID })),
			heard(events.LearningRevised, amend),
			heard(events.LearningArchived, entered(func(p *events.Archival) events.ID { return p.ID })),
			heard(events.LearningSuperseded, succeed),
			heard(events.InjectionRecorded, inject),
			heard(events.FeedbackLearning, vote),
			heard(events.TaskOutput, voteByOutput),
			heard(events.DiscoveryObserved, nil),
			heard(events.TaskFinished, finish),
			learn.On(events.ControlTick, tick, nil),
		},
		Know:    know,
		Render:  render,
		Bucket:  learn.Entries,
		Trace:   trace,
		Answers: answers(),
	})
}

func learningKey(id string) learn.Key { return learn.Key{Kind: KindLearning, ID: id} }

func allKey() learn.Key { return learn.Key{Kind: kindAll} }

func dueKey() learn.Key { return learn.Key{Kind: kindDue} }

// fact is what a fold needs of the head of a fact, and 1 to count it or −1 to
// take it back.
type fact struct {
	kind   events.Kind
	at     moment
	record string
	event  string // its id
	by     int64
}

// heard makes a fold that tells the time, counts the fact, and does the rest; nil
// is no rest.
func heard[P any](t *events.Type[P], do func(rows learn.Rows, f fact, p *P)) learn.Fold {
	return learn.Sum(t, func(rows learn.Rows, rec *events.Fact[P], weight int64) {
		f := fact{t.Kind, momentOf(rec.Time), rec.Record, rec.ID, weight}
		*learn.At[int64](rows, allKey(), countRows+string(t.Kind)) += weight
		if do != nil {
			do(rows, f, &rec.Data)
		}
		clock{rows}.hear(f.at, weight)
	})
}

// countRows are how many facts of each kind there are: int64, by kind.
const countRows = "count/"
