package outcomes

import (
	"slices"
	"strconv"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
)

// Rows of everything.
const (
	totalRow = "total" // totals
	listRows = "list/" // listed, by kind and token
	tickRow  = "tick"  // int64: the last day that began, and one
)

// totals count tasks.
type totals struct {
	Completed int64 `json:"completed,omitzero"`
	Failed    int64 `json:"failed,omitzero"`
	Cancelled int64 `json:"cancelled,omitzero"`
	Subtasks  int64 `json:"subtasks,omitzero"` // run or not
}

func (t *totals) add(status events.TaskStatus, by int64) {
	switch status {
	case events.Completed:
		t.Completed += by
	case events.Failed:
		t.Failed += by
	case events.Cancelled:
		t.Cancelled += by
	}
}

// listed is a key that has rows: how often it was seen, and the sum of the days, which
// is the day when it was seen once.
type listed struct {
	ID   string `json:"id"`
	N    int64  `json:"n"`
	Days int64  `json:"days"`
	// Beside are the rows that are no sightings: choices, and what was said.
	Beside int64 `json:"beside,omitzero"`
}

func listRow(key learn.Key) string { return listRows + key.Kind + "/" + events.Token(key.ID) }

func listedOf(rows learn.Rows, key learn.Key) listed {
	return learn.Peek[listed](rows, allKey(), listRow(key))
}

// list counts that a key was seen n times on days of that sum, or −n times.
func list(rows learn.Rows, key learn.Key, n, days int64) {
	l := learn.At[listed](rows, allKey(), listRow(key))
	was := *l
	l.ID, l.N, l.Days = key.ID, l.N+n, l.Days+days
	l.settle()
	if was.N == 1 {
		*learn.At[bool](rows, dueKey(), dueRow(key, was.Days)) = false
	}
	if l.N == 1 {
		*learn.At[bool](rows, dueKey(), dueRow(key, l.Days)) = true
	}
}

// settle lets go of a key without rows.
func (l *listed) settle() {
	if l.N == 0 && l.Beside == 0 {
		*l = listed{}
	}
}

// beside counts that a key has a row more that is no sighting, or one less.
func beside(rows learn.Rows, key learn.Key, by int64) {
	l := learn.At[listed](rows, allKey(), listRow(key))
	l.ID, l.Beside = key.ID, l.Beside+by
	l.settle()
}

// sighting counts that a key was seen once on a day.
func sighting(rows learn.Rows, key learn.Key, day, by int64) { list(rows, key, by, by*day) }

// all lists the keys of a kind that have rows.
func all(rows learn.Rows, kind string) (list []listed) {
	for _, l := range learn.Scan[listed](rows, allKey(), listRows+kind+"/") {
		list = append(list, l)
	}
	return list
}

// seen lists the keys of a kind that were seen.
func seen(rows learn.Rows, kind string) []listed {
	return slices.DeleteFunc(all(rows, kind), func(l listed) bool { return l.N == 0 })
}

// keeps is how many days something stays that was seen once (004, data retention).
const keeps = 90

// stale reports whether something was seen once and too long ago.
func stale(rows learn.Rows, n, lastDay int64) bool {
	today := learn.Peek[int64](rows, allKey(), tickRow)
	return n == 1 && today > 0 && lastDay < today-1-keeps
}

func (l listed) stale(rows learn.Rows) bool { return stale(rows, l.N, l.Days) }

func dueRow(key learn.Key, day int64) string {
	return orderedDay(day) + "/" + key.Kind + "/" + events.Token(key.ID)
}

// orderedDay writes a day so that byte order is the order of time.
func orderedDay(day int64) string { return strconv.FormatInt(day+daysToEpoch, 10) }

const daysToEpoch = 50_000_000 // so that every year a timestamp can name has eight digits

// tick begins a day: what was seen once, long enough ago, is not told any more. It is
// not taken out: whether it is told depends on the records and the day alone, in
// whatever order they came.
func tick(rows learn.Rows, f *events.Fact[events.Tick]) {
	day := dayOf(f.Time)
	if at, err := time.Parse(time.DateOnly, f.Data.Date); err == nil {
		day = dayOf(at)
	}
	today := learn.Peek[int64](rows, allKey(), tickRow)
	if day < 0 || day+1 <= today {
		return
	}
	*learn.At[int64](rows, allKey(), tickRow) = day + 1
	from, to := orderedDay(today-1-keeps), orderedDay(day-keeps)
	for _, id := range due(rows, from, to, today == 0) {
		learn.Touch(rows, id)
	}
}

// due lists the keys that were seen once, between two days.
func due(rows learn.Rows, from, to string, first bool) (keys []learn.Key) {
	for row := range learn.Scan[bool](rows, dueKey(), "") {
		if row >= to {
			break
		}
		if !first && row < from {
			continue
		}
		if key, ok := dueIn(rows, row); ok {
			keys = append(keys, key)
		}
	}
	return keys
}

// dueIn is the key that a row names.
func dueIn(rows learn.Rows, row string) (learn.Key, bool) {
	rest := row[len(orderedDay(0))+1:]
	l := learn.Peek[listed](rows, allKey(), listRows+rest)
	for _, kind := range []string{KindTask, KindGoal, KindTemplate} {
		if len(rest) > len(kind) && rest[:len(kind)+1] == kind+"/" {
			return learn.Key{Kind: kind, ID: l.ID}, l.N == 1
		}
	}
	return learn.Key{}, false
}
