package inject

import (
	"context"
	"fmt"

	"learnloop.dev/learn"
)

// People knows the names under which people are shown.
type People interface {
	// Show returns the shown names of stored ones.
	Show(ctx context.Context, names []string) ([]string, error)
}

// label gives the keys that are people the names under which they are shown, and
// withholds what is known of them where people have no contexts.
func (s Stage) label(ctx context.Context, topics []*topic) error {
	var people []*topic
	var names []string
	for _, t := range topics {
		if t.key.Kind == learn.KindPerson {
			t.withheld = !s.Personal.allowed()
			people, names = append(people, t), append(names, t.key.ID)
		}
	}
	if s.Personal.Names == nil || len(people) == 0 {
		return nil
	}
	var shown []string
	err := s.retry(ctx, "show people", func() (err error) {
		shown, err = s.Personal.Names.Show(ctx, names)
		return err
	})
	if err != nil {
		return fmt.Errorf("show %d people: %w", len(names), err)
	}
	for i, t := range people {
		t.shown.ID = shown[i]
	}
	return nil
}
