package events

import (
	"slices"
	"strings"
	"testing"
)

// official are samples as MPLP v1 has them, one of each published form.
var official = map[string]string{
	"core": `{"sample_id":"6f1c1d0e-9a54-4c0b-8d1e-0f6a2c9b7e11","sample_family":"pipeline_outcome","created_at":"2026-01-02T03:04:05.000Z",
		"input":{"stage":"build"},"state":{"roles":["planner"]},"output":{"status":"ok"},
		"meta":{"source_flow_id":"FLOW-03","source_event_ids":["6f1c1d0e-9a54-4c0b-8d1e-0f6a2c9b7e12"],"quality_score":0.7}}`,
	"intent": `{"sample_id":"6f1c1d0e-9a54-4c0b-8d1e-0f6a2c9b7e13","sample_family":"intent_resolution","created_at":"2026-01-02T03:04:05Z",
		"input":{"intent_id":"i-1","raw_request_summary":"Wants a weekly report","dialog_turns_count":2},
		"state":{"project_phase":"brownfield","psg_node_count":12},
		"output":{"final_intent_summary":"A report every Monday","plan_id":"6f1c1d0e-9a54-4c0b-8d1e-0f6a2c9b7e14","resolution_quality_label":"good"},
		"meta":{"project_id":"6f1c1d0e-9a54-4c0b-8d1e-0f6a2c9b7e15","human_feedback_label":"approved","clarification_rounds":1,"ambiguity_flags":["vague_scope"]}}`,
	"delta": `{"sample_id":"6f1c1d0e-9a54-4c0b-8d1e-0f6a2c9b7e16","sample_family":"delta_impact","created_at":"2026-01-02T03:04:05Z",
		"input":{"delta_id":"d-1","intent_id":"i-1","delta_type":"correction","change_summary":"On Tuesdays instead"},
		"state":{"affected_artifact_count":1,"risk_level":"low"},
		"output":{"actual_impact_summary":"One step moved","impact_scope":"local","comp_plan_required":false},
		"meta":{"human_feedback_label":"rejected","predicted_vs_actual_accuracy":"accurate"}}`,
}

func TestOfficialSamplesAreTakenAndTheirMetaJudgesThem(t *testing.T) {
	for form, want := range map[string]SampleFeedback{
		"core":   {Source: BySystem, Type: Score, QualityLabel: Good},
		"intent": {Source: ByUser, Type: Approval, QualityLabel: Good},
		"delta":  {Source: ByUser, Type: Rejection, QualityLabel: Poor},
	} {
		p, refusal := Decode(SampleCaptured, []byte(official[form]))
		if refusal.Refused() {
			t.Errorf("%s: %+v", form, refusal)
			continue
		}
		s := p.(*Sample)
		if s.Feedback.Source != want.Source || s.Feedback.Type != want.Type || s.Feedback.QualityLabel != want.QualityLabel || s.State == nil {
			t.Errorf("%s: %+v", form, s)
		}
		if found := s.Strict(); len(found) > 0 {
			t.Errorf("%s strictly: %+v", form, found)
		}
	}
}

func TestAScoreIsALabelAtItsBounds(t *testing.T) {
	for score, want := range map[string]QualityLabel{"1": Good, "0.7": Good, "0.69": Acceptable, "0.4": Acceptable, "0.39": Poor, "0": Poor} {
		data := strings.Replace(official["core"], `"quality_score":0.7`, `"human_feedback_label":"not_reviewed","quality_score":`+score, 1)
		p, refusal := Decode(SampleCaptured, []byte(data))
		if refusal.Refused() || p.(*Sample).Feedback.QualityLabel != want {
			t.Errorf("%s: %+v %+v, want %s", score, refusal, p, want)
		}
	}
}

func TestWithoutAnyJudgementTheMissingFieldIsNamed(t *testing.T) {
	for _, meta := range []string{`{}`, `{"human_feedback_label":"not_reviewed"}`, `null`, `{"quality_score":1.5}`, `{"quality_score":"high"}`} {
		i := strings.Index(official["core"], `"meta"`)
		_, refusal := Decode(SampleCaptured, []byte(official["core"][:i]+`"meta":`+meta+"}"))
		if refusal.Reason != ReasonSchema || !slices.ContainsFunc(refusal.Violations, func(v Violation) bool { return v.Pointer == "/feedback" }) {
			t.Errorf("%s: %+v", meta, refusal)
		}
	}
}

func TestStrictlyIdsAreUUIDs(t *testing.T) {
	for name, c := range map[string]struct{ was, is, pointer string }{
		"sample": {"6f1c1d0e-9a54-4c0b-8d1e-0f6a2c9b7e13", "sample-1", "/sample_id"},
		"digits": {"6f1c1d0e-9a54-4c0b-8d1e-0f6a2c9b7e13", "6f1c1d0e-9a54-4c0b-8d1e-0f6a2c9b7e1g", "/sample_id"},
		"dashes": {"6f1c1d0e-9a54-4c0b-8d1e-0f6a2c9b7e13", "6f1c1d0e09a54-4c0b-8d1e-0f6a2c9b7e13", "/sample_id"},
		"plan":   {"6f1c1d0e-9a54-4c0b-8d1e-0f6a2c9b7e14", "plan-1", "/output/plan_id"},
		"flow":   {"6f1c1d0e-9a54-4c0b-8d1e-0f6a2c9b7e15", "project", "/meta/project_id"},
		"events": {`"human_feedback_label"`,
			`"source_event_ids":["6f1c1d0e-9a54-4c0b-8d1e-0f6a2c9b7e12","evt-1"],"human_feedback_label"`, "/meta/source_event_ids/1"},
	} {
		p, refusal := Decode(SampleCaptured, []byte(strings.Replace(official["intent"], c.was, c.is, 1)))
		if refusal.Refused() {
			t.Errorf("%s: tolerantly %+v", name, refusal)
			continue
		}
		if found := p.(*Sample).Strict(); len(found) != 1 || found[0].Pointer != c.pointer || strings.Contains(found[0].Expected, c.is) {
			t.Errorf("%s: %+v", name, found)
		}
	}
}
