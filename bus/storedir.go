package bus

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats-server/v2/server"
)

var (
	// ErrStoreKey means that the streams on disk were encrypted with another key.
	ErrStoreKey = errors.New("store was encrypted with another key")
	// ErrStoreLocked means that another process has the store open.
	ErrStoreLocked = errors.New("store is in use by another process")
	// ErrStoreForeign means that the folder holds streams that this version of learnloop did not write.
	ErrStoreForeign = errors.New("store was not written by this version of learnloop")
)

const (
	storeFormat = 1
	markFile    = "learnloop-bus.json"
	lockFile    = "learnloop-bus.lock"
)

// mark says who wrote a store. Without it a wrong key would look like an empty store: the server
// skips streams that it cannot decrypt.
type mark struct {
	Format   int    `json:"format"`
	Server   string `json:"server"`    // the version that wrote last
	KeyCheck string `json:"key_check"` // proves the key without telling it
}

// storeDir is the folder of the streams, held by this process.
type storeDir struct{ lock *os.File }

func openStoreDir(path, key string) (*storeDir, error) {
	if path == "" || key == "" {
		return nil, errors.New("open store: a folder and a store key are required")
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	lock, err := os.OpenFile(filepath.Join(path, lockFile), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	d := &storeDir{lock: lock}
	if err := errors.Join(flock(lock), d.check(path, key)); err != nil {
		d.close()
		return nil, fmt.Errorf("open store %s: %w", path, err)
	}
	return d, nil
}

// HasStreams reports whether a server keeps streams in a folder.
func HasStreams(path string) bool {
	_, err := os.Stat(filepath.Join(path, server.JetStreamStoreDir))
	return err == nil
}

// check compares the mark with what we would write, and leaves ours.
func (d *storeDir) check(path, key string) error {
	ours := mark{Format: storeFormat, Server: server.VERSION, KeyCheck: keyCheck(key)}
	file := filepath.Join(path, markFile)
	raw, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if HasStreams(path) {
			return fmt.Errorf("%w: no %s beside the streams", ErrStoreForeign, markFile)
		}
	case err != nil:
		return err
	default:
		if err := ours.accepts(raw); err != nil {
			return err
		}
	}
	next, err := json.Marshal(ours)
	if err != nil || bytes.Equal(raw, next) {
		return err
	}
	return replace(file, next)
}

// replace leaves the old content or the new, whenever the power goes.
func replace(file string, content []byte) error {
	f, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file))
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		_ = os.Remove(f.Name())
		return err
	}
	if err := os.Rename(f.Name(), file); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(file))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

func (m mark) accepts(raw []byte) error {
	var theirs mark
	if err := json.Unmarshal(raw, &theirs); err != nil {
		return fmt.Errorf("%w: %w", ErrStoreForeign, err)
	}
	newer, err := olderThan(m.Server, theirs.Server)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrStoreForeign, err)
	}
	if theirs.Format != m.Format || newer {
		return fmt.Errorf("%w: format %d, server %s", ErrStoreForeign, theirs.Format, theirs.Server)
	}
	if theirs.KeyCheck != m.KeyCheck {
		return ErrStoreKey
	}
	return nil
}

func keyCheck(key string) string {
	h := hmac.New(sha256.New, []byte(key))
	h.Write([]byte("learnloop bus store key check"))
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// close releases the folder; the lock file stays.
func (d *storeDir) close() {
	if d != nil {
		_ = d.lock.Close()
	}
}
