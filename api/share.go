package api

import (
	"context"

	"learnloop.dev/learn/rules"
)

// ShareArgs are empty: what is shared is decided by the settings and by people,
// not by who asks. A choice of rules or of a period would let somebody subtract
// one answer from another.
type ShareArgs struct {
	Caller `json:"-"`
}

// share answers what others may see.
func (a *API) share(ctx context.Context, _ *ShareArgs) (*rules.Share, error) {
	if err := a.licensed(kindRule); err != nil {
		return nil, err
	}
	s := a.deps.Settings()
	if !s.ParticipateInTeamLearning {
		return nil, problem(NotAllowed, "this installation does not take part in team learning").
			hint("learnloop privacy set participate_in_team_learning=true")
	}
	args := rules.ShareArgs{Threshold: s.TeamThreshold}
	if a.deps.Absent != nil {
		args.Without = a.deps.Absent()
	}
	parts, err := askModel[rules.Share](ctx, a.asker, question{Model: rules.Name, Ask: rules.AskShare}, args)
	if err != nil {
		return nil, err
	}
	all := rules.MergeShares(parts...)
	return &all, nil
}
