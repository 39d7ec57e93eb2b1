package app_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"learnloop.dev/api"
	"learnloop.dev/app"
	"learnloop.dev/pipeline/recall"

	"github.com/go-json-experiment/json"
)

// thesaurus is a server that speaks like OpenAI's, to whose model cars and automobiles
// are the same.
func thesaurus(t *testing.T) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct {
			Input []string `json:"input"`
		}
		if err := json.UnmarshalRead(r.Body, &asked); err != nil || r.URL.Path != "/embeddings" {
			t.Errorf("%s: %v", r.URL.Path, err)
		}
		var vectors []string
		for i, text := range asked.Input {
			vector := "[1,0]"
			if strings.Contains(text, "car") || strings.Contains(text, "automobile") {
				vector = "[0,1]"
			}
			vectors = append(vectors, fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":%s}`, i, vector))
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"object":"list","model":"m","data":[%s]}`, strings.Join(vectors, ","))
	}))
	t.Cleanup(s.Close)
	return s
}

// repairs are two learnings that words cannot tell apart.
func repairs(t *testing.T, a *agent) {
	t.Helper()
	for _, what := range []string{"bus", "car"} {
		a.publish(t, structured(event(what, "dev.learnloop.learning.created.v1", fmt.Sprintf(`{"id":"learn_%s","title":"Repair of the %s",`+
			`"context":"c","observation":"o","implication":"i","action":"a","confidence":0.7}`, what, what))))
	}
}

func TestWhatIsMeantIsToldByTheModelThatTheSettingsName(t *testing.T) {
	a := meet(t, t.TempDir(), "embedding.provider=openai", "embedding.model=m", "embedding.dim=2", "embedding.base_url="+thesaurus(t).URL)
	repairs(t, a)
	for _, strategy := range []string{"semantic", "hybrid"} {
		ask := request{"learnings.search", map[string]any{"q": "repair the automobile", "strategy": strategy}}
		eventually(t, a, ask, func(r api.SearchResults) bool {
			return r.Note == "" && fmt.Sprint(foundIn(r)) == "[learn_car learn_bus]"
		})
	}
}

func TestWithoutAnAnswerOfTheModelWordsDecideAndTheAnswerSaysSo(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	a := meet(t, t.TempDir(), "embedding.provider=openai", "embedding.base_url="+gone.URL)
	repairs(t, a)
	ask := request{"learnings.search", map[string]any{"q": "repair the automobile", "strategy": "hybrid"}}
	eventually(t, a, ask, func(r api.SearchResults) bool { return len(r.Results) == 2 && r.Note == string(recall.Silent) })
}

func TestSettingsOfEmbeddingThatCannotWorkAreRefused(t *testing.T) {
	for pair, says := range map[string]string{
		"embedding.provider=word2vec": "embedding.provider: want local or openai",
		"embedding.provider=openai":   "embedding.api_key: want the key of openai",
		"embedding.dim=-1":            "embedding.dim: want 0",
		"embedding.base_url=ftp://x":  "embedding.base_url: want an address",
	} {
		if _, err := app.Load("", nil, []string{pair}); err == nil || !strings.HasPrefix(err.Error(), says) {
			t.Errorf("%s: %v, want %s", pair, err, says)
		}
	}
	c, err := app.Load("", []string{"OPENAI_API_KEY=k"}, []string{"embedding.provider=openai"})
	if err != nil || c.Embedding.APIKey != "k" {
		t.Errorf("%v: the key is %q", err, c.Embedding.APIKey)
	}
}
