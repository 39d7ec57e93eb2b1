package outcomes

import (
	"slices"

	"learnloop.dev/events"
	"learnloop.dev/learn"
)

// Lines of the contexts, by what stands behind them.
var (
	runLines = []string{"sample_count", "success_rate", "success", "avg_retries", "models", "defaults", "evidence"}
	endLines = []string{"sample_count", "success_rate", "success", "evidence"}
)

// trace names the lines of a key's context that a record stands behind.
func trace(_ learn.Rows, key learn.Key, r events.Recorded) []string {
	switch p := r.Payload().(type) {
	case *events.Task:
		return traceTask(key, p)
	case *events.TaskCorrection:
		if key.Kind != KindTemplate { // whose task it was the contexts that list it know
			return []string{"corrections/" + kept(p.Instruction, longestInstruction)}
		}
	case *events.RouteChoice:
		if key == typeKey(string(p.Type)) {
			return []string{"evidence"}
		}
	case *events.Template:
		if key == templateKey(p.Name) {
			return []string{"name", "keywords", "plan"}
		}
	}
	return nil
}

func traceTask(key learn.Key, t *events.Task) []string {
	switch key.Kind {
	case KindTask:
		return traceSteps(key.ID, t)
	case KindGoal:
		if key.ID != GoalKey(t.Goal) {
			return nil
		}
		lines := append(slices.Clone(endLines), string(t.Status))
		if p, ok := planOf(t.Subtasks); ok {
			lines = append(lines, "plans/"+p.id)
		}
		return append(lines, spoken(t)...)
	case KindTemplate:
		if p, ok := planOf(t.Subtasks); string(t.Template) == key.ID || ok && p.id == key.ID {
			return []string{string(t.Status), "success_rate"}
		}
	}
	return nil
}

// traceSteps names the lines of a type's context that the steps of a task stand behind.
func traceSteps(id string, t *events.Task) []string {
	var lines []string
	note := func(names ...string) {
		for _, name := range names {
			if !slices.Contains(lines, name) {
				lines = append(lines, name)
			}
		}
	}
	for i := range t.Subtasks {
		s := &t.Subtasks[i]
		if string(s.ID) != id || s.Success == nil {
			continue
		}
		note(runLines...)
		note("models/" + kept(s.ModelUsed, longestName))
		for _, reason := range s.FailureReasons {
			note("failure_reasons/" + kept(reason, longestReason))
		}
		for _, feature := range s.PromptFeatures {
			note("prompt_features/" + kept(feature, longestName))
		}
		if s.RetryCount > 0 {
			note("retry_pattern")
		}
	}
	if len(lines) > 0 {
		note(spoken(t)...)
	}
	return lines
}

// spoken names what people said of a task, as it reports itself.
func spoken(t *events.Task) (lines []string) {
	for _, c := range t.Corrections {
		lines = append(lines, "corrections/"+kept(c.Instruction, longestInstruction))
	}
	return lines
}
