package learnings_test

import (
	"math"
	"strconv"
	"testing"

	"learnloop.dev/events"
	"learnloop.dev/learn/learnings"
	"learnloop.dev/stats"
)

const manyTasks = 20_000

// even fails unless a share is what chance makes of a probability.
func even(t *testing.T, what string, of stats.Share, p float64) {
	t.Helper()
	if off := math.Abs(float64(of.X)-p*float64(of.N)) / math.Sqrt(float64(of.N)*p*(1-p)); off > 4 {
		t.Errorf("%s: %d of %d, want %.3f of them", what, of.X, of.N, p)
	}
}

func TestATwentiethOfTheTasksIsHeldOutAndAnotherGetsAPlacebo(t *testing.T) {
	trial := learnings.DefaultTrial()
	seen := map[events.Arm]int{}
	for i := range manyTasks {
		arm, propensity := trial.Arm("task-" + strconv.Itoa(i))
		again, _ := trial.Arm("task-" + strconv.Itoa(i))
		seen[arm]++
		if want := map[events.Arm]float64{events.ArmHoldout: .05, events.ArmPlacebo: .05}[arm]; again != arm ||
			want > 0 && propensity != want || want == 0 && math.Abs(propensity-.9) > 1e-12 {
			t.Fatalf("task %d: %s with %g, then %s", i, arm, propensity, again)
		}
	}
	even(t, "holdout", stats.Share{X: int64(seen[events.ArmHoldout]), N: manyTasks}, .05)
	even(t, "placebo", stats.Share{X: int64(seen[events.ArmPlacebo]), N: manyTasks}, .05)
}

func TestALargerHoldoutKeepsItsTasks(t *testing.T) {
	small, large := learnings.DefaultTrial(), learnings.DefaultTrial()
	large.Holdout, large.Placebo = .2, .1
	for i := range manyTasks {
		task := "task-" + strconv.Itoa(i)
		was, _ := small.Arm(task)
		is, _ := large.Arm(task)
		if was != events.ArmTreatment && is != was {
			t.Fatalf("%s went from %s to %s", task, was, is)
		}
	}
}

func TestWhereArmsAreSwitchedOffEveryTaskIsTreated(t *testing.T) {
	off, documented := learnings.DefaultTrial(), learnings.DefaultTrial()
	off.Holdout, off.Placebo = 0, 0
	documented.Selection = learnings.ByThreshold
	for i := range 1000 {
		for _, trial := range []learnings.Trial{off, documented} {
			if arm, p := trial.Arm(strconv.Itoa(i)); arm != events.ArmTreatment || p != 1 {
				t.Fatalf("task %d: %s with %g", i, arm, p)
			}
		}
	}
}

// Left out, explored and drawn have to be independent of each other and between
// learnings, or one would be taken for the other's effect.
func TestTheUsesOfChanceAreIndependent(t *testing.T) {
	trial := learnings.DefaultTrial()
	trial.Most = 3
	var left, both, explored, exploredAndLeft int
	for i := range manyTasks {
		chosen := trial.Select("task-"+strconv.Itoa(i), fiveAlike())
		first, second := chosen[0].LeftOut, chosen[1].LeftOut
		left += count(first)
		both += count(first && second)
		explored += count(chosen[2].Explored)
		exploredAndLeft += count(chosen[2].Explored && first)
	}
	even(t, "left out", stats.Share{X: int64(left), N: manyTasks}, .2)
	even(t, "both left out", stats.Share{X: int64(both), N: manyTasks}, .04)
	even(t, "explored", stats.Share{X: int64(explored), N: manyTasks}, .1)
	even(t, "explored and left out", stats.Share{X: int64(exploredAndLeft), N: manyTasks}, .02)
}

func fiveAlike() []learnings.Candidate {
	var found []learnings.Candidate
	for i := range 5 {
		found = append(found, learnings.Candidate{
			ID: "learn_" + strconv.Itoa(i), Relevance: 1 - float64(i)/100, Belief: stats.Beta{A: 3 + float64(i%3), B: 2}, Confidence: .6,
		})
	}
	return found
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func TestATrialThatCannotBeIsRefused(t *testing.T) {
	for name, spoil := range map[string]func(*learnings.Trial){
		"selection": func(t *learnings.Trial) { t.Selection = "best" },
		"negative":  func(t *learnings.Trial) { t.Holdout = -.1 },
		"all":       func(t *learnings.Trial) { t.LeftOut = 1 },
		"nan":       func(t *learnings.Trial) { t.Explored = math.NaN() },
		"no task":   func(t *learnings.Trial) { t.Holdout, t.Placebo = .5, .5 },
		"none":      func(t *learnings.Trial) { t.Most = 0 },
	} {
		trial := learnings.DefaultTrial()
		if err := trial.Check(); err != nil {
			t.Fatal(err)
		}
		spoil(&trial)
		if trial.Check() == nil {
			t.Errorf("%s passes", name)
		}
	}
}
