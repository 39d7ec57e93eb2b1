package main

import (
	"strings"
	"testing"
	"time"

	"learnloop.dev/api"
	"learnloop.dev/app"
)

// read is a stream with a reader that has so much before it.
func read(name string, pending uint64) api.StreamStatus {
	return api.StreamStatus{Name: name, Consumers: []api.ConsumerStatus{{Pending: pending}}}
}

func TestTheDoctorKnowsALoopThatIsUnwell(t *testing.T) {
	now := time.Now()
	for name, c := range map[string]struct {
		found app.Finding
		want  app.Verdict
		says  string
	}{
		"ready":            {stagesFinding(api.Status{Ready: true}), app.Fine, "all run"},
		"starting":         {stagesFinding(api.Status{Waiting: "analyzer"}), app.Faulty, "analyzer"},
		"same version":     {versionFinding(api.Status{Version: app.Version()}), app.Fine, ""},
		"other version":    {versionFinding(api.Status{Version: "v0.0.1"}), app.Worrying, "v0.0.1"},
		"same clock":       {clockFinding(api.Status{At: now.Add(time.Second)}, now, now.Add(2*time.Second)), app.Fine, ""},
		"slow answer":      {clockFinding(api.Status{At: now.Add(20 * time.Second)}, now, now.Add(25*time.Second)), app.Fine, ""},
		"clock behind":     {clockFinding(api.Status{At: now.Add(-time.Minute)}, now, now), app.Worrying, "1m0s apart"},
		"clock ahead":      {clockFinding(api.Status{At: now.Add(time.Hour)}, now, now), app.Worrying, "1h0m0s apart"},
		"inbox empty":      {inboxFinding(api.StreamStatus{Limit: 1 << 30, Consumers: make([]api.ConsumerStatus, 1)}), app.Fine, "0 B of 1.0 GiB"},
		"inbox full":       {inboxFinding(api.StreamStatus{Bytes: 95, Limit: 100, Consumers: make([]api.ConsumerStatus, 1)}), app.Faulty, "turned away"},
		"no ingest":        {inboxFinding(api.StreamStatus{Limit: 100}), app.Faulty, "nobody reads"},
		"nobody folds":     {readersFinding(aboutFolding, "facts", api.StreamStatus{}, api.StreamStatus{Name: "S"}), app.Faulty, "nobody reads S"},
		"a little to fold": {readersFinding(aboutFolding, "facts", read("", 9), read("", 9)), app.Fine, "9 facts"},
		"behind":           {readersFinding(aboutFolding, "facts", read("", 30_000), read("", 20_000)), app.Worrying, "20000 facts"},
		"stuck":            {readersFinding(aboutFolding, "facts", read("", 20_000), read("", 20_000)), app.Faulty, "does not get on"},
	} {
		if c.found.Verdict != c.want || !strings.Contains(c.found.Found, c.says) {
			t.Errorf("%s: %+v, want %s with %q", name, c.found, c.want, c.says)
		}
		if (c.found.Verdict == app.Fine) != (c.found.Do == "") {
			t.Errorf("%s: %+v: what is not fine says what to do", name, c.found)
		}
	}
}
