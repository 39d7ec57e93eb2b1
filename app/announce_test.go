package app_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

const sampleType = "dev.learnloop.sample.captured.v1"

// sample is the data of one; pairs of strings replace parts of it.
func sample(replace ...string) string {
	const data = `{"sample_id":"s1","sample_family":"intent_resolution","created_at":"2026-01-02T03:04:05Z",` +
		`"input":{"intent_text":"Book a flight"},"output":{"result":"booked"},` +
		`"feedback":{"source":"user","type":"approval","quality_label":"good"}}`
	return strings.NewReplacer(replace...).Replace(data)
}

// dated is an event with a time of its producer.
func dated(id, at, ceType, data string) message {
	return structured(strings.Replace(event(id, ceType, data), `"data":`, `"time":"`+at+`","data":`, 1))
}

func TestAStoredSampleIsAnnouncedOnceForEachContent(t *testing.T) {
	a := meet(t, t.TempDir())
	heard, err := a.living.nc.SubscribeSync("learn.out.sample.captured")
	if err != nil {
		t.Fatal(err)
	}
	if err := a.living.nc.Flush(); err != nil {
		t.Fatal(err)
	}
	a.publish(t, dated("1", "2026-01-02T03:04:05Z", sampleType, sample()))
	a.drained(t)
	a.post(t, dated("1", "2026-01-02T03:04:05Z", sampleType, sample())) // again, through the other door
	a.post(t, dated("2", "2026-01-03T03:04:05Z", sampleType, sample("good", "poor")))
	a.post(t, dated("3", "2026-01-03T03:04:05Z", sampleType, sample("s1", "s2")))
	a.reflected(t, 3)
	ids, samples := map[string]bool{}, map[string]int{}
	for late := time.Now().Add(patience); samples["s2"] == 0 && time.Now().Before(late); {
		m, err := heard.NextMsg(patience)
		if err != nil {
			t.Fatal(err)
		}
		samples[announced(t, m)]++
		if ids[m.Header.Get("ce-id")] {
			t.Errorf("told twice: %v %s", m.Header, m.Data)
		}
		ids[m.Header.Get("ce-id")] = true
	}
	if n := samples["s1"]; n < 1 || n > 2 { // the first content may have been replaced before it was told
		t.Errorf("told of %v", samples)
	}
	if m, err := heard.NextMsg(time.Second); !errors.Is(err, nats.ErrTimeout) {
		t.Errorf("one more: %s", m.Data)
	}
}

// announced checks a notice and returns which sample it is about.
func announced(t *testing.T, m *nats.Msg) string {
	t.Helper()
	var n struct {
		EventFamily string `json:"event_family"`
		EventType   string `json:"event_type"`
		Payload     struct {
			SampleID     string `json:"sample_id"`
			SampleFamily string `json:"sample_family"`
		} `json:"payload"`
	}
	decode(t, m.Data, &n)
	if n.EventFamily != "external_integration" || n.EventType != "learning_sample_captured" || n.Payload.SampleFamily != "intent_resolution" ||
		m.Header.Get("ce-type") != "dev.learnloop.learning_sample_captured.v1" {
		t.Errorf("%v %s", m.Header, m.Data)
	}
	return n.Payload.SampleID
}
