package app_test

import (
	"strings"
	"testing"

	"learnloop.dev/api"
)

func TestTheStatusCountsWhatWasRemovedByItsType(t *testing.T) {
	l, _ := start(t, t.TempDir(), "clock.ticks=false")
	texts := strings.Replace(fix("r"), `{`, `{"user_comment":"ask grace.hopper@example.org or ada@example.org",`, 1)
	l.publish(t, [][]byte{[]byte(event("1", fixType, texts))})
	l.drained(t)
	l.reflected(t, 1)
	var st api.Status
	if err := l.client.Call(t.Context(), "status", nil, &st); err != nil {
		t.Fatal(err)
	}
	if st.Removed == nil || st.Removed.Types["EMAIL"] != 2 || st.Removed.Since.IsZero() || st.Removed.Since.After(st.At) {
		t.Errorf("%+v", st.Removed)
	}
}
