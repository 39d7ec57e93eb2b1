package api

import (
	"sync"
	"time"
)

// beat is how often somebody who waits is told that something is being done.
const beat = time.Second

// stillness is how long nothing may be heard of who does something before it is
// held to be gone.
const stillness = 6 * beat

// pulse says again and again that something is being done.
type pulse struct {
	busy func()

	mu    sync.Mutex
	timer *time.Timer // guarded by mu
	ended bool        // guarded by mu
}

// beating does something, and meanwhile says so.
func beating(busy, do func()) {
	p := &pulse{busy: busy}
	p.mu.Lock()
	p.timer = time.AfterFunc(beat, p.beat)
	p.mu.Unlock()
	defer p.end()
	do()
}

func (p *pulse) beat() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return
	}
	p.busy()
	p.timer.Reset(beat)
}

// end stops the pulse; when it returns nothing more is said.
func (p *pulse) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	p.timer.Stop()
}
