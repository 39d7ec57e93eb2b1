package events

import (
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The sample families of source document 002; any other name is a family too.
const (
	IntentResolution = "intent_resolution"
	ErrorCorrection  = "error_correction"
	PlanOptimization = "plan_optimization"
	DialogResponse   = "dialog_response"
)

// Sample is one learning sample: what went in, what came out, and how good it
// was (002 section 3; MPLP v1).
type Sample struct {
	SampleID     ID             `json:"sample_id" privacy:"id"`
	SampleFamily string         `json:"sample_family" privacy:"id"`
	CreatedAt    time.Time      `json:"created_at"`
	Input        jsontext.Value `json:"input" privacy:"open"`
	Output       jsontext.Value `json:"output" privacy:"open"`
	Feedback     SampleFeedback `json:"feedback,omitzero"`
	State        jsontext.Value `json:"state,omitzero" privacy:"open"`
	Meta         jsontext.Value `json:"meta,omitzero" privacy:"open"`
	Moment
}

// FeedbackSource says who judged a sample.
type FeedbackSource string

// The sources of a sample's feedback.
const (
	ByUser   FeedbackSource = "user"
	BySystem FeedbackSource = "system"
)

// SampleVerdict is the form a sample's feedback took.
type SampleVerdict string

// The types of a sample's feedback.
const (
	Approval   SampleVerdict = "approval"
	Rejection  SampleVerdict = "rejection"
	Correction SampleVerdict = "correction"
	Score      SampleVerdict = "score"
)

// QualityLabel says how good a sample is.
type QualityLabel string

// The quality labels.
const (
	Good       QualityLabel = "good"
	Acceptable QualityLabel = "acceptable"
	Poor       QualityLabel = "poor"
)

// SampleFeedback says who judged the sample, how, and with which result.
type SampleFeedback struct {
	Source       FeedbackSource `json:"source" privacy:"enum"`
	Type         SampleVerdict  `json:"type" privacy:"enum"`
	Details      jsontext.Value `json:"details,omitzero" privacy:"open"`
	QualityLabel QualityLabel   `json:"quality_label,omitzero" privacy:"enum"`
}

// Identity is the sample id.
func (s *Sample) Identity() []string { return named(s.SampleID) }

// Parts addresses the sample to its family.
func (s *Sample) Parts() []Part {
	return []Part{{Group: ByFamily, Key: s.SampleFamily, Kind: SampleCaptured.Kind, Data: s}}
}

// Person is nobody.
func (*Sample) Person() string { return "" }

// Settle fills in missing feedback from the meta of an MPLP v1 sample (SPEC
// section 2).
func (s *Sample) Settle() {
	if s.Feedback.Source != "" {
		return
	}
	var meta struct {
		Label any `json:"human_feedback_label"`
		Score any `json:"quality_score"`
	}
	if json.Unmarshal(s.Meta, &meta) != nil {
		return
	}
	switch meta.Label {
	case "approved":
		s.Feedback = SampleFeedback{Source: ByUser, Type: Approval, QualityLabel: Good}
	case "rejected":
		s.Feedback = SampleFeedback{Source: ByUser, Type: Rejection, QualityLabel: Poor}
	default:
		if score, ok := meta.Score.(float64); ok {
			s.Feedback = SampleFeedback{Source: BySystem, Type: Score, QualityLabel: LabelOf(score)}
		}
	}
}

// LabelOf turns a quality score from 0 to 1 into a label: good from 0.7 on, acceptable
// from 0.4 on (SPEC section 2).
func LabelOf(score float64) QualityLabel {
	switch {
	case score >= 0.7:
		return Good
	case score >= 0.4:
		return Acceptable
	}
	return Poor
}
