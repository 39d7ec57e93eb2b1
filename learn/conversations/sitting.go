package conversations

import (
	"cmp"
	"hash/fnv"
	"slices"

	"learnloop.dev/inorder"
)

// mostSittings is how many sessions of a day a sum tells apart; the others are counted.
const mostSittings = 100

// sitting is a session as sums keep it, so that one that goes on after midnight is not
// taken for two.
type sitting struct {
	ID    uint32 `json:"id"`             // a hash of the session's
	N     int64  `json:"n,omitzero"`     // exchanges
	First int64  `json:"first,omitzero"` // of those, Unix microseconds
	Last  int64  `json:"last,omitzero"`
}

// sittingOf is a session under the name that sums know it by.
func sittingOf(session string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(session)) // a hash takes everything
	return h.Sum32()
}

// sittings are the sessions of a person, by their ids.
func (all evidence) sittings() []sitting {
	by := map[string]*sitting{}
	for _, x := range all {
		if x.Session == "" {
			continue
		}
		s, known := by[x.Session]
		if !known {
			s = &sitting{ID: sittingOf(x.Session)}
			by[x.Session] = s
		}
		if x.recorded {
			*s = s.plus(sitting{s.ID, 1, x.At, x.At})
		}
	}
	list := make([]sitting, 0, len(by))
	for _, s := range by {
		list = append(list, *s)
	}
	return joined(list)
}

// plus is both parts of a session together.
func (s sitting) plus(o sitting) sitting {
	switch {
	case s.N == 0:
		return o
	case o.N == 0:
		return s
	}
	return sitting{s.ID, s.N + o.N, min(s.First, o.First), max(s.Last, o.Last)}
}

// joined puts the parts of sessions together.
func joined(list []sitting) []sitting {
	inorder.Sort(list, func(a, b sitting) int { return cmp.Compare(a.ID, b.ID) })
	var whole []sitting
	for _, s := range list {
		if last := len(whole) - 1; last >= 0 && whole[last].ID == s.ID {
			whole[last] = whole[last].plus(s)
			continue
		}
		whole = append(whole, s)
	}
	return whole
}

// settle counts sessions; so many of the latest it leaves told apart.
func (k *known) settle(most int) {
	all := joined(k.Sittings)
	inorder.Sort(all, func(a, b sitting) int { return cmp.Compare(b.Last, a.Last) })
	k.Sittings = all[:min(len(all), most)]
	for _, s := range all[len(k.Sittings):] {
		k.Sessions++
		if s.Last > s.First {
			k.Hours.Sessions, k.Hours.Micros = k.Hours.Sessions+1, k.Hours.Micros+s.Last-s.First
		}
	}
	if len(k.Sittings) == 0 {
		k.Sittings = nil
	}
}

// settle counts sessions; so many it leaves told apart.
func (s *Summary) settle(most int) {
	slices.Sort(s.Sittings)
	all := slices.Compact(s.Sittings)
	some := min(len(all), most)
	s.Sessions += int64(len(all) - some)
	s.Sittings = all[:some]
	if some == 0 {
		s.Sittings = nil
	}
}
