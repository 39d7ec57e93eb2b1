package ingest

import (
	"context"
	"errors"
	"slices"
	"testing"

	"learnloop.dev/bus"
	"learnloop.dev/pipeline"
	"learnloop.dev/privacy"
)

// diary remembers what was noted about trials.
type diary struct{ notes []string }

func (d *diary) Begin(context.Context, uint64, uint64) (int, error) {
	d.notes = append(d.notes, "begin")
	return 0, nil
}

func (d *diary) Extend(context.Context, uint64) error {
	d.notes = append(d.notes, "extend")
	return nil
}

func (d *diary) End(ctx context.Context, _ uint64) error {
	d.notes = append(d.notes, "end")
	return ctx.Err()
}

// inbox delivers one message that was delivered often.
type inbox struct{ given bool }

func (i *inbox) Next(ctx context.Context) ([]bus.Delivery, error) {
	if i.given {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	i.given = true
	body := `{"specversion":"1.0","id":"1","source":"/t","type":"dev.learnloop.feedback.fix.v1","data":` + fixData + `}`
	return []bus.Delivery{{Seq: 7, Subject: "learn.in.feedback.fix", Data: []byte(body), Stored: now, Tries: suspicious}}, nil
}

func (*inbox) Hold() error { return nil }

// full is a log that takes nothing; it is asked to stop when it was tried twice.
type full struct {
	tried int
	stop  context.CancelFunc
}

func (f *full) Append(context.Context, []bus.Message) (uint64, error) {
	if f.tried++; f.tried == 2 {
		f.stop()
	}
	return 0, bus.ErrFull
}

func TestAStopWhileAMessageIsTriedAloneIsNoCrash(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	var d diary
	s := Stage{House: house(t, defaults()), Inbox: &inbox{}, Log: &full{stop: stop}, Trials: &d}
	if err := s.Run(ctx); err != nil {
		t.Fatal(err)
	}
	if want := []string{"begin", "extend", "end"}; !slices.Equal(d.notes, want) {
		t.Errorf("the trial: %q, want %q", d.notes, want)
	}
}

// slow is a diary that does not answer at first.
type slow struct {
	diary
	asked bool
}

var errSlow = errors.New("no answer")

func (s *slow) Begin(ctx context.Context, seq, delivery uint64) (int, error) {
	if !s.asked {
		s.asked = true
		return 0, errSlow
	}
	return s.diary.Begin(ctx, seq, delivery)
}

func TestATrialThatCannotBeNotedAtOnceDoesNotEndTheStage(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	var s slow
	stage := Stage{House: house(t, defaults()), Inbox: &inbox{}, Log: &full{stop: stop}, Trials: &s}
	if err := stage.Run(ctx); err != nil {
		t.Fatal(err)
	}
	if want := []string{"begin", "extend", "end"}; !slices.Equal(s.notes, want) {
		t.Errorf("the trial: %q, want %q", s.notes, want)
	}
}

func TestATrialIsForgottenAsSoonAsItCanBe(t *testing.T) {
	var retried []string
	w := worker{Stage: Stage{Observe: pipeline.Observer{Retried: func(what string, _ error) { retried = append(retried, what) }}}}
	failures := []error{errSlow, errSlow, nil}
	err := w.persist(t.Context(), "forget a trial", func() error {
		err := failures[0]
		failures = failures[1:]
		return err
	})
	if err != nil || len(retried) != 2 {
		t.Errorf("%v after %q", err, retried)
	}
}

// unread fails the test when somebody reads it.
type unread struct{ t *testing.T }

func (u unread) Next(ctx context.Context) ([]bus.Delivery, error) {
	u.t.Error("the inbox is read although nobody can decide")
	<-ctx.Done()
	return nil, errors.New("over")
}

func (unread) Hold() error { return nil }

func TestAStageWithoutGatesLeavesNothingBehind(t *testing.T) {
	h := house(t, Policy{Privacy: privacy.Settings{TextMode: "no such mode"}})
	s := Stage{House: h, Inbox: unread{t}, Observe: pipeline.Observer{}}
	if err := s.Run(t.Context()); err == nil {
		t.Error("it ran with settings that cannot be used")
	}
}
