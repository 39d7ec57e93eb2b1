package pipeline

import (
	"reflect"
	"time"

	"learnloop.dev/events"
)

// Observer is told what the stages do; the stages themselves neither log nor
// count. Every callback is optional until EnsureDefaults was called, and returns
// quickly. None sees a payload; Context sees what was made of many.
type Observer struct {
	// Received events, before anything was decided about them.
	Received func(stage string, n int)
	// Refused an event; a dead letter exists.
	Refused func(stage string, reason events.Reason)
	// Declined an event: opt_out, expired, cleared, forgotten, superseded, duplicate.
	Declined func(stage string, why string)
	// Removed personal data, by entity.
	Removed func(entity string, n int)
	// Stored facts in the log.
	Stored func(n int, took time.Duration)
	// Folded a batch of facts up to a log position; behind counts the facts not yet folded.
	Folded func(n int, seq, behind uint64, took time.Duration)
	// Decided is one feedback taken in, for the message of 000 section 8.
	Decided func(decision, rule string)
	// Published insights.
	Published func(n int, took time.Duration)
	// Rendered insights; changed counts the entries of buckets that differ now, delay
	// is since the oldest of the insights was stored.
	Rendered func(n, changed int, delay time.Duration)
	// Context is a context as it was rendered, whether it changed or not; without a
	// value its key is deleted.
	Context func(key string, value []byte)
	// Retried something that failed and will be tried again.
	Retried func(what string, err error)
	// Swept records out: they expired, were cleared, or their person was forgotten.
	Swept func(s Sweep)
	// Deleted log entries behind a retraction.
	Deleted func(n int)
	// Traced is work on something whose producer sent a trace context.
	Traced func(s Span)
}

// Span is one stage's work on behalf of a trace.
type Span struct {
	Name       string
	Parent     string // W3C traceparent
	Begin, End time.Time
}

// Sweep is what one control fact took out, as far as one process folded it.
type Sweep struct {
	ID     string      // of the control fact
	Kind   events.Kind // control.data.expired and the like
	Count  int         // records
	Before time.Time   // the boundary, of what expired
	Limit  bool        // expired because there were too many
}

// EnsureDefaults fills the callbacks that are not set with ones that do nothing.
func (o Observer) EnsureDefaults() Observer {
	for _, f := range reflect.ValueOf(&o).Elem().Fields() {
		if f.IsNil() {
			f.Set(reflect.MakeFunc(f.Type(), func([]reflect.Value) []reflect.Value { return nil }))
		}
	}
	return o
}
