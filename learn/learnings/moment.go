package learnings

import (
	"fmt"
	"strconv"
	"time"

	"learnloop.dev/learn"
)

// moment is a point of event time: microseconds since 1970.
type moment int64

// What a moment is made of.
const (
	microsecond moment = 1
	day                = 24 * 60 * 60 * 1_000_000 * microsecond
)

func momentOf(t time.Time) moment { return moment(t.UnixMicro()) }

// time is the moment as it is written down: years have four digits.
func (m moment) time() time.Time {
	return time.UnixMicro(min(max(int64(m), firstWritten), lastWritten)).UTC()
}

// The first and the last moment that can be written down.
const (
	firstWritten = -62_135_596_800 * 1_000_000
	lastWritten  = 253_402_300_799*1_000_000 + 999_999
)

// order writes a moment so that byte order is the order of time.
func (m moment) order() string { return fmt.Sprintf("%016x", uint64(m)^1<<63) }

// backward writes a moment so that byte order is the latest first.
func (m moment) backward() string { return fmt.Sprintf("%016x", ^(uint64(m) ^ 1<<63)) }

// orderWidth is the length of a moment in the name of a row.
const orderWidth = 16

// momentIn reads the moment that a row's name begins with, in order.
func momentIn(name string) moment {
	v, _ := strconv.ParseUint(name[:orderWidth], 16, 64) // we wrote it
	return moment(v ^ 1<<63)
}

// readBackward reads what backward wrote.
func readBackward(text string) moment {
	v, _ := strconv.ParseUint(text, 16, 64) // we wrote it
	return moment(^v ^ 1<<63)
}

// first is the first of some rows that is there, and the rest of its name.
func first[T comparable](rows learn.Rows, key learn.Key, prefix string) (name string, value T, found bool) {
	for row, v := range learn.Scan[T](rows, key, prefix) {
		return row[len(prefix):], v, true
	}
	return "", value, false
}

// instant is a moment as a row: one that is there, even in 1970.
type instant struct {
	At moment `json:"at"`
	Is bool   `json:"is"`
}

// latest is a multiset of moments that knows the last of them, after removals too.
// It owns the row of its name, which holds the last one, and those whose names begin
// with its name and ">".
type latest struct {
	rows learn.Rows
	key  learn.Key
	set  string
}

// add puts a member in some times, or takes it out, and returns the last before and now.
func (l latest) add(m moment, times int64) (was, is instant) {
	n := learn.At[int64](l.rows, l.key, l.set+">"+m.backward())
	*n += times
	was = l.last()
	is = was
	switch {
	case times > 0 && (!was.Is || m > was.At):
		is = instant{m, true}
	case *n == 0 && m == was.At:
		is = l.found()
	default:
		return was, is
	}
	*learn.At[instant](l.rows, l.key, l.set) = is
	return was, is
}

// last is the latest member, if there is one.
func (l latest) last() instant { return learn.Peek[instant](l.rows, l.key, l.set) }

// found looks for it among all.
func (l latest) found() instant {
	for row := range learn.Scan[int64](l.rows, l.key, l.set+">") {
		return instant{readBackward(row[len(l.set)+1:]), true}
	}
	return instant{}
}
