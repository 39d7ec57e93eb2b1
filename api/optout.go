package api

import (
	"context"

	"learnloop.dev/privacy"
)

// OptOutArgs say what a person does not want, or wants again.
type OptOutArgs struct {
	Caller `json:"-"`

	User     string `json:"user" path:"user" doc:"The raw user id."`
	TeamOnly bool   `json:"team_only,omitzero" query:"team_only" doc:"Only leaves the person out of what is shared with others."`
	Undo     bool   `json:"undo,omitzero" query:"undo" doc:"Takes it back."`
	Actor    string `json:"actor,omitzero" query:"actor" maxLength:"200" doc:"Who changes it, for the history."`
}

func (a *OptOutArgs) check() error { return checkID("user", a.User) }

// Choosing is a person's choice on its way into force.
type Choosing struct {
	User     string `json:"user"` // raw id
	Actor    string `json:"actor"`
	TeamOnly bool   `json:"team_only,omitzero"`
	Undo     bool   `json:"undo,omitzero"`
}

// Decide makes of what the person chose before what is to hold.
func (o Choosing) Decide(c privacy.Choice) privacy.Choice {
	c.ParticipateInTeamLearning = o.Undo
	if !o.TeamOnly {
		c.Capture = o.Undo
	}
	return c
}

// optOut carries out what a person chose.
func (a *API) optOut(ctx context.Context, in *OptOutArgs) (*privacy.Choice, error) {
	next, err := a.deps.Governor.Choose(ctx, Choosing{in.User, actorOf(in.Actor), in.TeamOnly, in.Undo})
	return &next, err
}
