// Package ingest is the first stage: it decides about every event before
// anything of it is kept, protects what it lets in, and appends it to the log.
package ingest

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"strconv"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/learn/features"
	"learnloop.dev/pipeline"
	"learnloop.dev/privacy"

	"github.com/go-json-experiment/json/jsontext"
)

// early is how far in the future an event may lie (SPEC section 2).
const early = 10 * time.Minute

// Policy is what the settings decide about incoming events.
type Policy struct {
	Privacy privacy.Settings
	// Entitled says whether rule feedback may be taken in (SPEC section 4.8).
	Entitled bool
	// Choices are those that people made, by the keyed hash that facts name them by.
	Choices map[string]privacy.Choice
}

// optOut is why an event is declined that its sender, its person or the settings
// do not want kept.
const optOut = "opt_out"

// wants reports whether events of a kind are taken in.
func (p *Policy) wants(kind events.Kind) bool {
	switch {
	case kind.Control():
		return true
	case !p.Privacy.Enabled,
		kind == events.FeedbackResponse.Kind && !p.Privacy.EnableExplicitFeedback,
		kind == events.FeedbackEngagement.Kind && !p.Privacy.EnableImplicitTracking:
		return false
	}
	return true
}

// captures reports whether something about a person is taken in.
func (p *Policy) captures(person string) bool {
	choice, made := p.Choices[person]
	return !made || choice.Capture
}

// House is what every gate of a process shares; it does not change.
type House struct {
	Keys       *privacy.Keys
	Models     []learn.Model
	Partitions int
	Policy     func() *Policy // the policy now; a new pointer when it changed
	// Forgotten is the cut-off of a person by blind index: what is older is declined;
	// zero for most. Nil forgets nobody.
	Forgotten func(person string) time.Time
	// Designs are those of experiments; nil assigns nobody.
	Designs *Designs
	// StrictSamples refuses samples that break the formats of MPLP v1.
	StrictSamples bool
	// Settable fails with ErrNoSetting for what nobody may set. It says whether a group of settings is one of the product's, and why it
	// cannot take a value; nil knows no group.
	Settable func(name string, value []byte) (ours bool, err error)
}

// ErrNoSetting means that a key of the settings bucket is not for setting.
var ErrNoSetting = errors.New("not a setting")

// Gate decides about one event after another. It is not safe for concurrent use.
type Gate struct {
	House
	policy *Policy
	guard  *privacy.Guard
	lens   learn.Lens
	where  map[string]int // partitions of keys seen lately
	reader *features.Reader
}

// NewGate returns a gate of the house.
func NewGate(h House) (*Gate, error) {
	g := &Gate{House: h, where: make(map[string]int)}
	return g, g.follow(h.Policy())
}

// follow makes the policy the gate's own.
func (g *Gate) follow(p *Policy) error {
	if p == g.policy {
		return nil
	}
	guard, err := privacy.NewGuard(g.Keys, p.Privacy)
	if err != nil {
		return fmt.Errorf("apply privacy settings: %w", err)
	}
	g.policy, g.guard = p, guard
	g.lens = learn.Lens{Mode: p.Privacy.TextMode, Blind: g.Keys.Blind}
	return nil
}

// Verdict is what a gate decided: messages for the log, a refusal, or declined.
type Verdict struct {
	Messages []bus.Message
	Refusal  events.Refusal
	Declined string // why nothing is kept though nothing is wrong
	Report   privacy.Report

	claim    *claim   // of an exchange
	homeless *waiting // feedback that names only its exchange
	change   *Change  // of settings
	redesign *redesign
}

// Admit decides about one event that arrived on a subject.
func (g *Gate) Admit(subject string, env events.Envelope) (v Verdict, err error) {
	defer func() {
		if recover() != nil { // the panic's value may hold payload text: it goes no further
			v, err = refuse(events.ReasonCrashed), nil
		}
	}()
	if err := g.follow(g.Policy()); err != nil {
		return Verdict{}, err
	}
	if v, done := g.precheck(subject, env); done {
		return v, nil
	}
	spec, _ := events.Lookup(env.Kind)
	payload, refusal := events.Decode(spec, env.Data)
	if refusal.Refused() {
		return Verdict{Refusal: refusal}, nil
	}
	if s, ok := payload.(*events.Sample); ok && g.StrictSamples {
		if found := s.Strict(); len(found) > 0 {
			return refuse(events.ReasonSchema, found...), nil
		}
	}
	if change, ok := payload.(*events.SettingsChanged); ok {
		if refusal := g.settle(change); refusal.Refused() {
			return Verdict{Refusal: refusal}, nil
		}
	}
	if refusal := g.enrol(payload); refusal.Refused() {
		return Verdict{Refusal: refusal}, nil
	}
	stamp := payload.When()
	if outOfCalendar(stamp) {
		return refuse(events.ReasonSchema, events.Violation{Pointer: "/timestamp", Expected: calendar}), nil
	}
	for _, t := range [...]struct {
		pointer string
		time    time.Time
	}{{"/timestamp", stamp}, {"/before", boundary(payload)}, {"/date", dawn(payload)}} {
		if tooEarly(t.time, env.Received) {
			return refuse(events.ReasonFuture, events.Violation{Pointer: t.pointer, Expected: "at most 10 minutes in the future"}), nil
		}
	}
	if subject != events.DerivedSubject {
		env.Extensions = less(env.Extensions, events.ExtCause) // whoever it is cannot know
	}
	own := g.Designs.own(payload)
	v, err = g.protect(env, payload)
	if err != nil || len(own) == 0 {
		return v, err
	}
	return g.withOwn(v, env, own)
}

// settle refuses settings of ours that cannot be used, and protects those of
// others. Ours are left as they are: who masked a glob would switch it off.
func (g *Gate) settle(change *events.SettingsChanged) events.Refusal {
	ours := false
	if g.Settable != nil {
		var err error
		ours, err = g.Settable(change.Key, change.Value)
		switch {
		case errors.Is(err, ErrNoSetting):
			return refuse(events.ReasonSchema, events.Violation{Pointer: "/key", Expected: "a group of settings"}).Refusal
		case err != nil:
			return refuse(events.ReasonSchema, events.Violation{Pointer: "/value", Expected: "settings of the group that can be used"}).Refusal
		}
	}
	if ours {
		return events.Refusal{}
	}
	foreign := struct {
		Key   string         `privacy:"id"`
		Value jsontext.Value `privacy:"open"`
	}{change.Key, change.Value}
	if _, err := g.guard.Protect(&foreign); err != nil {
		return refuse(events.ReasonPrivacy).Refusal
	}
	change.Key, change.Value = foreign.Key, foreign.Value
	return events.Refusal{}
}

// precheck decides what can be decided without looking at the data.
func (g *Gate) precheck(subject string, env events.Envelope) (Verdict, bool) {
	switch {
	case !events.AllowedOn(subject, env.Kind):
		return refuse(events.ReasonNotAllowed, events.Violation{Pointer: "/type", Expected: "publish on " + pipeline.In + string(env.Kind)}), true
	case env.Kind == events.FeedbackFix.Kind && !g.policy.Entitled:
		return refuse(events.ReasonLicense, events.Violation{Pointer: "/type", Expected: "tier teams or enterprise with the learning_loop flag on"}), true
	case outOfCalendar(env.Time):
		return refuse(events.ReasonSchema, events.Violation{Pointer: "/time", Expected: calendar}), true
	case tooEarly(env.Time, env.Received):
		return refuse(events.ReasonFuture, events.Violation{Pointer: "/time", Expected: "at most 10 minutes in the future"}), true
	case !g.policy.wants(env.Kind):
		return Verdict{Declined: optOut}, true
	}
	return Verdict{}, false
}

// calendar is what times can be written down: a zone east of Greenwich makes the first
// hours of the year 1 a time before it.
const calendar = "a time from 0001-01-01T00:00:00Z on"

func outOfCalendar(t time.Time) bool { return t.UTC().Year() < 1 }

func tooEarly(t, now time.Time) bool { return t.After(now.Add(early)) }

func refuse(reason events.Reason, v ...events.Violation) Verdict {
	return Verdict{Refusal: events.Refusal{Reason: reason, Violations: v}}
}

// protect takes the identity of the raw event, redacts and masks it, and
// addresses what is left.
func (g *Gate) protect(env events.Envelope, payload events.Payload) (Verdict, error) {
	g.complete(env, payload)
	ids := g.identify(env, payload)
	if g.forgotten(ids.person, env, payload) {
		return Verdict{Declined: "forgotten"}, nil
	}
	trials := g.Designs.trials(payload)
	report, err := g.guard.Protect(payload)
	if err != nil {
		return refuse(events.ReasonPrivacy), nil //nolint:nilerr // the refusal is the answer
	}
	for _, m := range g.Models {
		m.Prepare(g.lens, payload)
	}
	g.distil(payload, &report)
	if err := g.enlist(payload, trials); err != nil {
		return Verdict{}, err
	}
	drop(payload, g.policy.Privacy)
	head := g.head(env, payload)
	v, err := g.address(head, ids, payload)
	v.Report = report
	if !env.Kind.Control() && !g.policy.captures(ids.person) {
		// Whose exchange it is has to be known: what people say about it is theirs.
		return Verdict{Declined: optOut, claim: v.claim}, err
	}
	if c, ok := payload.(*events.SettingsChanged); ok {
		v.change = &Change{Key: c.Key, Value: c.Value, At: head.Time, Received: head.Recorded}
	}
	if c, ok := payload.(*events.ExperimentChanged); ok {
		v.redesign = &redesign{head.Time, c}
	}
	return v, err
}

// forgotten reports whether an event is about a person who was forgotten since.
func (g *Gate) forgotten(person string, env events.Envelope, payload events.Payload) bool {
	if person == "" || g.Forgotten == nil {
		return false
	}
	before := g.Forgotten(person)
	if before.IsZero() {
		return false
	}
	h := events.Head{Time: stampOf(env, payload), Recorded: env.Received}
	if h.Time.IsZero() {
		h.Time = h.Recorded
	}
	return h.Older(before)
}

// stampOf is the producer's own time, zero when there is none.
func stampOf(env events.Envelope, payload events.Payload) time.Time {
	if stamp := payload.When(); !stamp.IsZero() {
		return stamp
	}
	return env.Time
}

// head is what all facts of an event have in common.
func (g *Gate) head(env events.Envelope, payload events.Payload) events.Head {
	stamp := stampOf(env, payload)
	h := events.Head{
		SpecVersion: "1.0",
		ID:          g.guard.Identifier(env.ID),
		Source:      g.guard.Identifier(env.Source),
		Time:        stamp.UTC(),
		Recorded:    env.Received.UTC(),
		Stamp:       stamp.UTC(),
		Replay:      g.replay(env),
		Cause:       g.guard.Identifier(env.Extensions[events.ExtCause]),
		Trace:       traceOf(env),
	}
	if stamp.IsZero() {
		h.Time, h.Stamp = h.Recorded, time.Time{}
	}
	return h
}

// less returns extensions without one.
func less(all map[string]string, name string) map[string]string {
	if _, has := all[name]; !has {
		return all
	}
	rest := maps.Clone(all)
	delete(rest, name)
	return rest
}

// traceparent is what the W3C recommendation allows; anything else is dropped.
var traceparent = regexp.MustCompile(`^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$`)

func traceOf(env events.Envelope) string {
	if trace := env.Extensions[events.ExtTrace]; traceparent.MatchString(trace) {
		return trace
	}
	return ""
}

// address encodes one message per part, and per partition for control facts.
func (g *Gate) address(head events.Head, ids identity, payload events.Payload) (v Verdict, err error) {
	for n, part := range payload.Parts() {
		spec, ok := events.Lookup(part.Kind)
		if !ok {
			return v, fmt.Errorf("address part %d: kind %s is not in the vocabulary", n, part.Kind)
		}
		h := head
		h.Type, h.Group, h.Key, h.Part = part.Kind.Type(), part.Group, part.Key, n
		h.Record, h.Content, h.Person = ids.records[n], ids.content, ids.person
		if n > 0 {
			h.ID += "/" + strconv.Itoa(n)
		}
		fact := spec.Fact(h, part.Data)
		data, err := events.Encode(fact)
		if err != nil {
			return refuse(events.ReasonMalformed), nil //nolint:nilerr // the refusal is the answer
		}
		if part.Exchange != "" {
			v.homeless = &waiting{Exchange: part.Exchange, Kind: part.Kind, Name: ids.name, Content: ids.content,
				Replay: h.Replay, Fact: data}
			continue
		}
		for _, p := range ids.partitions[n] {
			m := bus.Message{Subject: pipeline.LogSubject(p, part.Kind), Data: data}
			if handed(part.Kind) {
				m.Value = fact
			}
			v.Messages = append(v.Messages, m)
		}
		if e, ok := part.Data.(*events.Exchange); ok {
			owner := Owner{Key: part.Key, Group: ids.group, Person: ids.person}
			v.claim = &claim{string(e.ExchangeID), owner, claimedFor(g.policy.Privacy)}
		}
	}
	return v, nil
}

// handed reports whether facts of a kind are handed to an analyzer in this process as
// they are: they come by the thousand, and decode to what they were made from.
func handed(k events.Kind) bool { return k == events.FeedbackFix.Kind || k == events.TaskFinished.Kind }
