package bus

import (
	"cmp"
	"testing"
	"time"

	"learnloop.dev/events"
)

func TestNoticesAreCloudEventsThatWhoeverListensHears(t *testing.T) {
	js := stage(t, serve(t))
	if _, err := Ensure(t.Context(), js, small); err != nil {
		t.Fatal(err)
	}
	heard, err := js.Conn().SubscribeSync("learn.out.>")
	if err != nil {
		t.Fatal(err)
	}
	list := []Notice{
		{Kind: "context.changed", ID: "rule.a b@1", Data: []byte(`{"key":"rule.a=20b"}`)},
		{Kind: "learning_sample_captured", Topic: "sample.captured", ID: "s1", Once: true, Data: []byte(`{}`)},
	}
	if err := NewNotices(js.Conn()).Put(t.Context(), append(list, list[1])); err != nil { // told again
		t.Fatal(err)
	}
	for _, want := range list {
		m, err := heard.NextMsg(soon)
		if err != nil {
			t.Fatal(err)
		}
		item := events.Unpack(m.Header, m.Data)[0]
		if m.Subject != "learn.out."+string(cmp.Or(want.Topic, want.Kind)) || item.Type != want.Kind.Type() || item.ID != want.ID ||
			item.Source != "/learnloop" || string(item.Data) != string(want.Data) {
			t.Errorf("%s: %+v, want %+v", m.Subject, item, want)
		}
	}
	s, err := js.Stream(t.Context(), OutStream)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.CachedInfo(); got.State.Msgs != 2 || got.Config.MaxAge != 24*time.Hour {
		t.Errorf("%d kept for %v", got.State.Msgs, got.Config.MaxAge)
	}
}
