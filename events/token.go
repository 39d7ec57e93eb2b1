package events

import (
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"strings"
)

// tokenLimit is the longest encoded part of a subject or key, in bytes.
const tokenLimit = 200

// Token encodes an id as one part of a NATS subject or KV key: bytes outside
// A-Z a-z 0-9 - _ / become =XX (upper-case hex), so that the id can be read
// back. A part over 200 bytes becomes "=h" and a hash; the value then holds the
// id (SPEC section 6).
func Token(id string) string {
	if id == "" {
		return "="
	}
	if len(id) <= tokenLimit && plainOnly(id) {
		return id
	}
	var b strings.Builder
	for i := range len(id) {
		if c := id[i]; plain(c) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "=%02X", c)
		}
	}
	if b.Len() <= tokenLimit {
		return b.String()
	}
	sum := sha256.Sum256([]byte(id))
	return "=h" + strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:20]))
}

// Untoken reads an id back; false when the token holds only a hash or is malformed.
func Untoken(token string) (string, bool) {
	if token == "=" {
		return "", true
	}
	var b strings.Builder
	for i := 0; i < len(token); i++ {
		c := token[i]
		if c != '=' {
			if !plain(c) {
				return "", false
			}
			b.WriteByte(c)
			continue
		}
		if i+2 >= len(token) || !isHex(token[i+1]) || !isHex(token[i+2]) {
			return "", false
		}
		b.WriteByte(unhex(token[i+1])<<4 | unhex(token[i+2]))
		i += 2
	}
	return b.String(), true
}

func plainOnly(id string) bool {
	for i := range len(id) {
		if !plain(id[i]) {
			return false
		}
	}
	return true
}

func plain(c byte) bool {
	return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' ||
		c == '-' || c == '_' || c == '/'
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c >= 'A' && c <= 'F' }

func unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c - 'A' + 10
}

// Partition maps the blind hash of a group key to one of n partitions.
func Partition(blind string, n int) int {
	h := uint64(14695981039346656037) // FNV-1a, then MurmurHash3's finaliser: FNV's low bits are linear
	for i := range len(blind) {
		h = (h ^ uint64(blind[i])) * 1099511628211
	}
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	h ^= h >> 33
	return int(h % uint64(n))
}
