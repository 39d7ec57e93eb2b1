package bus

import (
	"fmt"
	"strings"
	"sync"
)

// serverLog passes the server's own warnings on. Lines about single clients are dropped: they quote
// subjects, which a stranger chooses.
type serverLog struct {
	warn func(string)

	mu   sync.Mutex
	last string // the text of the last fatal line
}

func (l *serverLog) fatal() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last
}

func (l *serverLog) pass(format string, v []any) {
	if l.warn == nil {
		return
	}
	if line := fmt.Sprintf(format, v...); !strings.Contains(line, "cid:") {
		l.warn(line)
	}
}

// Fatalf keeps the reason and returns; the server then stops starting by itself.
func (l *serverLog) Fatalf(format string, v ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last = fmt.Sprintf(format, v...)
}

func (l *serverLog) Errorf(format string, v ...any) { l.pass(format, v) }
func (l *serverLog) Warnf(format string, v ...any)  { l.pass(format, v) }
func (*serverLog) Noticef(string, ...any)           {}
func (*serverLog) Debugf(string, ...any)            {}
func (*serverLog) Tracef(string, ...any)            {}
