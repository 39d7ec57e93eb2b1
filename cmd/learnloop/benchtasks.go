package main

import (
	"context"
	"fmt"

	"learnloop.dev/events"
	"learnloop.dev/events/capture"
	"learnloop.dev/kv"
)

// benchCheck is the step that every task of the benchmark ends with.
const benchCheck = "bench-check"

// tasks measures how fast finished tasks of five steps go through the loop.
func (m *meter) tasks(ctx context.Context) error {
	reader, err := m.loop.watch(ctx, "task.>")
	if err != nil {
		return err
	}
	defer reader.Close()
	key, n := kv.Key("task", benchCheck), m.events/taskSteps
	if err := m.finish(ctx, 0, benchGoals); err != nil { // warm up, and have every goal known
		return err
	}
	if err := reached(ctx, reader, key, benchGoals); err != nil {
		return err
	}
	watch := startWatch()
	if err := m.finish(ctx, benchGoals, n); err != nil {
		return err
	}
	if err := reached(ctx, reader, key, benchGoals+n); err != nil {
		return err
	}
	took, cpu := watch.stop()
	m.add("finished tasks of five steps, end to end", rate(n, took), "tasks/s", "≥ 5000")
	m.add("finished tasks, CPU", micros(cpu, n), "µs/task", "")
	return nil
}

// finish sends n finished tasks, from the first on.
func (m *meter) finish(ctx context.Context, first, n int) error {
	for i := range n {
		if err := capture.Publish(m.publisher, events.TaskFinished, benchTask(first+i)); err != nil {
			return err
		}
		if i%ahead == ahead-1 {
			if err := m.publisher.Flush(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

const (
	taskSteps  = 5
	benchGoals = 200
)

// benchTask is the i-th finished task: one of two hundred kinds of goals, and steps of
// thirty types that two models of two tiers did.
func benchTask(i int) events.Task {
	t := events.Task{
		TaskID: events.ID(fmt.Sprintf("bench-task-%07d", i)), Status: events.Completed,
		Goal:   fmt.Sprintf("Move the reports of service %d to the new format and check them", i%benchGoals),
		UserID: events.ID(fmt.Sprintf("person-%02d", i%40)),
	}
	for step := range taskSteps {
		id := events.ID(fmt.Sprintf("bench-step-%02d", (i+step*7)%30))
		if step == taskSteps-1 {
			id = benchCheck
		}
		tier, seconds, tokens := int64((i+step)%2+1), float64(5+i%50), int64(800+i%900)
		s := events.Subtask{
			ID: id, Description: "Read the old report, write the new one, compare the two", ModelTier: tier, VerificationTier: tier,
			ModelUsed: fmt.Sprintf("bench-model-%d", tier), Success: new(i%7 != step), RetryCount: int64(i % 3 / 2),
			DurationSeconds: &seconds, TokensUsed: &tokens, PromptFeatures: []string{"examples", "schema"},
		}
		if i%7 == step {
			t.Status, s.FailureReasons = events.Failed, []string{"the numbers of the last column differ"}
		}
		if step > 0 {
			s.DependsOn = []events.ID{t.Subtasks[step-1].ID}
		}
		t.Subtasks = append(t.Subtasks, s)
	}
	return t
}
