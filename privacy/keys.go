package privacy

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"hash"
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
	prk     []byte // what HKDF extracted from the master key
	fixed   keyed  // never rotated: record identity, partition, person index
	display keyed  // rotated: pseudonyms and shielded identifiers
	id      string // names the display key inside what it made
}

// NewKeys derives the keys of the first generation from a master key of at least 32 bytes.
func NewKeys(master []byte) (*Keys, error) {
	if len(master) < minMaster {
		return nil, fmt.Errorf("derive keys: master key has %d bytes, needs %d", len(master), minMaster)
	}
	prk, err := hkdf.Extract(sha256.New, master, []byte("learnloop/v1"))
	if err != nil {
		return nil, fmt.Errorf("derive keys: %w", err)
	}
	k := &Keys{prk: prk}
	if k.fixed, err = newKeyed(k.Derive("fixed", sha256.Size)); err != nil {
		return nil, err
	}
	return k.Rotated(0)
}

// Rotated returns keys whose pseudonyms and shields belong to another generation; blind hashes and derived keys stay.
func (k *Keys) Rotated(generation uint32) (*Keys, error) {
	secret := k.Derive(fmt.Sprintf("display/%d", generation), sha256.Size)
	display, err := newKeyed(secret)
	if err != nil {
		return nil, err
	}
	next := *k
	next.display = display
	next.id = display.hash("key id")[:4]
	return &next, nil
}

// ID names the key behind pseudonyms and shields, as it appears in them.
func (k *Keys) ID() string { return k.id }

// Pseudonym replaces an id by a name that only this installation can derive; the empty id stays empty.
func (k *Keys) Pseudonym(ns Namespace, id string) string {
	if id == "" {
		return ""
	}
	return "p" + k.id + "_" + k.display.hash("pseudonym", string(ns), id)
}

// Shield replaces an identifier that holds something personal, as a whole, so that distinct ones stay distinct.
func (k *Keys) Shield(id string) string {
	return "x" + k.id + "_" + k.display.hash("shield", id)
}

// Blind is the fixed keyed hash of parts under a label: 128 bits in lower-case base32, the same before and after rotation.
func (k *Keys) Blind(label string, parts ...string) string {
	return k.fixed.hash(label, parts...)
}

// Derive returns n secret bytes (at most 8160, else it panics) that belong to label alone, for example to encrypt a store.
func (k *Keys) Derive(label string, n int) []byte {
	secret, err := hkdf.Expand(sha256.New, k.prk, "learnloop/"+label, n)
	if err != nil {
		panic(fmt.Sprintf("privacy: derive %s: %v", label, err))
	}
	return secret
}

// keyed is an HMAC that has absorbed its key: cloning it costs a fraction of creating it.
type keyed struct{ state hash.Cloner }

func newKeyed(secret []byte) (keyed, error) {
	mac := hmac.New(sha256.New, secret)
	mac.Reset() // keeps the padded key as a state, which clones share
	state, ok := mac.(hash.Cloner)
	if !ok {
		return keyed{}, fmt.Errorf("derive keys: this HMAC cannot be cloned")
	}
	return keyed{state}, nil
}

var base32Lower = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// hash is unambiguous: label and parts go in with their lengths.
func (m keyed) hash(label string, parts ...string) string {
	mac, err := m.state.Clone()
	if err != nil {
		panic("privacy: clone a keyed hash: " + err.Error()) // newKeyed has cloned nothing else
	}
	var buf [512]byte
	mac.Write(framed(framed(buf[:0], label), parts...))
	var sum [sha256.Size]byte
	return base32Lower.EncodeToString(mac.Sum(sum[:0])[:16])
}

func framed(dst []byte, parts ...string) []byte {
	for _, p := range parts {
		dst = binary.AppendUvarint(dst, uint64(len(p)))
		dst = append(dst, p...)
	}
	return dst
}
