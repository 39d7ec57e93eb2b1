package events

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestALaterTimeReplacesAndContentBreaksTies(t *testing.T) {
	early := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	late := early.Add(time.Hour)
	for name, c := range map[string]struct {
		old, new Head
		want     bool
	}{
		"later":                 {Head{Stamp: early, Content: "b"}, Head{Stamp: late, Content: "a"}, true},
		"earlier":               {Head{Stamp: late, Content: "a"}, Head{Stamp: early, Content: "b"}, false},
		"same time, greater":    {Head{Stamp: early, Content: "a"}, Head{Stamp: early, Content: "b"}, true},
		"same time, smaller":    {Head{Stamp: early, Content: "b"}, Head{Stamp: early, Content: "a"}, false},
		"the same":              {Head{Stamp: early, Content: "a"}, Head{Stamp: early, Content: "a"}, false},
		"without times":         {Head{Content: "a"}, Head{Content: "b"}, false},
		"derived, other":        {Head{Cause: "c", Content: "b"}, Head{Cause: "c", Content: "a"}, true},
		"derived, the same":     {Head{Cause: "c", Content: "a"}, Head{Cause: "c", Content: "a"}, false},
		"derived and withdrawn": {Head{Cause: "c", Content: "a"}, Head{Cause: "c", Content: "a", Withdrawn: true}, true},
	} {
		if got := c.new.Supersedes(&c.old); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestAStoredFactIsReadBackWhole(t *testing.T) {
	confidence := 0.5
	want := &Fact[FixFeedback]{
		Head: Head{SpecVersion: "1.0", ID: "1", Source: "/s", Type: FeedbackFix.Kind.Type(), Group: ByRule, Key: "r", Record: "rec", Content: "con"},
		Data: FixFeedback{RuleID: "r", Decision: Skipped, OriginalConfidence: &confidence, Derived: &FixDerived{Pattern: "p", Mode: "full"}},
	}
	data, err := Encode(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := FeedbackFix.ReadFact(data)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got.Header().Kind() != FeedbackFix.Kind || got.Payload() != Payload(&got.(*Fact[FixFeedback]).Data) {
		t.Errorf("header %+v, payload %+v", got.Header(), got.Payload())
	}
}
