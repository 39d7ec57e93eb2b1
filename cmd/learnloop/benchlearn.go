package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"learnloop.dev/api"
	"learnloop.dev/events"
	"learnloop.dev/events/capture"
)

// learned measures from the event of a learning to the first search that finds it, in a
// loop that has nothing else to do.
func (m *meter) learned(ctx context.Context) error {
	var visible []time.Duration
	for i := range m.singles() {
		if err := pause(ctx, 100*time.Millisecond); err != nil {
			return err
		}
		word, sent := fmt.Sprintf("bench%06d", i), time.Now()
		if err := capture.Publish(m.publisher, events.LearningCreated, benchLearning(word)); err != nil {
			return err
		}
		if err := m.found(ctx, word); err != nil {
			return err
		}
		visible = append(visible, time.Since(sent))
	}
	slices.Sort(visible)
	m.add("one learning, idle: to a search that finds it, p50", millis(quantile(visible, 0.5)), "ms", "≤ 50")
	m.add("one learning, idle: p99", millis(quantile(visible, 0.99)), "ms", "≤ 50")
	return nil
}

// injected measures how long a task waits to be given what was learned. Beside it
// stands how long the same search takes without a record: the rest is the disk's.
func (m *meter) injected(ctx context.Context) error {
	var given, found []time.Duration
	for i := range 10 * m.singles() {
		if err := pause(ctx, 10*time.Millisecond); err != nil {
			return err
		}
		title, begun := fmt.Sprintf("How bench%06d is handled by the team", i%m.singles()), time.Now()
		if err := m.loop.client.Call(ctx, "learnings.search", api.SearchArgs{Q: title}, nil); err != nil {
			return err
		}
		found = append(found, time.Since(begun))
		begun = time.Now()
		task := api.Undertaking{TaskID: fmt.Sprintf("bench%06d", i), Title: title}
		if err := m.loop.client.Call(ctx, "inject", task, nil); err != nil {
			return err
		}
		given = append(given, time.Since(begun))
	}
	slices.Sort(given)
	slices.Sort(found)
	m.add("one injection, on disk, p50", millis(quantile(given, 0.5)), "ms", "≤ 10")
	m.add("one injection, on disk, p99", millis(quantile(given, 0.99)), "ms", "≤ 10")
	m.add("the same search alone, p99", millis(quantile(found, 0.99)), "ms", "")
	return nil
}

// found searches until a learning is found.
func (m *meter) found(ctx context.Context, word string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, time.Minute, errors.New("the learning was not found"))
	defer cancel()
	for {
		var found api.SearchResults
		if err := m.loop.client.Call(ctx, "learnings.search", api.SearchArgs{Q: word}, &found); err != nil {
			return errors.Join(err, context.Cause(ctx))
		}
		if found.Total > 0 {
			return nil
		}
		if err := pause(ctx, time.Millisecond); err != nil {
			return err
		}
	}
}

// benchLearning is a learning that one word finds.
func benchLearning(word string) events.Learning {
	return events.Learning{
		ID: events.ID("learn_" + word), Title: "How " + word + " is handled", Context: "Measuring the loop.",
		Observation: benchText("the report was written by the team", 1), Implication: "The same holds next time.",
		Action: "Do it alike.", SourceOutcomeID: "bench",
	}
}
