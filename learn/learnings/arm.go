package learnings

import (
	"errors"
	"fmt"

	"learnloop.dev/events"
	"learnloop.dev/stats"
)

// Selection is the rule by which learnings are selected for a task.
type Selection string

// The rules of selection.
const (
	// ByPosterior ranks by relevance and belief, and measures what injection does.
	ByPosterior Selection = "posterior"
	// ByThreshold is the documented rule (001, injection): by relevance among those of
	// enough confidence; nothing is explored, held out or left out.
	ByThreshold Selection = "threshold"
)

// Trial says how learnings are selected for tasks, and which share of them goes
// without so that it can be seen what they do. A share of 0 switches off.
type Trial struct {
	Selection Selection
	Most      int     // learnings per task
	Holdout   float64 // share of tasks that get nothing
	Placebo   float64 // share of tasks that get a block of the same shape that says nothing
	LeftOut   float64 // share of selected learnings that are left out, each for itself
	Explored  float64 // share of tasks with a slot for a learning that was not selected
}

// DefaultTrial is the trial that runs unless somebody chooses another.
func DefaultTrial() Trial {
	return Trial{Selection: ByPosterior, Most: 5, Holdout: .05, Placebo: .05, LeftOut: .2, Explored: .1}
}

// Check says what is wrong with a trial.
func (t Trial) Check() error {
	for _, share := range []struct {
		name string
		of   float64
	}{{"holdout", t.Holdout}, {"placebo", t.Placebo}, {"left_out", t.LeftOut}, {"explored", t.Explored}} {
		if !(share.of >= 0 && share.of < 1) {
			return fmt.Errorf("check trial: %s must be at least 0 and below 1, not %g", share.name, share.of)
		}
	}
	switch {
	case t.Selection != ByPosterior && t.Selection != ByThreshold:
		return errors.New("check trial: selection must be posterior or threshold")
	case t.Holdout+t.Placebo >= 1:
		return errors.New("check trial: holdout and placebo leave no task to treat")
	case t.Most < 1:
		return fmt.Errorf("check trial: most must be at least 1, not %d", t.Most)
	}
	return nil
}

// The uses of chance: each has a salt of its own, so that they are independent.
const (
	saltArm     = "learnings/arm"
	saltLeftOut = "learnings/left-out"
	saltExplore = "learnings/explore"
	saltDraw    = "learnings/draw"
)

// Arm is what a task gets, the same for the same task, with the probability of
// that arm. A larger share of holdouts or placebos only adds tasks to them.
func (t Trial) Arm(task string) (arm events.Arm, propensity float64) {
	u, shares := stats.Bucket(saltArm, task), t.Shares()
	switch {
	case u < shares.Holdout:
		return events.ArmHoldout, shares.Holdout
	case u >= 1-shares.Placebo:
		return events.ArmPlacebo, shares.Placebo
	}
	return events.ArmTreatment, shares.treatment()
}

// Shares are the probabilities of the arms.
func (t Trial) Shares() ArmShares {
	if t.Selection == ByThreshold {
		return ArmShares{}
	}
	return ArmShares{t.Holdout, t.Placebo}
}

// LeastConfidence is what a learning needs to be selected by the documented rule; the
// other has no bar, since a bar hides what it would have to be seen to judge.
func (t Trial) LeastConfidence() float64 {
	if t.Selection == ByThreshold {
		return documented
	}
	return 0
}

// leftOut reports whether a learning that was selected for a task is left out.
func (t Trial) leftOut(task, learning string) bool {
	return stats.Bucket(saltLeftOut, joined(task, learning)) < t.LeftOut
}

// joined is one text for two ids.
func joined(task, learning string) string { return task + "\x00" + learning }
