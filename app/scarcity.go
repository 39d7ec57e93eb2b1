package app

import (
	"context"
	"os"
	"sync"
	"time"

	"go.uber.org/zap"
)

// scarcity warns of rules about which too little is known: of each once per start, or,
// where a person reads along, of all in one line now and then.
type scarcity struct {
	log   *zap.Logger
	brief bool
	news  chan struct{} // has one when there is something to tell; buffered

	mu    sync.Mutex
	told  map[string]bool // guarded by mu; by key: whether it still has too few samples
	fresh bool            // guarded by mu; some came since they were counted
}

func newScarcity(log *zap.Logger, brief bool) *scarcity {
	return &scarcity{log: log, brief: brief, news: make(chan struct{}, 1), told: map[string]bool{}}
}

// attended reports whether a person reads the file: no program does from a terminal, and
// nobody does what goes nowhere.
func attended(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	nowhere, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, nowhere)
}

// few is told of a rule with too few samples.
func (s *scarcity) few(key string, about ...zap.Field) {
	s.mu.Lock()
	_, before := s.told[key]
	s.told[key] = true
	s.fresh = s.fresh || !before
	s.mu.Unlock()
	switch {
	case before:
	case s.brief:
		select {
		case s.news <- struct{}{}:
		default: // somebody is about to tell
		}
	default:
		s.log.Warn("insufficient data for learning context", about...)
	}
}

// enough is told of a rule with enough samples, or with none any more.
func (s *scarcity) enough(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.told[key] {
		s.told[key] = false
	}
}

// How long lines about scarcity wait for more of their kind: each twice as long as the
// one before.
const (
	soonest = 5 * time.Second
	latest  = 10 * time.Minute
)

// run sums up until the context ends.
func (s *scarcity) run(ctx context.Context) error {
	for pause := soonest; ; {
		select {
		case <-ctx.Done():
			return nil
		case <-s.news:
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
		if n := s.still(); n > 0 {
			s.log.Warn("insufficient data for the learning contexts of some rules; learnloop context list shows them", zap.Int("rules", n))
			pause = min(2*pause, latest)
		}
	}
}

// still counts the rules that have too few samples; 0 when none came since.
func (s *scarcity) still() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.fresh {
		return 0
	}
	s.fresh = false
	for _, few := range s.told {
		if few {
			n++
		}
	}
	return n
}
