package learnings_test

import (
	"fmt"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/learn/learnings"
	"learnloop.dev/learn/learntest"

	"github.com/go-json-experiment/json"
)

// A task is given a learning and says that it helped.
func Example() {
	loop := learntest.Loop{Models: []learn.Model{learnings.Model()}}
	for day, e := range []struct {
		kind events.Kind
		data any
	}{
		{events.LearningCreated.Kind, events.Learning{ID: "learn_7f31", Title: "Sign the body", Action: "Sign it in the helper."}},
		{events.InjectionRecorded.Kind, events.Injection{TaskID: "t1", Items: []events.InjectedItem{{LearningID: "learn_7f31"}}}},
		{events.TaskOutput.Kind, events.AgentOutput{TaskID: "t1", Output: "Done.\nLEARNING_HELPFUL: learn_7f31"}},
	} {
		if err := loop.Hear(event(e.kind, fmt.Sprint(day), day, e.data)); err != nil {
			fmt.Println(err)
		}
	}
	contexts, err := loop.Contexts()
	if err != nil {
		fmt.Println(err)
	}
	var l learnings.Learning
	if err := json.Unmarshal(contexts["learn_learnings learning.learn_7f31"], &l); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%s: confidence %.2f, used %dx, helpful %dx\n", l.Title, l.Confidence, l.TimesInjected, l.TimesHelpful)
	// Output: Sign the body: confidence 0.55, used 1x, helpful 1x
}
