package app

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/privacy"
)

// Files of a data folder.
const (
	masterFile = "master.key"     // of who takes events in: everything secret derives from it; back it up apart
	labelsFile = "pseudonyms.key" // the keys of the names people are shown under, sealed under the master key
	stateFile  = "state.key"      // of an analyzer on its own: encrypts its state, which can be folded again
	adminFile  = "admin.creds"    // the operator's NATS credential
	tokenFile  = "admin.token"    // the operator's HTTP token
	natsDir    = "nats"
	stateDir   = "state"
)

// keySize is that of every key, in bytes.
const keySize = 32

// secret is how files that hold keys are created.
const secret fs.FileMode = 0o600

// openKeys reads the installation's master key, or creates it at first start. Beside
// a log it is not created: it would only hide that the key is missing.
func openKeys(dir string) (*privacy.Keys, error) {
	path := filepath.Join(dir, masterFile)
	if !exists(path) && bus.HasStreams(filepath.Join(dir, natsDir)) {
		return nil, WithHint(fmt.Errorf("read %s: it is missing, and the log beside it is encrypted", path), masterHint)
	}
	master, err := openKey(path, masterHint)
	if err != nil {
		return nil, err
	}
	keys, err := privacy.NewKeys(master)
	if err != nil {
		return nil, WithHint(fmt.Errorf("read %s: %w", path, err), masterHint)
	}
	return keys, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

const masterHint = "put back the master.key this folder was created with; without it the data cannot be read"

// openKey reads a key of 32 bytes, or creates it; the hint is for a file that holds
// none.
func openKey(path, hint string) ([]byte, error) {
	text, err := readOrCreate(path, func() ([]byte, error) {
		key := make([]byte, keySize)
		_, _ = rand.Read(key) // never fails
		return []byte(base64.StdEncoding.EncodeToString(key) + "\n"), nil
	})
	if err != nil {
		return nil, err
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(text)))
	if err != nil {
		return nil, WithHint(fmt.Errorf("read %s: not a key", path), hint)
	}
	return key, nil
}

// openKeys opens the master key where a stage on its own holds it, which is ingest
// (serve has it by now). A key is only made for a log that has none yet: with
// another the same event would be another event.
func (l *Loop) openKeys(ctx context.Context) error {
	if l.role != Ingest {
		return nil
	}
	path := filepath.Join(l.config.Data, masterFile)
	if !exists(path) {
		name, err := bus.KeyOfLog(ctx, l.js)
		if err != nil {
			return err
		}
		if name != "" {
			return fmt.Errorf("read key file %s: there is none, and %w", path, bus.ErrForeignKey)
		}
	}
	var err error
	l.keys, err = openKeys(l.config.Data)
	return err
}

// nameOf names a master key in public: who has another finds out, and nobody finds
// out more.
func nameOf(keys *privacy.Keys) string { return keys.Blind("installation") }

const stateHint = "delete it and the state beside it: the state is folded again from the log"

// stateKey encrypts the state. An analyzer on its own does not hold the master key.
func (l *Loop) stateKey() ([]byte, error) {
	if l.keys != nil {
		return l.keys.Derive("store/state", keySize), nil
	}
	path := filepath.Join(l.config.Data, stateFile)
	key, err := openKey(path, stateHint)
	if err == nil && len(key) != keySize {
		err = WithHint(fmt.Errorf("read %s: not a key of %d bytes", path, keySize), stateHint)
	}
	return key, err
}

// errNoMaster means that a process cannot give a derived fact its identity.
var errNoMaster = errors.New("only serve derives facts: an analyzer on its own does not hold the master key")

// address gives derived facts their identity and place.
func (l *Loop) address(d learn.Derived) (partition int, rec events.Recorded, err error) {
	if l.keys == nil {
		return 0, nil, errNoMaster
	}
	return l.house().Address(d)
}

// openAdmin reads the admin credential's public key, or creates the credential.
func openAdmin(dir string) (public string, err error) {
	creds, err := readOrCreate(filepath.Join(dir, adminFile), func() ([]byte, error) {
		file, _, err := bus.NewAdminCreds()
		return file, err
	})
	if err != nil {
		return "", err
	}
	public, err = bus.AdminPublicKey(creds)
	if err != nil {
		return "", WithHint(fmt.Errorf("read %s: %w", filepath.Join(dir, adminFile), err),
			"delete it: the next start makes another")
	}
	return public, nil
}

// openToken reads the operator's HTTP token, or creates it at first start.
func openToken(dir string) (string, error) {
	token, err := readOrCreate(filepath.Join(dir, tokenFile), func() ([]byte, error) {
		return []byte(rand.Text() + "\n"), nil
	})
	if text := strings.TrimSpace(string(token)); text != "" || err != nil {
		return text, err
	}
	return "", WithHint(fmt.Errorf("read %s: it is empty", filepath.Join(dir, tokenFile)), "delete it: the next start makes another")
}

// readOrCreate reads a secret file, or creates it so that a crash leaves either
// none or a whole one.
func readOrCreate(path string, create func() ([]byte, error)) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err == nil {
		return data, checkSecret(path)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read key file: %w", err)
	}
	if data, err = create(); err != nil {
		return nil, fmt.Errorf("create %s: %w", path, err)
	}
	if err := writeWhole(path, data); err != nil {
		return nil, fmt.Errorf("create key file: %w", err)
	}
	return data, nil
}

// checkSecret refuses a key that others may read.
func checkSecret(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("read key file: %w", err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return WithHint(fmt.Errorf("key file %s can be read by others (%v)", path, info.Mode().Perm()),
			"chmod 600 "+path)
	}
	return nil
}

// writeWhole writes a file that appears at once, whole and on disk.
func writeWhole(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(f.Name()) }() // gone after the rename; else a leftover
	if _, err = f.Write(data); err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Chmod(f.Name(), secret)
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// replaceSecret writes a file that appears at once and whole, and overwrites what
// stood there before: as far as the file system lets it, nobody reads that again.
func replaceSecret(path string, data []byte) error {
	old, err := os.OpenFile(path, os.O_WRONLY, secret)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	err = writeWhole(path, data)
	if old == nil {
		return err
	}
	if err == nil {
		err = blank(old)
	}
	return errors.Join(err, old.Close())
}

// blank overwrites a file that no longer has a name.
func blank(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if _, err := f.WriteAt(make([]byte, info.Size()), 0); err != nil {
		return err
	}
	return f.Sync()
}

// syncDir forces the names in a folder to disk.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	return errors.Join(err, d.Close())
}
