package chart_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"learnloop.dev/chart"
)

// checkXML holds a drawing to be one well-formed document.
func checkXML(t *testing.T, svg []byte) {
	t.Helper()
	for d := xml.NewDecoder(strings.NewReader(string(svg))); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, svg)
		}
	}
}

func TestAnyPointsMakeADrawing(t *testing.T) {
	for name, points := range map[string][]chart.Point{
		"none": nil, "one": {{10, .1, .1, .1}}, "all zero": {{1, 0, 0, 0}, {2, 0, 0, 0}},
		"no numbers": {{1, math.NaN(), 0, 1}, {2, 0, math.Inf(-1), 1}, {0, 0, 0, 1}, {3, 1, 0, 2}},
		"huge":       {{1, 1e308, -1e308, 1e308}, {math.MaxInt64, 1e300, -1e300, 1e300}},
	} {
		t.Run(name, func(t *testing.T) {
			svg := chart.Sequence(`a <b> & "c"`, points)
			checkXML(t, svg)
			if s := string(svg); strings.Contains(s, "NaN") || strings.Contains(s, "Inf") || strings.Contains(s, "<b>") {
				t.Errorf("%s", s)
			}
		})
	}
}

func TestMoreLiesHigherAndLaterLiesFurtherRight(t *testing.T) {
	svg := string(chart.Sequence("x", []chart.Point{{100, 0, -1, 1}, {200, .5, 0, 1}}))
	if !strings.Contains(svg, `<polyline points="344.0,160.0 624.0,100.0"`) {
		t.Error(svg)
	}
}

func ExampleSequence() {
	svg := chart.Sequence("task_success: treatment minus control", []chart.Point{{100, .05, -.2, .3}, {400, .08, .01, .15}})
	fmt.Println(strings.Count(string(svg), "<svg"), strings.Contains(string(svg), "400 outcomes"))
	// Output: 1 true
}
