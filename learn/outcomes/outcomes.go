// Package outcomes learns from finished tasks: which model does which kind of step
// how well, what goes wrong, which plans work, and how people steer.
//
// Everything is counted in small rows that a record's deletion takes back exactly.
// What somebody deletes by hand, or resets, is wiped; the log sequence at which that
// happened says of every record whether it still has something to take back, or to tell
// when a period is asked for.
package outcomes

import (
	"learnloop.dev/events"
	"learnloop.dev/learn"
)

// Name is the model's name, in subjects and in questions to it.
const Name = "outcomes"

// The kinds of keys that contexts are published of.
const (
	KindTask     = "task"     // a type of step
	KindGoal     = "goal"     // a kind of goal, by its first words in byte order
	KindTemplate = "template" // a plan that can be used again
)

// The kinds of keys that are the model's own affair.
const (
	kindTag   = "tag"   // what people said under a tag
	kindTasks = "tasks" // what is known of each task
	kindAll   = "all"   // counts and lists
	kindDue   = "due"   // what was seen once, by day
)

// Model learns from tasks, corrections, templates and choices of models.
func Model() learn.Model {
	return learn.Define(learn.Spec[insight]{
		Name:    Name,
		Version: 4,
		Group:   events.Outcomes,
		Kinds:   []string{KindTask, KindGoal, KindTemplate},
		Folds: []learn.Fold{
			learn.Sum(events.TaskFinished, finish),
			learn.Sum(events.TaskCorrected, correct),
			learn.Sum(events.TemplateAdded, offer),
			learn.Sum(events.RouteChosen, choose),
			learn.On(events.ControlPatternDeleted, deleted, nil),
			learn.On(events.ControlReset, reset, nil),
			learn.On(events.ControlTick, tick, nil),
		},
		Know:    know,
		Render:  render,
		Trace:   trace,
		Answers: answers(),
	})
}

func typeKey(id string) learn.Key { return learn.Key{Kind: KindTask, ID: id} }

func goalKey(id string) learn.Key { return learn.Key{Kind: KindGoal, ID: id} }

func templateKey(id string) learn.Key { return learn.Key{Kind: KindTemplate, ID: id} }

func tagKey(tag string) learn.Key { return learn.Key{Kind: kindTag, ID: tag} }

func tasksKey() learn.Key { return learn.Key{Kind: kindTasks} }

func allKey() learn.Key { return learn.Key{Kind: kindAll} }

func dueKey() learn.Key { return learn.Key{Kind: kindDue} }
