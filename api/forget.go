package api

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"learnloop.dev/pipeline/analyze"
	"learnloop.dev/pipeline/forget"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go/jetstream"
)

// Subject is who shall be forgotten.
type Subject struct {
	User string `json:"user" minLength:"1" doc:"The raw user id, or the pseudonym."`
}

// Renouncing is a subject and the token that confirms it.
type Renouncing struct {
	Subject
	Confirm string `json:"confirm,omitzero" doc:"The token of the answer before."`
}

// ForgetArgs say who shall be forgotten.
type ForgetArgs struct {
	Caller `json:"-"`
	Body   Renouncing `json:",embed"`
}

// Schema describes the arguments to NATS clients: those of the body over HTTP.
func (*ForgetArgs) Schema(r huma.Registry) *huma.Schema {
	return r.Schema(reflect.TypeFor[Renouncing](), false, "")
}

func (a *ForgetArgs) check() error { return checkID("user", a.Body.User) }

// ForgettingArgs name an order to forget a person.
type ForgettingArgs struct {
	ID string `json:"id" path:"id" doc:"Of the answer to the confirmed request."`
}

func (a *ForgettingArgs) check() error {
	if !orderID(a.ID) {
		return wrong(BadRequest, "/id", "the id of an order")
	}
	return nil
}

// orderID reports whether a text can be the id of an order.
func orderID(id string) bool {
	return id != "" && strings.Trim(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
}

// Forgetting is what forgetting a person would take, or how far it is.
type Forgetting struct {
	Clearing
	ID     string         `json:"id,omitzero" doc:"Names the order once it is confirmed."`
	Report *forget.Report `json:"report,omitzero" doc:"What was removed and what a search of everything found; absent until it is done."`
}

// reportTime is how long a confirmed request waits for its report; less than a
// caller's patience.
const reportTime = 20 * time.Second

// forget counts what forgetting a person would take; a confirmed request has it done.
func (a *API) forget(ctx context.Context, in *ForgetArgs) (*Forgetting, error) {
	request, token := in.Body.Subject, in.Body.Confirm
	job, err := a.job(ctx, request.User)
	if err != nil {
		return nil, err
	}
	f := &Forgetting{}
	f.count(analyze.Census{Counts: job.Records})
	if token == "" {
		f.Confirm, err = a.pledges.issue(ctx, request)
		return f, err
	}
	if err := a.pledges.redeem(ctx, token, request); err != nil { // last: whoever got no answer asks again
		return nil, err
	}
	job.ID, job.Actor = rand.Text(), in.actor()
	if err := a.order(ctx, job); err != nil {
		return nil, err
	}
	f.ID, f.Cleared = job.ID, true
	f.Report, err = a.awaitReport(ctx, job.ID)
	return f, err
}

// job finds out all that a person is known by.
func (a *API) job(ctx context.Context, user string) (job forget.Job, err error) {
	job.Before = a.deps.Now().UTC()
	known, err := a.deps.KnownBy(ctx, user, nil)
	if err != nil {
		return job, outOfReach(err)
	}
	var names []string
	meant, err := a.meant(ctx, user)
	if err != nil {
		return job, err
	}
	if meant != "" {
		found, err := a.asker.census(ctx, analyze.Survey{At: job.Before, Name: meant})
		if err != nil {
			return job, err
		}
		known.Subjects, names = append(known.Subjects, found.People...), append(names, meant)
	}
	found, err := a.asker.census(ctx, analyze.Survey{At: job.Before, Subjects: known.Subjects})
	if err != nil {
		return job, err
	}
	job.Subjects, job.Records = known.Subjects, found.Counts
	known, err = a.deps.KnownBy(ctx, user, append(names, found.Names...))
	if err != nil {
		return job, outOfReach(err)
	}
	job.Names = known.Names
	return job, nil
}

// meant is the stored name that a shown one means, or that is given itself; "" for
// what can only be a raw id.
func (a *API) meant(ctx context.Context, user string) (string, error) {
	if a.deps.People != nil {
		found, err := a.deps.People.Find(ctx, user)
		if err != nil {
			return "", outOfReach(err)
		}
		if found.Shown {
			return found.Name, nil
		}
	}
	if strings.HasPrefix(user, "p") && strings.Contains(user, "_") { // as pseudonyms begin
		return user, nil
	}
	return "", nil
}

// order writes down what is to be done: from here on it will be.
func (a *API) order(ctx context.Context, job forget.Job) error {
	data, err := json.Marshal(job, json.Deterministic(true))
	if err != nil {
		return fmt.Errorf("encode order: %w", err)
	}
	if _, err := a.settings.Create(ctx, forget.JobKey(job.ID), data); err != nil {
		return unreachable(fmt.Errorf("write order to forget: %w", err))
	}
	return nil
}

// awaitReport waits for a report for a while, nil when there is none yet.
func (a *API) awaitReport(ctx context.Context, id string) (*forget.Report, error) {
	ctx, cancel := context.WithTimeout(ctx, reportTime)
	defer cancel()
	t := time.NewTicker(4 * glance)
	defer t.Stop()
	for {
		r, _, err := a.report(ctx, id)
		switch {
		case r != nil:
			return r, nil
		case ctx.Err() != nil:
			return nil, nil //nolint:nilnil // it goes on, and can be asked for
		case err != nil:
			return nil, err
		}
		select {
		case <-ctx.Done():
		case <-t.C:
		}
	}
}

// report returns what came of an order, nil while it is pending or if there is none.
// The order itself names the person: until it is gone, nothing is proved.
func (a *API) report(ctx context.Context, id string) (r *forget.Report, pending bool, err error) {
	switch _, err := a.settings.Get(ctx, forget.JobKey(id)); {
	case err == nil:
		return nil, true, nil
	case !errors.Is(err, jetstream.ErrKeyNotFound):
		return nil, false, unreachable(fmt.Errorf("read order: %w", err))
	}
	e, err := a.settings.Get(ctx, forget.ReportKey(id))
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, unreachable(fmt.Errorf("read report: %w", err))
	}
	r = new(forget.Report)
	if err := json.Unmarshal(e.Value(), r); err != nil {
		return nil, false, fmt.Errorf("read report: %w", err)
	}
	return r, false, nil
}

// forgetting answers how far an order is.
func (a *API) forgetting(ctx context.Context, in *ForgettingArgs) (*Forgetting, error) {
	f := &Forgetting{ID: in.ID}
	f.Cleared = true
	r, pending, err := a.report(ctx, in.ID)
	switch {
	case err != nil:
		return nil, err
	case pending:
		return f, nil
	case r == nil:
		return nil, problem(NotFound, "there is no such order")
	}
	f.Report = r
	f.count(analyze.Census{Counts: r.Records})
	return f, nil
}
