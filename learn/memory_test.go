package learn

import (
	"fmt"
	"slices"
	"testing"
)

func TestRowsAreScannedInOrderWhileOthersCome(t *testing.T) {
	m := &Memory{}
	rows := Rows{m, "model"}
	key := Key{Kind: "kind"}
	var want []string
	for n := range 3000 {
		name := fmt.Sprintf("%d/%04d", n%3, n*7919%3000)
		*At[int64](rows, key, name) = 1
		if n%3 == 1 {
			want = append(want, name)
		}
		if n%500 == 499 { // some go again
			*At[int64](rows, key, want[0]) = 0
			want = want[1:]
			m.Commit()
		}
		if n%97 != 0 {
			continue
		}
		var got []string
		for row := range Scan[int64](rows, key, "1/") {
			got = append(got, row)
		}
		if slices.Sort(want); !slices.Equal(got, want) {
			t.Fatalf("after %d: %d rows, want %d", n+1, len(got), len(want))
		}
	}
}
