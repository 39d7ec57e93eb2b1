package app_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"learnloop.dev/app"
)

var (
	metricName = regexp.MustCompile(`learnloop_[a-z_]+`)
	ofSeries   = regexp.MustCompile(`_(bucket|sum|count)$`)
)

func TestAlertsAreAboutMetricsThatExist(t *testing.T) {
	rules, err := os.ReadFile("../deploy/prometheus/alerts.yml")
	if err != nil {
		t.Fatal(err)
	}
	known, seen := app.MetricNames(), 0
	for line := range strings.Lines(string(rules)) {
		for _, name := range metricName.FindAllString(line, -1) {
			if name = ofSeries.ReplaceAllString(name, ""); !slices.Contains(known, name) {
				t.Errorf("%s: there is no such metric", name)
			}
			seen++
		}
	}
	if seen == 0 {
		t.Error("the rules name no metric")
	}
}
