package app_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"learnloop.dev/kv"

	"github.com/go-json-experiment/json"
)

// compared are outcomes of an experiment that somebody else assigns: one in two units of
// control succeeds, and all but one in ten of treatment.
func compared(from, to int) [][]byte {
	var all [][]byte
	for i := from; i < to; i++ {
		variant, value := "control", i/2%2
		if i%2 == 0 {
			variant, value = "treatment", 1
			if i%20 == 0 {
				value = 0
			}
		}
		at := time.Date(2026, 3, 1, 9, 0, i, 0, time.UTC).Format(time.RFC3339)
		all = append(all, fmt.Appendf(nil, `{"specversion":"1.0","id":"o%d","source":"t","type":"dev.learnloop.experiment.outcome.v1","time":%q,`+
			`"data":{"experiment":"sheet","unit_id":"u%d","value":%d,"variant":%q}}`, i, at, i, value, variant))
	}
	return all
}

// verdict waits until an experiment is decided.
func (l *living) verdict(t *testing.T, name string) (c struct {
	Recommendation string `json:"recommendation"`
	TreatmentN     int    `json:"treatment_n"`
	Decision       *struct {
		TreatmentN int       `json:"treatment_n"`
		PValue     float64   `json:"p_value"`
		At         time.Time `json:"at"`
	} `json:"decision"`
},
) {
	t.Helper()
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, errors.New("no verdict"))
	defer cancel()
	bucket, err := l.js.KeyValue(ctx, "learn_contexts")
	if err != nil {
		t.Fatal(err)
	}
	watch, err := bucket.Watch(ctx, kv.Key("experiment", name))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = watch.Stop() }()
	for {
		select {
		case <-ctx.Done():
			t.Fatal(context.Cause(ctx))
		case e := <-watch.Updates():
			if e == nil {
				continue
			}
			c.Decision = nil
			if err := json.Unmarshal(e.Value(), &c); err != nil {
				t.Fatal(err)
			}
			if c.Decision != nil {
				return c
			}
		}
	}
}

func TestAVerdictIsGivenOnceAndSurvivesWhatComesAfterIt(t *testing.T) {
	dir := t.TempDir()
	l, stop := start(t, dir, "clock.ticks=false")
	l.publish(t, compared(0, 240))
	first := l.verdict(t, "sheet")
	if first.Recommendation != "adopt_treatment" || first.Decision.TreatmentN < 100 || first.Decision.PValue >= .05 {
		t.Fatalf("%+v, %+v", first, first.Decision)
	}
	l.publish(t, compared(240, 300))
	l.reflected(t, 300)
	if next := l.verdict(t, "sheet"); *next.Decision != *first.Decision || next.TreatmentN != 150 {
		t.Errorf("%+v, %+v", next, next.Decision)
	}
	stop()
	if err := os.RemoveAll(filepath.Join(dir, "state")); err != nil {
		t.Fatal(err)
	}
	again, _ := start(t, dir, "clock.ticks=false")
	again.reflected(t, 0)
	if next := again.verdict(t, "sheet"); *next.Decision != *first.Decision || next.TreatmentN != 150 {
		t.Errorf("folded again: %+v, %+v", next, next.Decision)
	}
}
