package privacy

import (
	"encoding/binary"
	"math/bits"
)

const keccakRate = 136 // bytes absorbed at once for a sum of 256 bits

var keccakRounds = [24]uint64{
	0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b, 0x0000000080000001,
	0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
	0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003, 0x8000000000008002, 0x8000000000000080,
	0x000000000000800a, 0x800000008000000a, 0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
}

// keccak256 hashes a text of less than one block as Ethereum does, with the padding from before SHA-3;
// a longer text is cut.
func keccak256(text []byte) [32]byte {
	var block [keccakRate]byte
	n := copy(block[:keccakRate-1], text)
	block[n] ^= 0x01
	block[keccakRate-1] ^= 0x80
	var state [25]uint64
	for i := range keccakRate / 8 {
		state[i] = binary.LittleEndian.Uint64(block[8*i:])
	}
	for _, constant := range keccakRounds {
		keccakRound(&state, constant)
	}
	var sum [32]byte
	for i := range 4 {
		binary.LittleEndian.PutUint64(sum[8*i:], state[i])
	}
	return sum
}

// keccakRound is one round of the permutation: theta, rho and pi, chi, iota.
func keccakRound(a *[25]uint64, constant uint64) {
	var column [5]uint64
	for x := range 5 {
		column[x] = a[x] ^ a[x+5] ^ a[x+10] ^ a[x+15] ^ a[x+20]
	}
	for x := range 5 {
		d := column[(x+4)%5] ^ bits.RotateLeft64(column[(x+1)%5], 1)
		for y := 0; y < 25; y += 5 {
			a[x+y] ^= d
		}
	}
	var b [25]uint64
	b[0] = a[0]
	for x, y, t := 1, 0, 0; t < 24; t++ {
		offset := (t + 1) * (t + 2) / 2
		from := a[x+5*y]
		x, y = y, (2*x+3*y)%5
		b[x+5*y] = bits.RotateLeft64(from, offset%64)
	}
	for y := 0; y < 25; y += 5 {
		for x := range 5 {
			a[x+y] = b[x+y] ^ ^b[(x+1)%5+y]&b[(x+2)%5+y]
		}
	}
	a[0] ^= constant
}
