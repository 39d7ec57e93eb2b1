package ingest

import (
	"strings"
	"testing"

	"learnloop.dev/events"
)

// plantedSample holds what must not be kept in every open part, some levels down.
const plantedSample = `{"sample_id":"6f1c1d0e-9a54-4c0b-8d1e-0f6a2c9b7e11","sample_family":"error_correction","created_at":"2026-01-02T03:04:05Z",
	"input":{"intent_text":"Mail in.put@example.com",
		"context":{"files":[{"path":"conf/prod.env","content":"IN_OPTED=1"}],"deep":[[{"who":"in.deep@example.com"}]]}},
	"state":{"open":{"notes":["state@example.com"],"key.pem":"STATE_OPTED"}},
	"output":{"result":{"mail":{"to":"out.put@example.com"}},"files":{"app.secret":"OUT_OPTED"}},
	"feedback":{"source":"user","type":"correction","quality_label":"acceptable","details":{"user_feedback":"ask det.ail@example.com",
		"corrected_fields":["a"],"patch":"--- a/x.tfstate\n+++ b/x.tfstate\n@@ -1 +1 @@\n-x\n+DETAIL_OPTED\n"}},
	"meta":{"author":{"mail":"me.ta@example.com"},"attachments":[{"name":"id_rsa","data":"META_OPTED"}]}}`

func sampleEnvelope(data string) events.Envelope {
	env := envelope("e1", data)
	env.Kind = events.SampleCaptured.Kind
	return env
}

func TestNothingPersonalAndNothingOptedOutIsKeptOfASampleAtAnyDepth(t *testing.T) {
	g := gate(t, defaults())
	v, err := g.Admit("learn.in.sample.captured", sampleEnvelope(plantedSample))
	if err != nil || v.Refusal.Refused() || len(v.Messages) != 1 {
		t.Fatalf("%v %+v", err, v)
	}
	kept := string(v.Messages[0].Data)
	for _, planted := range []string{"example.com", "IN_OPTED", "STATE_OPTED", "OUT_OPTED", "DETAIL_OPTED", "META_OPTED"} {
		if strings.Contains(kept, planted) {
			t.Errorf("%s is kept: %s", planted, kept)
		}
	}
	for _, harmless := range []string{"intent_text", "corrected_fields", "[EMAIL_1]", `"quality_label":"acceptable"`, `"sample_family":"error_correction"`} {
		if !strings.Contains(kept, harmless) {
			t.Errorf("%s is lost: %s", harmless, kept)
		}
	}
}

func TestAStrictLoopRefusesSamplesThatBreakTheirFormats(t *testing.T) {
	loose := strings.Replace(plantedSample, "6f1c1d0e-9a54-4c0b-8d1e-0f6a2c9b7e11", "sample-1", 1)
	for name, c := range map[string]struct {
		strict bool
		data   string
		want   string
	}{
		"tolerant": {false, loose, ""},
		"strict":   {true, loose, "/sample_id"},
		"right":    {true, plantedSample, ""},
	} {
		h := house(t, defaults())
		policy := h.Policy()
		h.Policy, h.StrictSamples = func() *Policy { return policy }, c.strict
		g, err := NewGate(h)
		if err != nil {
			t.Fatal(err)
		}
		v, err := g.Admit("learn.in.sample.captured", sampleEnvelope(c.data))
		got := ""
		for _, violation := range v.Refusal.Violations {
			got += violation.Pointer
		}
		if err != nil || got != c.want || v.Refusal.Refused() != (c.want != "") {
			t.Errorf("%s: %v %+v", name, err, v.Refusal)
		}
	}
}
