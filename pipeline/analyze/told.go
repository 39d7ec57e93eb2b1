package analyze

import (
	"encoding/binary"
	"fmt"
)

// toldMeta remembers a marker's sequence that the stream of insights had a window
// ago.
const toldMeta = "told"

// told watches over what was published: nobody waits until insights are on disk, so
// that a crash of the server may take the last ones. Those of the last window are
// published again in any case (see store). If more is gone, the stream ends before a
// marker that we know of, and everything is published again.
type told struct{ stored, next uint64 }

// remember writes the last marker of the window before; the state must be flushed.
func (f *folder) remember() error {
	if f.told.next != f.told.stored {
		if err := f.Store.SetMeta(toldMeta, binary.BigEndian.AppendUint64(nil, f.told.next)); err != nil {
			return err
		}
		f.told.stored = f.told.next
	}
	f.told.next = f.lastMark()
	return nil
}

func (f *folder) lastMark() (last uint64) {
	for _, seq := range f.Marks {
		last = max(last, seq)
	}
	return last
}

// recall marks every key when insights are lost.
func (f *folder) recall() error {
	data, err := f.Store.Meta(toldMeta)
	if err != nil {
		return fmt.Errorf("read what was published: %w", err)
	}
	f.told.next = f.lastMark()
	if len(data) != 8 || binary.BigEndian.Uint64(data) <= f.lastMark() {
		return nil
	}
	for p := range f.Marks {
		if err := f.Store.MarkAll(p); err != nil {
			return err
		}
	}
	return nil
}
