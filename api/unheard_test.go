package api

import (
	"strings"
	"sync/atomic"
	"testing"

	"learnloop.dev/learn/experiments"

	"github.com/go-json-experiment/json/jsontext"
)

func TestWhyAnExperimentIsNotThereIsAskedForAllAtOnce(t *testing.T) {
	h := build(t)
	var asked, alone atomic.Int64
	h.employ(t, analyst{numbers: []int{0, 1, 2, 3}, asked: func(_, _ string, _ jsontext.Value) (any, error) {
		asked.Add(1)
		rounds := h.api.registry.rounds
		rounds.mu.Lock()
		defer rounds.mu.Unlock()
		if rounds.now["experiments.heard none"] == nil { // others would not wait for it
			alone.Add(1)
		}
		return experiments.Heard{Records: 3}, nil
	}})
	for _, path := range []string{"/api/experiments/none", "/api/experiments/none/report"} {
		if got := h.get(t, path); got.status != 404 || !strings.Contains(got.problem(t).Detail, "names no variant") {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
	if asked.Load() == 0 || alone.Load() > 0 {
		t.Errorf("of %d questions %d are nobody else's", asked.Load(), alone.Load())
	}
}
