package conversations

import (
	"learnloop.dev/events"
	"learnloop.dev/learn"
)

// trace names the lines of a person's context that a record stands behind.
func trace(_ learn.Rows, key learn.Key, r events.Recorded) []string {
	if w, ok := r.Payload().(*events.PreferenceCorrected); ok {
		if string(w.UserID) != key.ID {
			return nil
		}
		return []string{"corrected"}
	}
	if r.Header().Key != key.ID {
		return nil
	}
	switch p := r.Payload().(type) {
	case *events.Exchange:
		lines := []string{"style", "time_of_day", "evidence"}
		if len(p.Corrections) > 0 || p.Features != nil && p.Features.Corrections > 0 {
			lines = append(lines, "error_patterns")
		}
		if p.Features != nil {
			for _, topic := range p.Features.Topics {
				lines = append(lines, "topics/"+topic)
			}
		}
		return lines
	case *events.ResponseFeedback, *events.Engagement, *events.PersonSummed:
		return []string{"style", "topics", "error_patterns", "evidence"}
	}
	return nil
}
