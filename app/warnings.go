package app

import (
	"strings"
	"sync"

	"go.uber.org/zap"
)

// outdated is what the server says of every stream that it did not close itself; it
// then reads the stream anew, and nothing is lost.
const outdated = "Stream state outdated"

// serverWarnings logs what the NATS server warns of; what it says of every stream
// after a kill is told once.
type serverWarnings struct {
	log *zap.Logger

	mu      sync.Mutex
	up      bool // guarded by mu
	streams int  // guarded by mu; that were read anew
}

func (w *serverWarnings) pass(line string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.up && strings.Contains(line, outdated) {
		w.streams++
		return
	}
	w.log.Warn("nats server", zap.String("message", line))
}

// started ends the collecting, and reports whether the last stop was no orderly one.
func (w *serverWarnings) started() (killed bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.up = true
	if w.streams > 0 {
		w.log.Warn("the last stop was no orderly one: streams were read anew, nothing acknowledged is lost", zap.Int("streams", w.streams))
	}
	return w.streams > 0
}
