package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// lockFile holds the process id of whoever uses a data folder.
const lockFile = "lock"

// ErrHeld means that another process uses the data folder.
var ErrHeld = errors.New("held by another process")

// holdFolder makes a data folder ours until release is called or the process
// ends, however it ends. It is asked first: whoever holds the folder often has
// the ports too, and is the better explanation.
func holdFolder(dir string) (release func() error, err error) {
	path := filepath.Join(dir, lockFile)
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, secret)
	if err != nil {
		return nil, fmt.Errorf("hold data folder: %w", err)
	}
	switch err := lock(f); {
	case errors.Is(err, ErrHeld):
		return nil, errors.Join(heldBy(path, dir), f.Close())
	case err != nil:
		return nil, errors.Join(fmt.Errorf("hold data folder %s: %w", dir, err), f.Close())
	}
	if err = f.Truncate(0); err == nil {
		_, err = f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("hold data folder: %w", err), f.Close())
	}
	return f.Close, nil
}

// Holder tells which process uses a data folder, as it wrote itself down, and whether
// one does.
func Holder(dir string) (pid string, held bool) {
	path := filepath.Join(dir, lockFile)
	f, err := os.OpenFile(path, os.O_RDWR, secret)
	if err != nil {
		return "", false
	}
	held = errors.Is(lock(f), ErrHeld)
	if err := f.Close(); err != nil || !held {
		return "", held
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", true
	}
	return strings.TrimSpace(string(text)), true
}

// heldBy names the process that holds a folder, if it says so.
func heldBy(path, dir string) error {
	text, err := os.ReadFile(path)
	pid := strings.TrimSpace(string(text))
	if _, bad := strconv.Atoi(pid); err != nil || bad != nil {
		return fmt.Errorf("data folder %s: %w", dir, ErrHeld)
	}
	return fmt.Errorf("data folder %s: %w (pid %s)", dir, ErrHeld, pid)
}
