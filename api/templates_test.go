package api

import (
	"net/http"
	"slices"
	"testing"

	"learnloop.dev/learn/outcomes"
	"learnloop.dev/pipeline/guide"

	"github.com/go-json-experiment/json"
)

func TestATemplateThatIsReplacedKeepsWhatIsKnownOfIt(t *testing.T) {
	used := outcomes.Template{ID: "bug fix", Name: "bug fix", Plan: []outcomes.Step{{ID: "reproduce"}}, Completed: 8, Failed: 2}
	h := build(t, func(d *Deps) { d.Advice = guide.NewBoard(shelf{}, []outcomes.Template{used.Rated()}) })
	got := h.do(t, "POST /api/templates", `{"name":"bug fix","keywords":["bug"],"plan":[{"id":"look"}]}`, asAdmin)
	var added outcomes.Template
	if err := json.Unmarshal([]byte(got.body), &added); err != nil || got.status != http.StatusCreated {
		t.Fatalf("%d %s: %v", got.status, got.body, err)
	}
	if added.Completed != 8 || added.Failed != 2 || added.SuccessRate == nil || *added.SuccessRate != 0.8 || added.Lower != used.Rated().Lower {
		t.Errorf("evidence is lost: %s", got.body)
	}
	if added.Schema != "dev.learnloop.context.template.v1" || added.Source != outcomes.Added || added.Prompt == "" {
		t.Errorf("it is not described as others are: %s", got.body)
	}
	if !slices.Equal(added.Keywords, []string{"bug"}) || len(added.Plan) != 1 || added.Plan[0].ID != "look" {
		t.Errorf("it is not what was added: %s", got.body)
	}
}
