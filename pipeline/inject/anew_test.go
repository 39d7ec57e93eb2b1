package inject

import (
	"sync/atomic"
	"testing"

	"learnloop.dev/bus"
)

func TestPeopleHaveNoContextsWhileThatIsSwitchedOff(t *testing.T) {
	bubble(t, func(w *world) {
		var off atomic.Bool
		anew := make(chan struct{}, 1)
		w.fails["gather"] = 2
		defer w.inject(func(s *Stage) {
			s.Personal = Personal{Allowed: func() bool { return !off.Load() }, Anew: anew}
		})()
		w.out <- []bus.Delivery{w.insight(0, "one", "a", 1), w.insight(0, "user", "anna", 2)}
		w.holds(map[string]string{"contexts one.a": "[1]", "contexts user.anna": "[2]"})
		off.Store(true)
		anew <- struct{}{}
		w.holds(map[string]string{"contexts one.a": "[1]", "contexts user.anna": ""})
		w.out <- []bus.Delivery{w.insight(0, "one", "a", 3), w.insight(0, "user", "anna", 4)}
		w.holds(map[string]string{"contexts one.a": "[3]", "contexts user.anna": ""})
		off.Store(false)
		anew <- struct{}{}
		w.holds(map[string]string{"contexts one.a": "[3]", "contexts user.anna": "[4]"})
	})
}
