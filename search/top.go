package search

import (
	"cmp"
	"strings"

	"learnloop.dev/inorder"
)

// top keeps the best hits that it is offered.
type top struct {
	limit int
	hits  []Hit // once full, a heap with the worst at its root
}

func better(x, y Hit) int {
	return cmp.Or(cmp.Compare(y.Score, x.Score), strings.Compare(x.ID, y.ID))
}

// bar is the score below which nothing gets in. Who reaches it may, by its id.
func (t *top) bar() float64 {
	if len(t.hits) < t.limit {
		return -1
	}
	return t.hits[0].Score
}

func (t *top) offer(h Hit) {
	switch {
	case len(t.hits) < t.limit:
		t.hits = append(t.hits, h)
		t.up(len(t.hits) - 1)
	case better(h, t.hits[0]) < 0:
		t.hits[0] = h
		t.down()
	}
}

func (t *top) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if better(t.hits[i], t.hits[parent]) <= 0 {
			return
		}
		t.hits[i], t.hits[parent] = t.hits[parent], t.hits[i]
		i = parent
	}
}

func (t *top) down() {
	i := 0
	for {
		worst := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(t.hits); child++ {
			if better(t.hits[child], t.hits[worst]) > 0 {
				worst = child
			}
		}
		if worst == i {
			return
		}
		t.hits[i], t.hits[worst] = t.hits[worst], t.hits[i]
		i = worst
	}
}

// sorted returns the hits, best first.
func (t *top) sorted() []Hit {
	inorder.Sort(t.hits, better)
	return t.hits
}
