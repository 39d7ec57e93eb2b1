package app

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"learnloop.dev/pipeline"
	"learnloop.dev/privacy"

	"github.com/go-json-experiment/json"
)

// labels are the names under which people are shown, and the file that keeps
// their keys, sealed under the master key. It is safe for concurrent use.
type labels struct {
	path    string
	keys    *privacy.Keys
	now     func() time.Time
	shown   atomic.Pointer[privacy.Labels]
	changed chan struct{} // a generation may run out earlier than it was known

	mu   sync.Mutex
	ring []privacy.Generation // guarded by mu; the one in use first, never changed in place
}

const labelsHint = "put back the pseudonyms.key that belongs to this master.key; " +
	"or delete it: people are then shown under new names, and the old ones find nobody"

// openLabels reads the keys of labels, or makes the first one; fresh tells that.
func openLabels(dir string, keys *privacy.Keys, now func() time.Time) (l *labels, fresh bool, err error) {
	l = &labels{path: filepath.Join(dir, labelsFile), keys: keys, now: now, changed: make(chan struct{}, 1)}
	data, err := os.ReadFile(l.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		l.mu.Lock()
		defer l.mu.Unlock()
		return l, true, l.keep([]privacy.Generation{l.generation("start")})
	case err != nil:
		return nil, false, fmt.Errorf("read key file: %w", err)
	}
	if err := checkSecret(l.path); err != nil {
		return nil, false, err
	}
	if err := l.open(data); err != nil {
		return nil, false, WithHint(fmt.Errorf("read %s: %w", l.path, err), labelsHint)
	}
	return l, false, l.expire()
}

// open reads what the file holds.
func (l *labels) open(data []byte) error {
	sealed, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(data)))
	if err != nil {
		return errors.New("not a key file")
	}
	seal, err := l.seal()
	if err != nil {
		return err
	}
	if len(sealed) < seal.NonceSize() {
		return errors.New("not a key file")
	}
	text, err := seal.Open(nil, sealed[:seal.NonceSize()], sealed[seal.NonceSize():], []byte(labelsFile))
	if err != nil {
		return errors.New("damaged, or sealed under another master key")
	}
	var ring []privacy.Generation
	if json.Unmarshal(text, &ring) != nil { // its own words could quote a secret
		return errors.New("not the keys of pseudonyms")
	}
	shown, err := l.keys.NewLabels(ring...)
	if err != nil {
		return err
	}
	l.ring = ring
	l.shown.Store(shown)
	return nil
}

func (l *labels) seal() (cipher.AEAD, error) {
	block, err := aes.NewCipher(l.keys.Derive("seal/labels", keySize))
	if err != nil {
		return nil, fmt.Errorf("seal the keys of pseudonyms: %w", err)
	}
	return cipher.NewGCM(block)
}

// keep makes generations those in force, on disk first. It is called with mu held.
func (l *labels) keep(ring []privacy.Generation) error {
	shown, err := l.keys.NewLabels(ring...)
	if err != nil {
		return err
	}
	text, err := json.Marshal(ring)
	if err != nil {
		return fmt.Errorf("encode the keys of pseudonyms: %w", err)
	}
	seal, err := l.seal()
	if err != nil {
		return err
	}
	nonce := make([]byte, seal.NonceSize())
	_, _ = rand.Read(nonce) // never fails
	sealed := base64.StdEncoding.EncodeToString(seal.Seal(nonce, nonce, text, []byte(labelsFile)))
	if err := replaceSecret(l.path, []byte(sealed+"\n")); err != nil {
		return fmt.Errorf("write %s: %w", l.path, err)
	}
	l.ring = ring
	l.shown.Store(shown)
	select {
	case l.changed <- struct{}{}:
	default:
	}
	return nil
}

// generation makes a key whose labels nobody mistakes for those of another.
func (l *labels) generation(by string) privacy.Generation {
	for {
		secret := make([]byte, keySize)
		_, _ = rand.Read(secret) // never fails
		if l.keys.Distinct(secret, l.ring) {
			return privacy.Generation{Secret: secret, Since: l.now().UTC(), By: by}
		}
	}
}

// mostFormer is how many former keys are kept at most, however long they could be.
const mostFormer = 32

// rotate shows people under new names from now on; the former ones find them for
// a while. It returns the generations in force, the new one first.
func (l *labels) rotate(by string, window time.Duration) ([]privacy.Generation, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	next := l.generation(by)
	former := l.ring[0]
	former.Until = next.Since.Add(window)
	ring := current(append([]privacy.Generation{next, former}, l.ring[1:]...), next.Since)
	if len(ring) > mostFormer+1 {
		ring = ring[:mostFormer+1]
	}
	return ring, l.keep(ring)
}

// current leaves out the former generations whose time has run out.
func current(ring []privacy.Generation, now time.Time) []privacy.Generation {
	kept := ring[:1:1]
	for _, g := range ring[1:] {
		if now.Before(g.Until) {
			kept = append(kept, g)
		}
	}
	return kept
}

// generations are those in force, the one in use first.
func (l *labels) generations() []privacy.Generation {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ring
}

// expire destroys the keys whose time has run out.
func (l *labels) expire() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if ring := current(l.ring, l.now()); len(ring) < len(l.ring) {
		return l.keep(ring)
	}
	return nil
}

// run destroys keys when their time has run out, until the context ends. A disk that
// does not take that stops nothing: their labels find nobody any more, and it is
// tried again.
func (l *labels) run(ctx context.Context, retried func(error)) error {
	for {
		t := time.NewTimer(l.rest())
		select {
		case <-ctx.Done():
			t.Stop()
			return nil
		case <-l.changed:
			t.Stop()
		case <-t.C:
			if pipeline.Retry(ctx, l.expire, pipeline.Never, retried) != nil {
				return nil //nolint:nilerr // it was asked to stop
			}
		}
	}
}

// restMost is how long nobody looks when no time runs out.
const restMost = 24 * time.Hour

// rest is how long no time runs out.
func (l *labels) rest() time.Duration {
	rest := restMost
	for _, g := range l.generations()[1:] {
		rest = min(rest, g.Until.Sub(l.now()))
	}
	return rest
}
