package api

import (
	"context"
	"net/http"

	"learnloop.dev/events"
	"learnloop.dev/kv"
	"learnloop.dev/learn/learnings"
	"learnloop.dev/stats"
)

// registerLift lists the operation that tells what learnings do.
func (a *API) registerLift(r *Registry) {
	Add(r, Operation[LiftArgs, Lift]{
		Name: "learnings.lift", Method: http.MethodGet, Path: "/api/learnings/lift", Tag: "learnings", Access: Read,
		Summary: "What injection does to the success of tasks, or what one learning does",
		Description: "Of finished tasks. The loop is compared with tasks that got nothing, or a block that says nothing; a learning with " +
			"tasks that it was left out of. Intervals hold at all times together, however often one looks.",
		Aliases: map[string]string{"learning_id": "id"},
		Do:      a.lift,
	})
}

// LiftArgs name a learning, or none.
type LiftArgs struct {
	ID string `json:"id,omitzero" query:"id" doc:"A learning; of the whole loop when not given."`
}

// Lift is what injection does, or a learning.
type Lift struct {
	Holdout  *LoopLift `json:"holdout,omitzero" doc:"Against tasks that got nothing."`
	Placebo  *LoopLift `json:"placebo,omitzero" doc:"Against tasks that got a block that says nothing."`
	Both     *LoopLift `json:"both,omitzero" doc:"Against all of these."`
	Learning *OwnLift  `json:"learning,omitzero" doc:"Of the learning that was asked for."`
}

// LoopLift is the difference that injection makes.
type LoopLift struct {
	Treatment Tasks    `json:"treatment"`
	Control   Tasks    `json:"control"`
	Absolute  *float64 `json:"absolute" doc:"Of the rates of success; null while an arm is empty."`
	Relative  *float64 `json:"relative" doc:"To the rate of the control."`
	Lower     float64  `json:"lower" doc:"Of absolute."`
	Upper     float64  `json:"upper"`
	PValue    float64  `json:"p_value" doc:"That there is no difference; may be looked at any time."`
}

// Tasks are finished tasks, and those that succeeded.
type Tasks struct {
	N       int64 `json:"n"`
	Success int64 `json:"success"`
}

// OwnLift is the difference that one learning makes.
type OwnLift struct {
	ID       string  `json:"id"`
	With     Tasks   `json:"with"`
	Without  Tasks   `json:"without" doc:"It was selected for these, and left out by chance."`
	Effect   float64 `json:"effect" doc:"On the rate of success, borrowing from the tasks that other learnings were left out of."`
	Lower    float64 `json:"lower" doc:"Of effect."`
	Upper    float64 `json:"upper"`
	Believed float64 `json:"believed" doc:"The effect, drawn toward none as far as little is known."`
	Harm     float64 `json:"harm" doc:"The probability that it harms."`
	Belief   float64 `json:"belief" doc:"How far it is believed to help, by votes and tasks; selection goes by this."`
}

func (a *API) lift(ctx context.Context, in *LiftArgs) (*Lift, error) {
	if in.ID != "" {
		return a.liftOfLearning(in.ID)
	}
	parts, err := askModel[[]learnings.ArmPeriod](ctx, a.asker, question{Model: learnings.Name, Ask: learnings.AskArms}, nil)
	if err != nil {
		return nil, err
	}
	var periods []learnings.ArmPeriod
	for _, part := range parts { // all but one are empty
		periods = append(periods, part...)
	}
	return liftOfLoop(periods), nil
}

func liftOfLoop(periods []learnings.ArmPeriod) *Lift {
	return &Lift{
		Holdout: loopLift(periods, events.ArmHoldout), Placebo: loopLift(periods, events.ArmPlacebo),
		Both: loopLift(periods, events.ArmHoldout, events.ArmPlacebo),
	}
}

func loopLift(periods []learnings.ArmPeriod, against ...events.Arm) *LoopLift {
	l := learnings.LiftOf(against, periods...)
	return &LoopLift{tasks(l.Treatment), tasks(l.Control), l.Absolute, l.Relative, l.Interval.Lower, l.Interval.Upper, l.P}
}

func tasks(s stats.Share) Tasks { return Tasks{s.N, s.X} }

func (a *API) liftOfLearning(id string) (*Lift, error) {
	l, err := a.learning(kv.EntryKey(id))
	if err != nil {
		return nil, err
	}
	belief, e := a.deps.Recall.Effect(&l.Learning)
	in, out := l.Evidence.Tasks.In, l.Evidence.Tasks.Out
	return &Lift{Learning: &OwnLift{
		ID: id, With: Tasks{in.N, in.Success}, Without: Tasks{out.N, out.Success}, Effect: e.Estimate,
		Lower: e.Interval.Lower, Upper: e.Interval.Upper, Believed: e.Believed, Harm: e.Harm(), Belief: belief.Mean(),
	}}, nil
}
