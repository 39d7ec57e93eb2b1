package rules

import (
	"fmt"
	"math"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/stats"

	"github.com/go-json-experiment/json"
)

// priorName is the name of the control.prior that carries the calibration of
// stated confidences over all rules of all partitions.
const priorName = "calibration"

const priorRow = "prior" // prior, of the summary

// prior is the latest global calibration a partition has heard of.
type prior struct {
	At     int64             `json:"at"` // event time, Unix nanoseconds
	Global stats.Calibration `json:"global"`
}

// hearPrior keeps the latest global calibration. Every rule is known anew then:
// what is known about a rule must not depend on when it was last asked for.
func hearPrior(rows learn.Rows, f *events.Fact[events.Prior]) {
	var global stats.Calibration
	if f.Data.Model != Name || f.Data.Name != priorName || json.Unmarshal(f.Data.Value, &global) != nil {
		return
	}
	p := learn.At[prior](rows, summaryKey(), priorRow)
	at := f.Time.UnixNano()
	if p.At != 0 && at < p.At {
		return
	}
	p.At, p.Global = at, global
	for _, c := range cells(rows) {
		learn.Touch(rows, ruleKey(c.Rule))
	}
}

// Prior is the fact that tells every partition the global calibration, which is
// the sum of what the partitions answer to AskCalibration.
func Prior(global stats.Calibration) (*events.Prior, error) {
	value, err := json.Marshal(global)
	if err != nil {
		return nil, fmt.Errorf("encode prior %s of %s: %w", priorName, Name, err)
	}
	return &events.Prior{Model: Name, Name: priorName, Value: value}, nil
}

// notable is how far a calibrated confidence moves before the partitions are told.
const notable = 0.01

// Moved reports whether the global calibration changed so much that a new Prior
// is due.
func Moved(was, is stats.Calibration) bool {
	for bin := range stats.Bins {
		middle := (float64(bin) + 0.5) / stats.Bins
		if math.Abs(was.Calibrate(middle, nil)-is.Calibrate(middle, nil)) > notable {
			return true
		}
	}
	return false
}
