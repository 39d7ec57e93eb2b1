package app_test

import (
	"context"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"learnloop.dev/api"
	"learnloop.dev/bus"
	"learnloop.dev/pipeline/forget"

	"github.com/go-json-experiment/json"
)

// settingsKeys are the keys of the settings bucket that begin with a text.
func (l *living) settingsKeys(t *testing.T, prefix string) (found []string) {
	t.Helper()
	cells, err := bus.NewBucket(l.js, "learn_settings").Find(t.Context(), prefix+"*") // a watch may wait for what is removed meanwhile
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cells {
		found = append(found, c.Key)
	}
	return found
}

// order gives an order to forget somebody, and waits for its report no longer than
// a while.
func (l *living) order(t *testing.T, user string, while time.Duration) {
	t.Helper()
	var first struct {
		Confirm api.Pledge `json:"confirm"`
	}
	if err := l.client.Call(t.Context(), "forget", map[string]any{"user": user}, &first); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), while)
	defer cancel()
	_ = l.client.Call(ctx, "forget", map[string]any{"user": user, "confirm": first.Confirm.Token}, nil) // its process may be killed
}

// reports waits until no order is left and returns the reports.
func (l *living) reports(t *testing.T) (all []forget.Report) {
	t.Helper()
	for deadline := time.Now().Add(patience); len(l.settingsKeys(t, "forgetting.")) > 0; {
		if time.Now().After(deadline) {
			t.Fatal("the order was not carried out")
		}
	}
	bucket, err := l.js.KeyValue(t.Context(), "learn_settings")
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range l.settingsKeys(t, "forgotten.") {
		e, err := bucket.Get(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		var r forget.Report
		if err := json.Unmarshal(e.Value(), &r); err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}

func TestKilledWhileForgettingItIsTakenUpAgain(t *testing.T) {
	rounds, random := 1, rand.New(rand.NewPCG(2, 2))
	if os.Getenv("LEARNLOOP_E2E") != "" {
		rounds = 40
	}
	people := life("ben-4711", "ann-4711")
	for range rounds {
		dir := t.TempDir()
		a := meet(t, dir)
		a.hear(t, people)
		a.stop()
		for life := range 3 {
			d := spawn(t, dir)
			if life == 0 {
				d.order(t, "ann-4711", time.Duration(random.IntN(600))*time.Millisecond)
			} else {
				d.rest(t, time.Duration(random.IntN(400))*time.Millisecond)
			}
			d.kill()
		}
		b := meet(t, dir)
		reports := b.reports(t)
		if len(reports) == 0 { // killed before the order was written down
			b.forgotten(t, "ann-4711")
			reports = b.reports(t)
		}
		for _, r := range reports {
			if r.Scan.Found != 0 || r.Records["feedback.fix"] != 30 {
				t.Errorf("%+v", r)
			}
		}
		b.reflected(t, 0)
		b.nowhere(t, "ann-4711", b.Stored("ann-4711"))
		differ(t, "after forgetting in several lives", b.contexts(t), known(t, dir, without(people, "ann-4711")))
		b.stop()
	}
}

// rest lets a victim work for a while.
func (d *doomed) rest(t *testing.T, while time.Duration) {
	t.Helper()
	select {
	case <-time.After(while):
	case <-t.Context().Done():
	}
}
