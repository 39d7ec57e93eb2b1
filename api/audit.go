package api

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/pipeline/ingest"

	"github.com/go-json-experiment/json"
)

// Journal keeps what people changed.
type Journal interface {
	Write(ctx context.Context, operation string, data []byte) error
	// List returns the newest first, older than the one with sequence before; 0
	// begins at the newest.
	List(ctx context.Context, limit int, before uint64) ([]bus.Entry, error)
}

// Deed is a line of the audit log: who did what to what, and what came of it. It never
// holds what the change said, nor whom it was about.
type Deed struct {
	At        time.Time `json:"at"`
	Who       string    `json:"who" doc:"The name of the token; operator for the admin token or credential."`
	Door      string    `json:"door" enum:"http,nats,mcp,dashboard"`
	Operation string    `json:"operation"`
	Key       string    `json:"key,omitzero" doc:"What it was done to; absent where that is a person, or everything."`
	Outcome   string    `json:"outcome" doc:"done, unconfirmed for one that waits to be confirmed, or the code of the problem."`
}

// What came of a change that was not refused.
const (
	done        = "done"
	unconfirmed = "unconfirmed"
)

// audited reports whether a call is written down: whatever changes something and is not
// open to programs, and whatever else people change. Who may review is one of them, and a
// browser that signed in.
func (e entry) audited(who Visitor) bool {
	if !changing(e.method) || e.unlisted {
		return false
	}
	return !e.access.anonymous() || e.access == Capture && (who.May(Review) || who.Door == doorDashboard)
}

// Diary writes down what happened, once each.
type Diary interface {
	WriteOnce(ctx context.Context, operation string, lines []bus.Line) error
}

// NoteReserved writes into the audit log that operators published events of kinds that
// are reserved to them straight into the inbox, where no operation sees it.
func NoteReserved(ctx context.Context, d Diary, list []ingest.Publication) error {
	lines := make([]bus.Line, len(list))
	for i, p := range list {
		data, err := json.Marshal(deedOf(p))
		if err != nil {
			return fmt.Errorf("encode a line of the audit log: %w", err)
		}
		lines[i] = bus.Line{ID: fmt.Sprintf("inbox/%d/%s", p.Sequence, p.Kind), Data: data}
	}
	return d.WriteOnce(ctx, publishing, lines)
}

func deedOf(p ingest.Publication) Deed {
	return Deed{At: p.At.UTC(), Who: operatorName, Door: doorNATS, Operation: publishing, Key: string(p.Kind), Outcome: done}
}

// tentative is an Out that may say that nothing was done yet.
type tentative interface{ pending() bool }

// made is an Out that says by what name the thing is found that was made.
type made interface{ name() string }

// outcome is what came of a call.
func (ans answer) outcome(p *Problem) string {
	switch {
	case p != nil:
		return string(p.Code)
	case ans.pending:
		return unconfirmed
	}
	return done
}

// deed is a call as the audit log has it.
func (e entry) deed(in any, ans answer, p *Problem) Deed {
	return Deed{Operation: e.name, Key: cmp.Or(targetOf(e.path, in), shortKey(ans.made)), Outcome: ans.outcome(p)}
}

// noteTime is how long writing a line may take.
const noteTime = 5 * time.Second

// write adds who and when. That it cannot be written does not undo the change; the
// operator is told.
func (r *Registry) write(ctx context.Context, d Deed) {
	if r.journal == nil {
		return
	}
	who := VisitorOf(ctx)
	d.At, d.Who, d.Door = r.now().UTC(), cmp.Or(who.Name, nobodyName), who.Door
	data, err := json.Marshal(d)
	if err == nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteTime) // who called may have gone
		defer cancel()
		err = r.journal.Write(ctx, d.Operation, data)
	}
	if err != nil && r.failed != nil {
		r.failed("audit", err)
	}
}

// How many attempts of one caller who may not are noted at once, and each second on:
// nobody writes the log full by trying.
const (
	attemptsAtOnce    = 10
	attemptsPerSecond = 1.0 / 600
)

// longestKey is how much of a key is written down, in bytes.
const longestKey = 200

// targetOf is what the path of an operation names in its arguments, unless that is a person.
func targetOf(path string, in any) string {
	var parts []string
	args := reflect.Indirect(reflect.ValueOf(in))
	for _, f := range reflect.VisibleFields(args.Type()) {
		name := f.Tag.Get("path")
		if name == "" || name == "user" || !strings.Contains(path, "{"+name+"}") {
			continue
		}
		parts = append(parts, fmt.Sprint(args.FieldByIndex(f.Index).Interface()))
	}
	return shortKey(strings.Join(parts, "/"))
}

// shortKey is as much of a key as is written down.
func shortKey(key string) string { return strings.ToValidUTF8(key[:min(len(key), longestKey)], "") }

// registerAudit lists what shows the audit log.
func (a *API) registerAudit(r *Registry) {
	Add(r, Operation[AuditArgs, Audit]{
		Name: "audit.list", Method: http.MethodGet, Path: "/api/audit", Tag: "access", Access: Admin,
		Summary:     "Who changed what",
		Description: "The newest first, of a year. Neither what a change said nor whom it was about is in it.",
		Do:          a.audit,
	})
}

// AuditArgs choose lines of the audit log.
type AuditArgs struct {
	Limit  int    `json:"limit,omitzero" query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"How many to list."`
	Before uint64 `json:"before,omitzero" query:"before" doc:"The next of the answer before; the newest when absent."`
}

// Audit is a page of the audit log.
type Audit struct {
	Deeds []Deed `json:"deeds" nullable:"false"`
	Next  uint64 `json:"next,omitzero" doc:"What before is on the next page, absent on the last."`
}

func (a *API) audit(ctx context.Context, in *AuditArgs) (*Audit, error) {
	limit := cmp.Or(in.Limit, pageSize)
	entries, err := a.deps.Journal.List(ctx, limit, in.Before)
	if err != nil {
		return nil, unreachable(err)
	}
	page := &Audit{Deeds: make([]Deed, len(entries))}
	for i, e := range entries {
		if err := json.Unmarshal(e.Data, &page.Deeds[i]); err != nil {
			return nil, fmt.Errorf("read line %d of the audit log: %w", e.Seq, err)
		}
	}
	if len(entries) == limit && entries[limit-1].Seq > 1 {
		page.Next = entries[limit-1].Seq
	}
	return page, nil
}
