package app

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"learnloop.dev/pipeline/ingest"
	"learnloop.dev/privacy"

	"go.uber.org/zap"
)

// authority holds what is set and makes it the policy of the process: the next
// event meets the new one. It hears of changes from ingest as soon as the log has
// them, and sees them in the settings bucket when they are folded.
type authority struct {
	policy atomic.Pointer[ingest.Policy]
	log    *zap.Logger
	alone  bool      // every change goes through this process
	since  time.Time // when it began to hear
	// changed is told when the policy changes.
	changed chan struct{}
	// people is told when contexts of people come out otherwise.
	people chan struct{}

	mu    sync.Mutex
	now   inForce              // guarded by mu
	heard map[string]time.Time // guarded by mu; event time of the last change that the log told, by group
}

func newAuthority(now inForce, alone bool, log *zap.Logger) *authority {
	a := &authority{log: log, alone: alone, since: time.Now(), now: now, heard: now.heard,
		changed: make(chan struct{}, 1), people: make(chan struct{}, 1)}
	a.policy.Store(now.policy())
	if !a.personal() { // it may have been switched off while nobody injected
		a.renewPeople()
	}
	a.warn(privacy.Defaults(), now.Privacy)
	return a
}

// hear takes over a change that the log has. What was sent before the process
// began may be an old change that is delivered again: the bucket tells what is newer.
func (a *authority) hear(c ingest.Change) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !c.Received.Before(a.since) && a.later(c) {
		a.apply(c.Key, c.Value)
	}
}

// know takes over a change that stands in the log, whoever made it, unless it is in
// force already.
func (a *authority) know(c ingest.Change) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.later(c) && !a.now.has(c.Key, c.Value) {
		a.apply(c.Key, c.Value)
	}
}

// later notes the time of a change, and reports whether it counts more than what was
// heard. It is called with mu held.
func (a *authority) later(c ingest.Change) bool {
	if last, known := a.heard[c.Key]; known && c.At.Before(last) {
		return false
	}
	a.heard[c.Key] = c.At
	return true
}

// see takes over what the bucket holds. Of a group that was heard of it is behind.
func (a *authority) see(name string, value []byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, known := a.heard[name]; !known || !a.alone {
		a.apply(name, value)
	}
}

// holds reports whether a group of settings is in force as given.
func (a *authority) holds(name string, value []byte) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.now.has(name, value)
}

// apply makes one group of settings the policy. Settings that cannot be read
// change nothing. It is called with mu held.
func (a *authority) apply(name string, value []byte) {
	group, _, _ := strings.Cut(name, ".")
	next, err := a.now.changed(name, value)
	if errors.Is(err, errNoGroup) {
		return
	}
	if err != nil {
		a.log.Error("settings not applied", zap.String("group", group), zap.Error(err))
		return
	}
	before := a.now.Privacy
	a.now = next
	a.policy.Store(next.policy())
	select {
	case a.changed <- struct{}{}:
	default: // it has been told already
	}
	if before.EnablePersonalization != next.Privacy.EnablePersonalization {
		a.renewPeople()
	}
	a.log.Info("settings applied", zap.String("group", group))
	if group == privacyKey {
		a.warn(before, next.Privacy)
	}
}

// next is the event time of a change that is to count more than what was heard.
func (a *authority) next(name string) time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := time.Now()
	if last := a.heard[name]; !now.After(last) {
		return last.Add(1)
	}
	return now
}

// personal reports whether people have contexts of their own.
func (a *authority) personal() bool { return a.policy.Load().Privacy.EnablePersonalization }

// renewPeople has contexts of people made again.
func (a *authority) renewPeople() {
	select {
	case a.people <- struct{}{}:
	default: // it is known already
	}
}

// warn says which protection is off that was not before.
func (a *authority) warn(before, now privacy.Settings) {
	was := lacks(before)
	for _, says := range lacks(now) {
		if !slices.Contains(was, says) {
			a.log.Warn(says)
		}
	}
}

// lacks lists the protections that are off.
func lacks(s privacy.Settings) (says []string) {
	if !s.AnonymizePII {
		says = append(says, "anonymize_pii is off: what people write is stored unredacted")
	}
	if !s.AnonymizeUsers {
		says = append(says, "anonymize_users is off: the ids of people are stored as they come")
	}
	if s.StoreRawFeedbackText {
		says = append(says, "store_raw_feedback_text is on: what people say about responses is stored")
	}
	return says
}
