package conversations

import (
	"testing"

	"learnloop.dev/events"
)

func TestASignStoredLaterIsUnscoredAndImpersonalLikeItsExchange(t *testing.T) {
	t.Parallel()
	x := &exchange{
		told:  told{ID: "x", Off: off{Scoring: true, Personalization: true}},
		signs: []sign{{ID: "x", At: microsPerDay, Stored: microsPerDay, Type: events.ThumbsDown}}, recorded: true,
	}
	later := evidence{x}.on(1)
	if len(later) != 1 || later[0].score.Overall != nil || len(later.personal()) != 0 {
		t.Errorf("a sign about an exchange that may not be used counts: %+v", later)
	}
}
