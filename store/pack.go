package store

import (
	"bytes"

	"github.com/klauspost/compress/s2"
)

// packer compresses what is written, in buffers of its own: what it returns takes
// no more than it must while it waits to be written.
type packer struct{ raw, packed []byte }

// pack returns what gather appends, compressed, behind a head.
func (p *packer) pack(head []byte, gather func(raw []byte) []byte) []byte {
	p.raw = gather(p.raw[:0])
	if room := s2.MaxEncodedLen(len(p.raw)); cap(p.packed) < room {
		p.packed = make([]byte, room)
	}
	packed := s2.Encode(p.packed[:cap(p.packed)], p.raw)
	return bytes.Join([][]byte{head, packed}, nil)
}
