package learnings

import (
	"learnloop.dev/learn"
)

// insight is what is known about one entry, or of all the pool.
type insight struct {
	Pool Pool `json:"pool,omitzero"`

	Status       Status `json:"status"`
	Fields       fields `json:"fields"`
	SupersededBy string `json:"superseded_by,omitzero"`
	Supersedes   string `json:"supersedes,omitzero"`
	Reason       string `json:"reason,omitzero"`
	Revisions    int64  `json:"revisions,omitzero"`

	Sources []Source `json:"sources,omitzero"`
	Created moment   `json:"created"`
	Updated moment   `json:"updated"`

	Usage      usage   `json:"usage"`
	LastUsed   instant `json:"last_used,omitzero"`
	LastHelped instant `json:"last_helped,omitzero"`

	Initial level  `json:"initial"`
	Path    path   `json:"path"`
	Idle    int64  `json:"idle,omitzero"` // periods
	Credit  Credit `json:"credit,omitzero"`
}

// know reads an entry, false when there is none, proposed or not; or the pool.
func know(rows learn.Rows, key learn.Key) (insight, bool) {
	if key == PoolKey() {
		pool := learn.Peek[Pool](rows, key, poolRow)
		return insight{Pool: pool}, pool != Pool{}
	}
	if key.Kind != KindLearning {
		return insight{}, false
	}
	e := learn.Peek[summary](rows, key, summaryRow).entry()
	if e.Status == "" {
		return insight{}, false
	}
	sources, echoed := echoes(rows, key)
	texts, edits, lastEdit := edited(rows, key, e.Fields)
	k := insight{
		Status: e.Status, Fields: texts, SupersededBy: e.SupersededBy, Supersedes: e.Supersedes,
		Reason: e.Reason, Created: e.Created,
		Revisions: edits + learn.Peek[int64](rows, key, echoesRow), Updated: e.Updated, Sources: sources,
		Usage:      learn.Peek[usage](rows, key, usageRow),
		LastUsed:   latest{rows, key, usedSet}.last(),
		LastHelped: latest{rows, key, helpedSet}.last(),
		Initial:    e.Initial,
		Path:       learn.Peek[path](rows, key, pathRow),
		Idle:       learn.Peek[idle](rows, key, idleRow).Periods,
		Credit:     learn.Peek[Credit](rows, key, creditRow),
	}
	for _, later := range []instant{echoed, lastEdit} {
		if later.Is {
			k.Updated = max(k.Updated, later.At)
		}
	}
	if k.Path.Steps > 0 {
		k.Updated = max(k.Updated, momentIn(k.Path.Last))
	}
	return k, true
}

// confidence is the documented one: the walk, and what time took since the last use.
func (k insight) confidence() level { return k.Path.walk(k.Initial).decayed(k.Idle) }
