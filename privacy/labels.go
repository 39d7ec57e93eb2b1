package privacy

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Generation is one key of labels. Whoever loses its secret can no longer tell whom its labels mean.
type Generation struct {
	Secret []byte    `json:"secret"`         // random, 32 bytes
	Since  time.Time `json:"since"`          // when it came into use
	By     string    `json:"by"`             // who ordered it
	Until  time.Time `json:"until,omitzero"` // until when labels of a former one still find people; zero while in use
}

// Labels are the names under which people are shown. Of a person one name is stored and never changes
// (see [Keys.Pseudonym]); its label is that name enciphered with a key that can be exchanged, so that
// nothing stored has to change with it. Labels are immutable and safe for concurrent use.
type Labels struct {
	stored string // how stored names begin
	veils  []veil // the first is in use, the others are former ones
}

// veil is the key of one generation.
type veil struct {
	prefix string
	block  cipher.Block
	until  time.Time
}

// NewLabels returns the labels of generations, of which the first is in use.
func (k *Keys) NewLabels(generations ...Generation) (*Labels, error) {
	if len(generations) == 0 {
		return nil, errors.New("derive labels: no generation")
	}
	l := &Labels{stored: "p" + k.id + "_"}
	for i, g := range generations {
		if len(g.Secret) != sha256.Size {
			return nil, fmt.Errorf("derive labels: generation %d has a secret of %d bytes, needs %d", i, len(g.Secret), sha256.Size)
		}
		block, err := aes.NewCipher(k.Derive("labels/"+string(g.Secret), sha256.Size))
		if err != nil {
			return nil, fmt.Errorf("derive labels: %w", err)
		}
		l.veils = append(l.veils, veil{"p" + k.LabelID(g.Secret) + "_", block, g.Until})
	}
	return l, nil
}

// LabelID names a generation inside the labels it made.
func (k *Keys) LabelID(secret []byte) string {
	return k.fixed.hash("label id", string(secret))[:keyIDs]
}

// Distinct reports whether the labels of a secret can be told from stored names and from those of other generations.
func (k *Keys) Distinct(secret []byte, others []Generation) bool {
	id := k.LabelID(secret)
	return id != k.id && !slices.ContainsFunc(others, func(g Generation) bool { return k.LabelID(g.Secret) == id })
}

// Show returns the label of a stored name; whatever is not one stays as it is.
func (l *Labels) Show(name string) string {
	v := l.veils[0]
	if shown, ok := exchange(name, l.stored, v.prefix, v.block.Encrypt); ok {
		return shown
	}
	return name
}

// Aliases are all labels of a stored name that may still be known: the one in use, and the former ones;
// none of what is not a stored name.
func (l *Labels) Aliases(name string) (labels []string) {
	for _, v := range l.veils {
		if label, ok := exchange(name, l.stored, v.prefix, v.block.Encrypt); ok {
			labels = append(labels, label)
		}
	}
	return labels
}

// Find returns the stored name behind a label in use, or behind a former one whose time has not run out.
func (l *Labels) Find(label string, now time.Time) (name string, ok bool) {
	for i, v := range l.veils {
		if i > 0 && !now.Before(v.until) {
			continue
		}
		if name, ok = exchange(label, v.prefix, l.stored, v.block.Decrypt); ok {
			return name, true
		}
	}
	return "", false
}

// Former reports whether a name is a label, and not one in use: of a generation that was
// rotated away from, known or not any more.
func (l *Labels) Former(name string) bool {
	prefix, rest, ok := strings.Cut(name, "_")
	if !ok || len(prefix) != len("p")+keyIDs || prefix[0] != 'p' || prefix+"_" == l.stored || prefix+"_" == l.veils[0].prefix {
		return false
	}
	_, ok = exchange(name, prefix+"_", "", func([]byte, []byte) {})
	return ok && rest != ""
}

// exchange replaces what names a key in front of a name, and turns the rest.
func exchange(name, from, to string, turn func(dst, src []byte)) (string, bool) {
	rest, ok := strings.CutPrefix(name, from)
	if !ok {
		return "", false
	}
	block, err := base32Lower.DecodeString(rest)
	if err != nil || len(block) != aes.BlockSize || base32Lower.EncodeToString(block) != rest {
		return "", false
	}
	turn(block, block)
	return to + base32Lower.EncodeToString(block), true
}
