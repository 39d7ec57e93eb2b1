package experiments

import (
	"fmt"
	"time"
)

// moment is a point of event time: microseconds since 1970.
type moment int64

func momentOf(t time.Time) moment { return moment(t.UnixMicro()) }

// order writes a moment so that byte order is the order of time.
func (m moment) order() string { return fmt.Sprintf("%016x", uint64(m)^1<<63) }

// instant is a moment as a row: one that is there, even in 1970.
type instant struct {
	At moment `json:"at"`
	Is bool   `json:"is"`
}

// time is the moment as it is written down: years have four digits.
func (m moment) time() time.Time {
	const first, last = -62_135_596_800 * 1_000_000, 253_402_300_799*1_000_000 + 999_999
	return time.UnixMicro(min(max(int64(m), first), last)).UTC()
}
