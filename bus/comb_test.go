package bus

import (
	"slices"
	"testing"
)

func TestCombingFindsEveryMessageThatIsLeft(t *testing.T) {
	js := ensured(t, serve(t))
	if _, err := NewAppender(js.Conn(), EventsStream).Append(t.Context(), facts(0, 1500, 10)); err != nil {
		t.Fatal(err)
	}
	owners := NewBucket(js, "learn_owners")
	if err := owners.Put(t.Context(), []Cell{{Key: "a", Value: []byte("1")}, {Key: "b", Value: []byte("2")}}); err != nil {
		t.Fatal(err)
	}
	for stream, want := range map[string]int{EventsStream: 1500, "KV_learn_owners": 2, InsightsStream: 0} {
		var all []Entry
		take := func(e Entry) error { all = append(all, e); return nil }
		if err := Comb(t.Context(), js, stream, take); err != nil || len(all) != want {
			t.Fatalf("%s: %d messages, want %d: %v", stream, len(all), want, err)
		}
		if want == 0 {
			continue
		}
		if err := EraseMsgs(t.Context(), js, stream, all[want-1:]); err != nil { // the last: nothing comes behind it
			t.Fatal(err)
		}
		all = nil
		if err := Comb(t.Context(), js, stream, take); err != nil || len(all) != want-1 {
			t.Errorf("%s: %d messages after one was erased: %v", stream, len(all), err)
		}
	}
	names, err := Streams(t.Context(), js)
	if err != nil || !slices.Contains(names, EventsStream) || !slices.Contains(names, "KV_learn_owners") {
		t.Errorf("%v %v", names, err)
	}
	if empty, err := Emptied(t.Context(), js, EventsStream, 1499); err != nil || empty {
		t.Errorf("emptied: %v %v", empty, err)
	}
}
