package main

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"time"

	"learnloop.dev/api"
	"learnloop.dev/app"
	"learnloop.dev/events"
	"learnloop.dev/learn/rules"

	"github.com/go-json-experiment/json"
)

// sample is invented, and says so in the source of every event.
//
//go:embed demo/sample.jsonl
var sample []byte

// What the sample tells about.
const (
	turning  = "revive/unused-parameter" // liked at first, then turned down
	personal = "log-personal-data"       // somebody remarked more than they should
	later    = `"id":"later-`            // begins the second part
)

// story shows, scene by scene, what the loop makes of the sample.
type story struct {
	sh    *shell
	loop  *loop
	at    app.Addresses
	stays bool // the loop can be asked afterwards
	scene int
}

func (s *story) tell(ctx context.Context, up time.Duration) error {
	s.sh.sayf("%s", s.sh.mark(bold, "learnloop demo"))
	s.sh.sayf("Everything below happens in this process, on a temporary folder, with a bundled\nsample of events. The sample is invented.")
	s.title("A loop starts")
	s.sh.sayf("Up in %.1f s: NATS on %s, HTTP on %s,\nthree stages, everything encrypted on disk.", up.Seconds(), s.at.NATS, s.at.HTTP)
	first, second := parts()
	for _, scene := range []func(context.Context) error{
		func(ctx context.Context) error { return s.firstPart(ctx, first) },
		func(ctx context.Context) error { return s.secondPart(ctx, second) },
		s.refusal, s.redaction, s.ending,
	} {
		if err := scene(ctx); err != nil {
			return fmt.Errorf("demo: %w", err)
		}
	}
	return nil
}

// parts splits the sample where people change their minds.
func parts() (first, second [][]byte) {
	for lines := bufio.NewScanner(bytes.NewReader(sample)); lines.Scan(); {
		line := bytes.Clone(lines.Bytes())
		if bytes.Contains(line, []byte(later)) {
			second = append(second, line)
			continue
		}
		first = append(first, line)
	}
	return first, second
}

func (s *story) title(text string) {
	s.scene++
	s.sh.sayf("\n%s", s.sh.mark(bold, fmt.Sprintf("%d. %s", s.scene, text)))
}

// publish sends events as an agent would, and waits for their effect.
func (s *story) publish(ctx context.Context, lines [][]byte) error {
	ship := s.loop.shipment(func(int) {})
	for _, line := range lines {
		if err := ship.add(ctx, line); err != nil {
			return err
		}
	}
	if err := ship.flush(ctx); err != nil {
		return err
	}
	f, err := s.loop.await(ship).until(ctx)
	if err != nil {
		return err
	}
	s.sh.sayf("%s", s.sh.mark(faint, fmt.Sprintf("%d sent over NATS: %d stored, %d duplicates, %d refused%s",
		f.Sent, f.Stored, f.Duplicates, f.Refused, f.others())))
	return nil
}

func (s *story) firstPart(ctx context.Context, lines [][]byte) error {
	s.title("Agents report what people did with their suggestions")
	if err := s.publish(ctx, lines); err != nil {
		return err
	}
	s.title("An agent asks what to know before it suggests again")
	return s.showPrompt(ctx, green)
}

func (s *story) secondPart(ctx context.Context, lines [][]byte) error {
	s.title("People change their minds about that rule")
	if err := s.publish(ctx, lines); err != nil {
		return err
	}
	s.sh.sayf("The next prompt says so:")
	return s.showPrompt(ctx, red)
}

// showPrompt shows what generators are told about the rule of the story.
func (s *story) showPrompt(ctx context.Context, colour style) error {
	var c rules.Context
	if err := s.loop.client.Call(ctx, "contexts.get", api.ContextArgs{Kind: "rule", ID: turning}, &c); err != nil {
		return err
	}
	s.sh.sayf("%s", s.sh.mark(faint, "$ learnloop context get rule."+turning))
	for line := range bytes.Lines([]byte(c.Prompt)) {
		for _, row := range wrapped(string(bytes.TrimRight(line, "\n")), 76) {
			s.sh.sayf("%s", s.sh.mark(colour, indented(row)))
		}
	}
	return nil
}

func (s *story) refusal(ctx context.Context) error {
	s.title("One event was wrong")
	var letters api.Letters
	if err := s.loop.client.Call(ctx, "dlq.list", api.LettersArgs{Limit: 1}, &letters); err != nil {
		return err
	}
	for _, l := range letters.Letters {
		s.sh.sayf("Refused, and kept as a dead letter without what was in it. Reason: %s", string(l.Reason))
		if err := s.sh.table(violationRows(l.Violations)); err != nil {
			return err
		}
	}
	return nil
}

func (s *story) redaction(ctx context.Context) error {
	s.title("One person wrote more than they should")
	var c rules.Context
	if err := s.loop.client.Call(ctx, "contexts.get", api.ContextArgs{Kind: "rule", ID: personal}, &c); err != nil {
		return err
	}
	s.sh.sayf("  sent    %s", remarkSent())
	for _, p := range c.RejectedPatterns {
		if p.CommonRejectionReason != nil {
			s.sh.sayf("  stored  %s", s.sh.mark(green, *p.CommonRejectionReason))
		}
	}
	return nil
}

// remarkSent finds in the sample what the person wrote.
func remarkSent() string {
	for lines := bufio.NewScanner(bytes.NewReader(sample)); lines.Scan(); {
		var e struct {
			Data events.FixFeedback `json:"data"`
		}
		if json.Unmarshal(lines.Bytes(), &e) == nil && e.Data.RuleID == personal && e.Data.UserComment != "" {
			return e.Data.UserComment
		}
	}
	return ""
}

func (s *story) ending(ctx context.Context) error {
	s.title("What is known now")
	var known rules.Statistics
	if err := s.loop.client.Call(ctx, "statistics.get", api.StatisticsArgs{}, &known); err != nil {
		return err
	}
	s.sh.sayf("%d decisions on %d rules: %d accepted, %d modified, %d rejected, %d skipped.", known.TotalFeedback,
		known.RulesWithFeedback, known.Accepted, known.Modified, known.Rejected, known.Skipped)
	s.title("Next")
	s.sh.sayf("  learnloop serve                      the same on a folder that survives restarts")
	s.sh.sayf("  learnloop replay --wait FILE         your own events, one CloudEvent per line")
	if !s.stays {
		s.sh.sayf("  learnloop demo --keep                this again, and the loop stays, to be asked what it knows")
	}
	s.sh.sayf("\nThen: learnloop context list, context get KEY, explain KEY, stats, dlq list.\n")
	return nil
}
