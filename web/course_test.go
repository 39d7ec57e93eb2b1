package web

import (
	"strings"
	"testing"

	"learnloop.dev/api"
	"learnloop.dev/chart"
	h "learnloop.dev/web/markup"
)

func TestCourseHasAFewMarks(t *testing.T) {
	for _, p := range []chart.Point{
		{N: 400, Value: 1000, Lower: 999.99, Upper: 1000.01}, {N: 400, Value: -1000, Lower: -1000.01, Upper: -999.99},
		{N: 400, Value: 9999, Lower: 9998, Upper: 10000}, {N: 400, Value: 1e-9, Lower: -1e-9, Upper: 2e-9}, {N: 400},
	} {
		text := string(h.Document(course(api.ExperimentChart{Variant: "treatment", Points: []chart.Point{p}})))
		if n := strings.Count(text, "<line"); n < 4 || n > 24 { // two drawings
			t.Errorf("%v: %d lines", p, n)
		}
	}
}

func TestShareIsANumber(t *testing.T) {
	for text, good := range map[string]bool{"20": true, "0.5": true, "": false, "NaN": false, "Inf": false, "-inf": false, "1e999": false} {
		if n, err := shareOf(text); (err == nil) != good {
			t.Errorf("%q: %v, %v", text, n, err)
		}
	}
}
