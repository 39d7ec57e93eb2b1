package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"syscall"

	"learnloop.dev/api"
	"learnloop.dev/bus"
	"learnloop.dev/learn/all"
	"learnloop.dev/pipeline/analyze"
	"learnloop.dev/privacy"
	"learnloop.dev/store"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/zap"
)

// Addresses say where a running loop can be reached.
type Addresses struct {
	HTTP string `json:"http"`
	NATS string `json:"nats"`
	PID  int    `json:"pid"`
}

// Addresses returns where the loop can be reached; they are known once it is open.
func (l *Loop) Addresses() Addresses {
	at := Addresses{NATS: l.config.Server, PID: os.Getpid()}
	if l.server != nil {
		at.NATS = l.server.URL()
	}
	if l.http != nil {
		at.HTTP = l.http.url()
	}
	return at
}

// openAPI opens the doors last: whoever can call finds everything there.
func (l *Loop) openAPI(context.Context) (err error) {
	if l.role.is(Analyzer) {
		if err := l.openQuestions(); err != nil {
			return err
		}
	}
	if !l.role.is(Ingest, Injector) {
		return nil
	}
	if l.http, err = listenHTTP(l.config.HTTP); err != nil {
		return err
	}
	l.onClose(l.http.close)
	deps, err := l.deps()
	if err != nil {
		return err
	}
	operations, err := api.New(deps)
	if err != nil {
		return err
	}
	l.http.handle(operations.Handler())
	l.run("http", l.http.run)
	if !l.role.is(Injector) {
		return nil
	}
	stop, err := operations.ServeNATS(l.nc)
	if err != nil {
		return err
	}
	l.onClose(stop)
	if l.server != nil {
		return nil
	}
	if stop, err = bus.ServeWatches(l.nc); err != nil {
		return err
	}
	l.onClose(stop)
	return nil
}

// deps are what the operations of the role work with: ingest takes events, the
// injector answers everything else.
func (l *Loop) deps() (api.Deps, error) {
	token, err := openToken(l.config.Data)
	d := api.Deps{
		Ready: l.notReady, AdminToken: token, Metrics: l.metrics.handler(), Version: Version(),
		Entitled: func() bool { return l.policy.Load().Entitled },
		Failed: func(operation string, err error) {
			l.log.Error("operation failed", zap.String("operation", operation), zap.Error(err))
		},
	}
	if l.door != nil {
		d.Door = l.door
		d.Pseudonym = func(user string) string { return l.keys.Pseudonym(privacy.Users, user) }
	}
	if l.role.is(Injector) {
		d.Conn, d.Partitions, d.DeadLetters = l.nc, l.layout.Partitions, l.dead
	}
	return d, err
}

// answerer answers for the partitions of this process: all of them.
func (l *Loop) answerer() analyze.Answerer {
	partitions := make([]int, l.layout.Partitions)
	for p := range partitions {
		partitions[p] = p
	}
	return analyze.Answerer{Models: all.Models(), Store: l.state, Partitions: partitions}
}

// openQuestions answers other processes' questions about our partitions.
func (l *Loop) openQuestions() error {
	a := l.answerer()
	stop, err := api.ServeQuestions(l.nc, api.Questions{Answerer: a, Tallies: l.replays, Partitions: a.Partitions})
	if err != nil {
		return err
	}
	l.onClose(stop)
	return nil
}

// errStarting is why calls are told to come back.
var errStarting = errors.New("the stages are starting")

func (l *Loop) notReady() error {
	select {
	case <-l.ready:
		return nil
	default:
		return errStarting
	}
}

// Version is the version the binary was built from.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

// Ready is closed when every stage runs and every door answers.
func (l *Loop) Ready() <-chan struct{} { return l.ready }

// announceReady writes the ready file and closes Ready.
func (l *Loop) announceReady() error {
	defer close(l.ready)
	if l.config.ReadyFile == "" {
		return nil
	}
	data, err := json.Marshal(l.Addresses())
	if err != nil {
		return err
	}
	if err := writeWhole(l.config.ReadyFile, append(data, '\n')); err != nil {
		return fmt.Errorf("write ready file: %w", err)
	}
	return nil
}

// advise adds what to do to the errors that people meet when a loop opens or runs.
func advise(err error, c Config) error {
	switch {
	case errors.Is(err, bus.ErrServerTooOld):
		return WithHint(err, "run a NATS server 2.12 or newer")
	case errors.Is(err, nats.ErrNoServers), errors.Is(err, nats.ErrAuthorization):
		return WithHint(err, "is a NATS server running at "+c.Server+"? check --server and --creds")
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
