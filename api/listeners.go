package api

import "sync"

// listeners are those who hear of changes. Nobody takes all places, and who operates the
// loop finds one when others have taken theirs.
type listeners struct {
	mu   sync.Mutex
	all  int            // guarded by mu
	each map[string]int // guarded by mu; by caller
}

// How many listen at a time.
const (
	mostListeners    = 64
	mostListening    = 16 // of one caller
	keptForOperators = 8
	placesForAnybody = mostListeners - keptForOperators
)

// enter takes a place, if there is one; leave gives it back.
func (l *listeners) enter(caller string, operator bool) (leave func(), ok bool) {
	most := placesForAnybody
	if operator {
		most = mostListeners
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all >= most || l.each[caller] >= mostListening {
		return nil, false
	}
	if l.each == nil {
		l.each = map[string]int{}
	}
	l.all++
	l.each[caller]++
	return func() { l.leave(caller) }, true
}

func (l *listeners) leave(caller string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all--
	if l.each[caller]--; l.each[caller] == 0 {
		delete(l.each, caller)
	}
}
