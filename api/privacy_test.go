package api

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"

	"learnloop.dev/privacy"

	"github.com/nats-io/nats.go/micro"
)

// council is a governor without a log.
type council struct {
	mu      sync.Mutex
	now     privacy.Settings
	choices map[string]privacy.Choice
	actors  []string
}

func (c *council) settings() privacy.Settings {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *council) Govern(_ context.Context, a Amendment) (privacy.Settings, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	next, err := a.Decide(c.now)
	if err == nil {
		c.now = next
		c.actors = append(c.actors, a.Actor)
	}
	return c.now, err
}

func (c *council) Choose(_ context.Context, o Choosing) (privacy.Choice, error) {
	now, made := c.choices[o.User]
	if !made {
		now = privacy.Undecided()
	}
	c.choices[o.User] = o.Decide(now)
	return c.choices[o.User], nil
}

func governed(t *testing.T) (*house, *council) {
	t.Helper()
	c := &council{now: privacy.Defaults(), choices: map[string]privacy.Choice{}}
	return build(t, func(d *Deps) { d.Governor, d.Settings = c, c.settings }), c
}

const asOperator = "Authorization: Bearer " + token

func TestBothDoorsChangeSettings(t *testing.T) {
	h, c := governed(t)
	a := h.do(t, "PATCH /api/privacy?actor=anna", `{"text_mode":"strict"}`, asOperator, "Content-Type: application/json")
	if a.status != http.StatusOK || !strings.Contains(a.body, `"text_mode":"strict"`) {
		t.Fatalf("%d %s", a.status, a.body)
	}
	m, err := h.nc.RequestMsgWithContext(briefly(t), message(subjectOf("privacy.set"), `{"max_records":7,"actor":"bob"}`))
	if err != nil || !strings.Contains(string(m.Data), `"max_records":7`) {
		t.Fatalf("%v: %s", err, m.Data)
	}
	if got := h.get(t, "/api/privacy", asOperator); got.body != string(m.Data) || got.header.Get("ETag") != m.Header.Get("ETag") {
		t.Errorf("NATS %s\nHTTP %s", m.Data, got.body)
	}
	b := h.do(t, "PATCH /api/privacy", `{"storeOriginalText":true,"maxRecords":8}`, asOperator) // as source document 000 calls them
	if b.status != http.StatusOK || !strings.Contains(b.body, `"max_records":8`) || !strings.Contains(b.body, `"text_mode":"full"`) {
		t.Errorf("%d %s", b.status, b.body)
	}
	if got := strings.Join(c.actors, " "); got != "anna bob operator" {
		t.Errorf("changed by %s", got)
	}
}

func TestAChangeOfWhatOthersChangedIsRefusedOverBothDoors(t *testing.T) {
	h, c := governed(t)
	seen := h.get(t, "/api/privacy", asOperator).header.Get("ETag")
	if a := h.do(t, "PATCH /api/privacy", `{"max_records":1}`, asOperator, "If-Match: "+seen); a.status != http.StatusOK {
		t.Fatalf("%d %s", a.status, a.body)
	}
	a := h.do(t, "PATCH /api/privacy", `{"max_records":2}`, asOperator, "If-Match: "+seen)
	if a.status != http.StatusPreconditionFailed || a.header.Get("ETag") == seen || a.header.Get("ETag") == "" {
		t.Errorf("%d %v %s", a.status, a.header, a.body)
	}
	again := `{"max_records":3,"if_match":"` + strings.ReplaceAll(seen, `"`, `\"`) + `"}`
	m, err := h.nc.RequestMsgWithContext(briefly(t), message(subjectOf("privacy.set"), again))
	if err != nil || m.Header.Get(micro.ErrorCodeHeader) != "outdated" {
		t.Errorf("%v: %s", err, m.Data)
	}
	if got := c.settings().MaxRecords; got != 1 {
		t.Errorf("max_records is %d", got)
	}
}

func TestReplacingNeedsToKnowWhatItReplaces(t *testing.T) {
	h, c := governed(t)
	c.now.MaxRecords = 9
	if a := h.do(t, "PUT /api/privacy", `{"text_mode":"full"}`, asOperator); a.status != http.StatusPreconditionRequired {
		t.Errorf("%d %s", a.status, a.body)
	}
	a := h.do(t, "PUT /api/privacy", `{"text_mode":"full"}`, asOperator, "If-Match: *")
	if a.status != http.StatusOK || c.now.TextMode != privacy.Full || c.now.MaxRecords != 0 {
		t.Errorf("%d %+v", a.status, c.now)
	}
}

func TestSettingsThatCannotBeAreToldWithTheirPlaceAndChangeNothing(t *testing.T) {
	h, c := governed(t)
	for body, pointer := range map[string]string{
		`{"text_mode":"loud","max_records":1}`: "/text_mode", `{"retention_days":{"ab_tests":-1}}`: "/retention_days/ab_tests",
		`{"mood":1}`: "/mood", `[]`: "/", ``: "", `{"anonymize_pii":false}`: "/anonymize_pii",
	} {
		a := h.do(t, "PATCH /api/privacy", body, asOperator)
		if a.status < 400 || a.status >= 500 || !strings.Contains(a.body, `"pointer":"`+pointer) && pointer != "" {
			t.Errorf("%s: %d %s", body, a.status, a.body)
		}
	}
	if c.now.MaxRecords != 0 || len(c.actors) > 0 {
		t.Errorf("%+v", c.now)
	}
}

func TestStrangersChangeNothing(t *testing.T) {
	h, c := governed(t)
	for _, line := range []string{"PATCH /api/privacy", "PUT /api/privacy", "POST /api/privacy/opt-out/anna", "GET /api/privacy/history"} {
		if a := h.do(t, line, `{"enabled":false}`); a.status != http.StatusUnauthorized {
			t.Errorf("%s: %d", line, a.status)
		}
	}
	if !c.now.Enabled || len(c.choices) > 0 {
		t.Errorf("%+v %v", c.now, c.choices)
	}
}

func TestAPersonOptsOutOfAllOrOfSharingAndBack(t *testing.T) {
	h, c := governed(t)
	for _, step := range []struct {
		query string
		want  privacy.Choice
	}{
		{"?team_only=true", privacy.Choice{Capture: true}}, {"", privacy.Choice{}},
		{"?team_only=true&undo=true", privacy.Choice{ParticipateInTeamLearning: true}}, {"?undo=true", privacy.Undecided()},
	} {
		a := h.do(t, "POST /api/privacy/opt-out/an%2Fna"+step.query, "", asOperator)
		if got := c.choices["an/na"]; a.status != http.StatusOK || got != step.want {
			t.Errorf("%s: %d %+v %s", step.query, a.status, got, a.body)
		}
	}
}
