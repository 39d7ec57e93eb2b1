package providers_test

import (
	"errors"
	"testing"

	"learnloop.dev/providers"
)

func TestEachTextGetsItsVectorInItsPlace(t *testing.T) {
	a := serve(t, reply{raw: `{"object":"list","model":"m","data":[
		{"object":"embedding","index":1,"embedding":[0,1]},{"object":"embedding","index":0,"embedding":[1,0]}],"usage":{"prompt_tokens":1,"total_tokens":1}}`})
	var e providers.Embedder = providers.NewOpenAIEmbedder(providers.Account{BaseURL: a.URL, Key: key, Model: "m"}, 2)
	v, err := e.Embed(t.Context(), []string{"a", "b"})
	if err != nil || len(v) != 2 || v[0][0] != 1 || v[1][1] != 1 {
		t.Errorf("%v, %v", v, err)
	}
	if e.ID() != "openai/m/2" || e.Dim() != 2 {
		t.Errorf("%s %d", e.ID(), e.Dim())
	}
	if c := a.seen(0); c.path != "/embeddings" || c.body["dimensions"] != 2.0 || c.body["encoding_format"] != "float" {
		t.Errorf("%+v", c)
	}
	if v, err := e.Embed(t.Context(), nil); err != nil || v != nil || a.count() != 1 {
		t.Errorf("nothing: %v, %v", v, err)
	}
}

func TestVectorsThatDoNotFitAreRefused(t *testing.T) {
	for name, data := range map[string]string{
		"too short": `{"index":0,"embedding":[1]},{"index":1,"embedding":[1]}`,
		"too few":   `{"index":0,"embedding":[1,0]}`,
		"misplaced": `{"index":7,"embedding":[1,0]},{"index":0,"embedding":[1,0]}`,
	} {
		a := serve(t, reply{raw: `{"object":"list","data":[` + data + `]}`})
		v, err := providers.NewOpenAIEmbedder(providers.Account{BaseURL: a.URL, Model: "m"}, 2).Embed(t.Context(), []string{"a", "b"})
		if e, is := errors.AsType[*providers.Error](err); !is || e.Why != providers.Unusable || v != nil {
			t.Errorf("%s: %v, %v", name, v, err)
		}
	}
	a := serve(t, reply{status: 500, raw: `{"error":{"message":"x"}}`})
	if _, err := providers.NewOpenAIEmbedder(providers.Account{BaseURL: a.URL, Model: "m"}, 2).Embed(t.Context(), []string{injected}); err == nil {
		t.Error("a broken server is no answer")
	} else {
		quiet(t, err)
	}
}
