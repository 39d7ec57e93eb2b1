package store_test

import (
	"fmt"
	"slices"
	"testing"

	"learnloop.dev/learn"
	"learnloop.dev/store"
)

func TestRecordsBehindALogSequenceAreThoseThatFollowIt(t *testing.T) {
	s, _ := openStore(t)
	const last = 1000 // some blocks
	var all []string
	for seq := uint64(2); seq <= last; {
		b := s.Begin()
		for range 30 {
			all = append(all, fmt.Sprintf("r%d@%d", seq, seq))
			put(t, b.Partition(1), head(fmt.Sprintf("r%d", seq), seq))
			seq += 2
		}
		commit(t, b)
	}
	view(t, s, func(v *store.View) {
		for _, after := range []uint64{0, 1, 2, 3, 511, 512, 513, 514, last - 1, last, 2 * last} {
			var want []string
			for i, name := range all {
				if uint64(2*i+2) > after {
					want = append(want, name)
				}
			}
			sel := learn.Select{Key: passive.ID, After: after}
			if got := ids(v.Partition(1).InLogOrder(sel)); !slices.Equal(got, want) {
				t.Errorf("behind %d: %d records from %v on, want %d", after, len(got), got[:min(1, len(got))], len(want))
			}
			if got := ids(v.Partition(1).Each(sel)); len(got) != len(want) {
				t.Errorf("behind %d by time: %d records, want %d", after, len(got), len(want))
			}
		}
	})
}
