package persona

import (
	"fmt"
	"strconv"

	"learnloop.dev/events"

	"github.com/go-json-experiment/json"
)

// Under are the terms with those that arms of experiments set, and of each a sentence that
// says so. Of two arms that set the same the last counts. What cannot be read sets nothing.
func (t Terms) Under(arms []events.Enrolment) (Terms, []string) {
	says := []string{}
	for _, arm := range arms {
		var set struct {
			LengthWeight *float64 `json:"length_weight"`
			TopicBoost   *float64 `json:"topic_boost"`
		}
		if len(arm.Config) == 0 || json.Unmarshal(arm.Config, &set) != nil {
			continue
		}
		for _, term := range []struct {
			name string
			to   *float64
			of   *float64
		}{{"length_weight", set.LengthWeight, &t.LengthWeight}, {"topic_boost", set.TopicBoost, &t.TopicBoost}} {
			if term.to != nil {
				*term.of = *term.to
				says = append(says, fmt.Sprintf("%s is %s: %s of experiment %q",
					term.name, strconv.FormatFloat(*term.to, 'f', -1, 64), arm.Variant, arm.Experiment))
			}
		}
	}
	return t, says
}
