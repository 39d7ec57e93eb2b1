// Package samples counts learning samples by family and quality, and hands them
// out as training data.
//
// It tells generators nothing: a sample is for training, not for prompts.
package samples

import (
	"learnloop.dev/events"
	"learnloop.dev/learn"
)

// Name is the model's name, in questions to it.
const Name = "samples"

// Model counts sample.captured.
func Model() learn.Model {
	return learn.Define(learn.Spec[struct{}]{
		Name:    Name,
		Version: 1,
		Group:   events.ByFamily,
		Folds:   []learn.Fold{learn.Sum(events.SampleCaptured, count)},
		Answers: answers(),
	})
}

// families is the key whose rows are the tallies of a partition, by family.
func families() learn.Key { return learn.Key{Kind: "families"} }

func count(rows learn.Rows, f *events.Fact[events.Sample], weight int64) {
	learn.At[Tally](rows, families(), f.Data.SampleFamily).add(&f.Data.Feedback, weight)
}
