package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"learnloop.dev/events"
	"learnloop.dev/learn/outcomes"
	"learnloop.dev/pipeline/guide"
	"learnloop.dev/pipeline/ingest"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// clerk issues control facts nowhere, and keeps them.
type clerk struct{ issued []ingest.Order }

func (c *clerk) Issue(_ context.Context, o ingest.Order) (map[int]uint64, error) {
	c.issued = append(c.issued, o)
	return nil, nil
}

func TestATokenIsStillGoodWhenAQuestionHadNoAnswer(t *testing.T) {
	issuer, mute := new(clerk), false
	h := build(t, func(d *Deps) { d.Issuer = issuer })
	analysts := idle(0, 1, 2, 3)
	analysts.asked = func(string, string, jsontext.Value) (any, error) {
		if mute {
			return nil, errors.New("the state is away")
		}
		return map[string]any{}, nil
	}
	h.employ(t, analysts)
	var r Resetting
	if got := h.do(t, "POST /api/reset", `{}`, asAdmin); json.Unmarshal([]byte(got.body), &r) != nil || r.Confirm == nil {
		t.Fatalf("no token in %s", got.body)
	}
	confirmed := fmt.Sprintf(`{"confirm":%q}`, r.Confirm.Token)
	mute = true
	if got := h.do(t, "POST /api/reset", confirmed, asAdmin); got.status < http.StatusInternalServerError || len(issuer.issued) > 0 {
		t.Fatalf("without an answer: %d %s, issued %v", got.status, got.body, issuer.issued)
	}
	mute = false
	if got := h.do(t, "POST /api/reset", confirmed, asAdmin); got.status != http.StatusOK || len(issuer.issued) != 1 {
		t.Errorf("%d %s, issued %v", got.status, got.body, issuer.issued)
	}
	if got := h.do(t, "POST /api/reset", confirmed, asAdmin); got.problem(t).Code != Invalid || len(issuer.issued) != 1 {
		t.Errorf("a second time: %d %s", got.status, got.body)
	}
}

func TestTemplatesThatNobodyLearnedAreNotForgotten(t *testing.T) {
	issuer := new(clerk)
	shipped := []outcomes.Template{
		{ID: "bug-fix", Name: "bug-fix", Source: outcomes.BuiltIn, Plan: []outcomes.Step{{ID: "a"}}},
		{ID: "ours", Name: "ours", Source: outcomes.Folder, Plan: []outcomes.Step{{ID: "a"}}},
	}
	h := build(t, func(d *Deps) { d.Issuer, d.Advice = issuer, guide.NewBoard(shelf{}, shipped) })
	for id, hint := range map[string]string{"bug-fix": "add one of the same name", "ours": "remove its file"} {
		if p := h.do(t, "DELETE /api/templates/"+id, "", asAdmin).problem(t); p.Code != Conflict || !strings.Contains(p.Hint, hint) {
			t.Errorf("%s: %+v", id, p)
		}
	}
	if p := h.do(t, "DELETE /api/templates/unheard", "", asAdmin).problem(t); p.Code != NotFound {
		t.Errorf("%+v", p)
	}
	if got := h.do(t, "DELETE /api/templates/bug-fix", ""); got.status != http.StatusUnauthorized {
		t.Errorf("without a token: %d", got.status)
	}
	if len(issuer.issued) > 0 {
		t.Errorf("issued %v", issuer.issued)
	}
}

func TestADeletedTemplateIsGoneWhenThisIsAnswered(t *testing.T) {
	issuer, offered := new(clerk), outcomes.Template{ID: "mine", Name: "mine", Source: outcomes.Added, Plan: []outcomes.Step{{ID: "a"}}, Completed: 3}
	h := build(t, func(d *Deps) {
		d.Issuer, d.Advice = issuer, guide.NewBoard(shelf{}, []outcomes.Template{offered.Rated()})
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.api.deleteTemplate(ctx, &DropTemplateArgs{ID: "mine"}); !errors.Is(err, context.Canceled) {
		t.Errorf("while it is still offered: %v", err)
	}
	order := issuer.issued[0]
	if p, ok := order.Payload.(*events.PatternDeleted); !ok || p.PatternType != events.OneTemplate || p.PatternKey != "mine" {
		t.Errorf("ordered %+v", order)
	}
}

func TestATemplateThatIsLearnedAgainAtOnceWasDeletedAllTheSame(t *testing.T) {
	learned := outcomes.Template{ID: "mine", Name: "mine", Source: outcomes.Learned, Plan: []outcomes.Step{{ID: "a"}}, Completed: 1}
	h := build(t, func(d *Deps) {
		d.Issuer, d.Advice = new(clerk), guide.NewBoard(shelf{}, []outcomes.Template{learned.Rated()}) // which is never seen without it
	})
	if gone, err := h.api.deleteTemplate(t.Context(), &DropTemplateArgs{ID: "mine"}); err != nil || !gone.Deleted || gone.Completed != 1 {
		t.Errorf("%+v, %v", gone, err)
	}
}
