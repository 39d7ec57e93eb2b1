package ingest

import (
	"maps"
	"slices"

	"learnloop.dev/events"

	"github.com/go-json-experiment/json"
)

// weights are those that the arms of a unit give the parts of a quality score, nil where
// none does. Of two arms the last by name counts.
func (d *Designs) weights(unit events.ID) (w *events.ScoreWeights) {
	if unit == "" {
		return nil
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	for _, name := range slices.Sorted(maps.Keys(d.known)) {
		is := d.known[name].now
		if is.External || !is.IsActive || len(is.ControlConfig)+len(is.TreatmentConfig)+len(is.Treatments) == 0 {
			continue
		}
		if arm := events.Assign(name, &is, string(unit)); arm.Variant != "" {
			if set := weightsOf(is.Config(arm.Variant)); set != nil {
				w = set
			}
		}
	}
	return w
}

// weightsOf are the weights that the configuration of an arm has, nil when it has none
// that can be used.
func weightsOf(config []byte) *events.ScoreWeights {
	var arm struct {
		Weights *struct {
			Relevance   float64 `json:"relevance"`
			Helpfulness float64 `json:"helpfulness"`
			Engagement  float64 `json:"engagement"`
			Clarity     float64 `json:"clarity"`
			Accuracy    float64 `json:"accuracy"`
		} `json:"weights"`
	}
	if len(config) == 0 || json.Unmarshal(config, &arm) != nil || arm.Weights == nil {
		return nil
	}
	of := func(x float64) events.Milli { return events.Milli(float64(1000*min(max(x, 0), 1)) + 0.5) }
	w := arm.Weights
	set := events.ScoreWeights{
		Relevance: of(w.Relevance), Helpfulness: of(w.Helpfulness), Engagement: of(w.Engagement), Clarity: of(w.Clarity), Accuracy: of(w.Accuracy),
	}
	if set == (events.ScoreWeights{}) {
		return nil
	}
	return &set
}
