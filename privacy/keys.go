package privacy

import (
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"fmt"
)

// minMaster is the shortest master key accepted, in bytes.
const minMaster = 32

// Namespace separates pseudonyms, so that the same id in two roles cannot be linked.
type Namespace string

// The namespaces of SPEC §3.
const (
	Users    Namespace = "users"
	Sessions Namespace = "sessions"
	Units    Namespace = "units"
)

// Keys derives every secret of an installation from its master key; it is immutable and safe for concurrent use.
type Keys struct {
	prk   []byte // what HKDF extracted from the master key
	fixed keyed  // never rotated: record identity, partition, person index, and the names that are stored
	id    string // names the fixed key inside what it made
}

// NewKeys derives the keys of an installation from a master key of at least 32 bytes.
func NewKeys(master []byte) (*Keys, error) {
	if len(master) < minMaster {
		return nil, fmt.Errorf("derive keys: master key has %d bytes, needs %d", len(master), minMaster)
	}
	prk, err := hkdf.Extract(sha256.New, master, []byte("learnloop/v1"))
	if err != nil {
		return nil, fmt.Errorf("derive keys: %w", err)
	}
	k := &Keys{prk: prk}
	k.fixed = newKeyed(k.Derive("fixed", sha256.Size))
	k.id = k.fixed.hash("key id")[:keyIDs]
	return k, nil
}

// keyIDs is how long the name of a key is inside what it made.
const keyIDs = 4

// ID names the key behind pseudonyms and shields, as it appears in them.
func (k *Keys) ID() string { return k.id }

// Pseudonym replaces an id by the name under which it is stored, which only this installation can derive and
// which never changes; [Labels] are the names that are shown. The empty id stays empty.
func (k *Keys) Pseudonym(ns Namespace, id string) string {
	if id == "" {
		return ""
	}
	return "p" + k.id + "_" + k.fixed.hash("pseudonym", string(ns), id)
}

// Shield replaces an identifier that holds something personal, as a whole, so that distinct ones stay distinct.
func (k *Keys) Shield(id string) string {
	return "x" + k.id + "_" + k.fixed.hash("shield", id)
}

// Blind is the fixed keyed hash of parts under a label: 128 bits in lower-case base32.
func (k *Keys) Blind(label string, parts ...string) string {
	return k.fixed.hash(label, parts...)
}

// BlindData is Blind of data and then parts, without a copy of the data.
func (k *Keys) BlindData(label string, data []byte, parts ...string) string {
	return k.fixed.hashData(label, data, parts)
}

// Derive returns n secret bytes (at most 8160, else it panics) that belong to label alone, for example to encrypt a store.
func (k *Keys) Derive(label string, n int) []byte {
	secret, err := hkdf.Expand(sha256.New, k.prk, "learnloop/"+label, n)
	if err != nil {
		panic(fmt.Sprintf("privacy: derive %s: %v", label, err))
	}
	return secret
}

// keyed is HMAC-SHA-256 under a key of at most one block. Unlike that of crypto/hmac it is a value: hashing
// what is short needs no memory but the stack.
type keyed struct{ inner, outer [sha256.BlockSize]byte }

func newKeyed(secret []byte) keyed {
	var m keyed
	copy(m.inner[:], secret)
	copy(m.outer[:], secret)
	for i := range m.inner {
		m.inner[i] ^= 0x36
		m.outer[i] ^= 0x5c
	}
	return m
}

// sum authenticates a message that follows the inner key in text.
func (m *keyed) sum(text []byte) [sha256.Size]byte {
	inner := sha256.Sum256(text)
	var last [sha256.BlockSize + sha256.Size]byte
	copy(last[:], m.outer[:])
	copy(last[sha256.BlockSize:], inner[:])
	return sha256.Sum256(last[:])
}

var base32Lower = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// hash is unambiguous: label and parts go in with their lengths.
func (m *keyed) hash(label string, parts ...string) string {
	var space [512]byte
	return m.name(framed(framed(append(space[:0], m.inner[:]...), label), parts...))
}

// hashData is hash with data in front of the parts.
func (m *keyed) hashData(label string, data []byte, parts []string) string {
	var space [2 << 10]byte // more than most events have
	text := framed(append(space[:0], m.inner[:]...), label)
	text = append(binary.AppendUvarint(text, uint64(len(data))), data...)
	return m.name(framed(text, parts...))
}

// name is 128 bits of a sum in lower-case base32.
func (m *keyed) name(text []byte) string {
	sum := m.sum(text)
	var name [26]byte
	base32Lower.Encode(name[:], sum[:16])
	return string(name[:])
}

func framed(dst []byte, parts ...string) []byte {
	for _, p := range parts {
		dst = binary.AppendUvarint(dst, uint64(len(p)))
		dst = append(dst, p...)
	}
	return dst
}
