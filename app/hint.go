package app

import (
	"errors"
	"os"
	"syscall"

	"learnloop.dev/bus"
	"learnloop.dev/store"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Hint is an error with what to do about it.
type Hint struct { //nolint:errname // the error is inside; this is what to do about it
	Err error
	Do  string
}

func (h *Hint) Error() string { return h.Err.Error() }

func (h *Hint) Unwrap() error { return h.Err }

// WithHint adds what to do to an error.
func WithHint(err error, do string) error { return &Hint{err, do} }

// HintOf returns what to do about an error, "" when nobody knows.
func HintOf(err error) string {
	if h, ok := errors.AsType[*Hint](err); ok {
		return h.Do
	}
	return ""
}

// advise adds what to do to the errors that people meet when a loop opens or runs.
func advise(err error, c Config) error {
	switch {
	case errors.Is(err, bus.ErrServerTooOld):
		return WithHint(err, "run a NATS server 2.12 or newer")
	case errors.Is(err, nats.ErrNoServers), errors.Is(err, nats.ErrAuthorization):
		return WithHint(err, "is a NATS server running there? check --server and --creds")
	case errors.Is(err, bus.ErrForeignKey):
		return WithHint(err, "copy master.key from the folder of the ingest that made the log into "+c.Data)
	case errors.Is(err, bus.ErrListen):
		return WithHint(err, "another program has the port: stop it, or choose another with --nats 127.0.0.1:0")
	case errors.Is(err, ErrHeld), errors.Is(err, bus.ErrStoreLocked), errors.Is(err, store.ErrLocked):
		return WithHint(err, "stop it, or point --data elsewhere")
	case errors.Is(err, bus.ErrStoreKey), errors.Is(err, store.ErrWrongKey):
		return WithHint(err, masterHint)
	case errors.Is(err, bus.ErrStoreForeign), errors.Is(err, bus.ErrForeignStream):
		return WithHint(err, "point --data to a folder of learnloop's own")
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.EISDIR):
		return WithHint(err, "something else stands there: move it away, or point --data elsewhere")
	case errors.Is(err, os.ErrNotExist):
		return WithHint(err, "check the paths given with --data, --creds and --ready-file")
	case errors.Is(err, store.ErrDiskFull), errors.Is(err, syscall.ENOSPC), isAPIError(err, storageExceeded):
		return WithHint(err, "free some space and start again: nothing acknowledged is lost")
	case errors.Is(err, os.ErrPermission), errors.Is(err, syscall.EROFS), errors.Is(err, store.ErrReadOnly):
		return WithHint(err, "make "+c.Data+" writable for this user, or point --data elsewhere")
	case errors.Is(err, bus.ErrStoreDamaged), errors.Is(err, errLogLost):
		return WithHint(err, "bring back "+c.Data+"/nats from a backup; to begin anew and lose what was learned, move "+c.Data+" away")
	case errors.Is(err, store.ErrDamaged), errors.Is(err, store.ErrFormat):
		return WithHint(err, "delete "+c.Data+"/state: it is folded again from the log")
	}
	return err
}

// storageExceeded is how JetStream says that the disk has no room for the limits
// of a stream.
const storageExceeded jetstream.ErrorCode = 10047

func isAPIError(err error, code jetstream.ErrorCode) bool {
	api, ok := errors.AsType[*jetstream.APIError](err)
	return ok && api.ErrorCode == code
}
