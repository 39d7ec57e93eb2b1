package analyze

import (
	"slices"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/inorder"
	"learnloop.dev/learn"
	"learnloop.dev/store"
)

// Survey asks what an order would take, before it is given. One of its ways is set.
type Survey struct {
	// At is when the order would be given.
	At time.Time `json:"at"`
	// Cleared asks for what a clearing would take.
	Cleared *events.DataCleared `json:"cleared,omitzero"`
	// Subjects asks for the records of people by their blind indexes.
	Subjects []string `json:"subjects,omitzero"`
	// Name asks for the people who go by a pseudonym.
	Name string `json:"name,omitzero"`
}

// Census is what a partition found.
type Census struct {
	Counts map[events.Kind]int `json:"counts,omitzero"`
	// People are the blind indexes of those who go by the name, and Names the
	// pseudonyms of those asked for.
	People []string `json:"people,omitzero"`
	Names  []string `json:"names,omitzero"`
}

// Merge adds what another partition found.
func (c *Census) Merge(other Census) {
	if c.Counts == nil {
		c.Counts = map[events.Kind]int{}
	}
	for kind, n := range other.Counts {
		c.Counts[kind] += n
	}
	c.People = union(c.People, other.People)
	c.Names = union(c.Names, other.Names)
}

func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// Census answers a survey for every partition of this process.
func (a Answerer) Census(s Survey) ([]Part, error) {
	return a.each(func(p store.Frozen) (any, error) { return s.count(p), nil })
}

// count looks at the records of a partition.
func (s Survey) count(p store.Frozen) (c Census) {
	c.Counts = map[events.Kind]int{}
	if s.Name != "" {
		for rec := range p.InLogOrder(learn.Select{}) {
			if h := rec.Header(); h.Person != "" && nameOf(rec) == s.Name && !slices.Contains(c.People, h.Person) {
				c.People = append(c.People, h.Person)
			}
		}
	}
	for _, order := range s.orders() {
		own := &events.Head{Recorded: s.At}
		for rec := range p.InLogOrder(selects(order)) {
			if order.Takes(own, rec.Header()) {
				c.Counts[rec.Header().Kind()]++
				c.name(rec)
			}
		}
	}
	return c
}

// name notes by which name a person goes.
func (c *Census) name(rec events.Recorded) {
	if name := nameOf(rec); name != "" && !slices.Contains(c.Names, name) {
		c.Names = append(c.Names, name)
	}
}

// nameOf is whom a record is about as it is stored: the person's pseudonym, or the
// unit's.
func nameOf(rec events.Recorded) string {
	if u, ok := rec.Payload().(interface{ Unit() string }); ok {
		return u.Unit()
	}
	return rec.Payload().Person()
}

// orders are the control facts that a survey asks about.
func (s Survey) orders() (list []events.Sweeper) {
	if s.Cleared != nil {
		list = append(list, s.Cleared)
	}
	for _, subject := range s.Subjects {
		list = append(list, &events.SubjectForgotten{Subject: subject, Before: s.At})
	}
	return list
}

// Oldest is when the first record of a kind that is still there was stored, in the
// order of the log; zero when there is none.
func (a Answerer) Oldest(kind events.Kind) (oldest time.Time, err error) {
	err = a.Store.View(func(v *store.View) error {
		for _, p := range a.Partitions {
			if v.Partition(p).Count(kind) == 0 {
				continue // else all records would be looked through for one
			}
			for rec := range v.Partition(p).Oldest(kind) {
				if at := rec.Header().Recorded; oldest.IsZero() || at.Before(oldest) {
					oldest = at
				}
				break
			}
		}
		return nil
	})
	return oldest, err
}

// Excess is the first record that stays when only so many of a kind may, the oldest
// going first; false when there are no more than that.
func (a Answerer) Excess(kind events.Kind, keep int) (first events.Age, over bool, err error) {
	var ages []events.Age
	err = a.Store.View(func(v *store.View) error {
		total := 0
		for _, p := range a.Partitions {
			total += v.Partition(p).Count(kind)
		}
		if over = total > keep; !over {
			return nil
		}
		ages = make([]events.Age, 0, total)
		for _, p := range a.Partitions {
			for rec := range v.Partition(p).Oldest(kind) {
				ages = append(ages, events.Age{Recorded: rec.Header().Recorded, Record: rec.Header().Record})
			}
		}
		return nil
	})
	if err != nil || !over {
		return first, false, err
	}
	inorder.Sort(ages, events.Age.Compare)
	return ages[len(ages)-keep], true, nil
}
