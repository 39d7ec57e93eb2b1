package api

import (
	"context"
	"math"
	"net/http"
	"reflect"

	"learnloop.dev/kv"
	"learnloop.dev/learn"
	"learnloop.dev/learn/conversations"
	"learnloop.dev/learn/features"
	"learnloop.dev/persona"

	"github.com/danielgtaylor/huma/v2"
)

// registerPersonal lists the operations that adapt what an agent does to a person.
func (a *API) registerPersonal(r *Registry) {
	Add(r, Operation[PromptArgs, TunedPrompt]{
		Name: "prompt", Method: http.MethodPost, Path: "/api/prompt", Tag: "people", Access: Read,
		Summary: "A system prompt for a person",
		Description: "What is known of the person goes into the slots {personalization_section}, {length_style}, {examples_instruction}, " +
			"{format_instruction} and {topic_focus_section} of the base, or below a base that has none. At or below a confidence of 0.3 " +
			"the base comes back byte for byte. Every change says why.",
		Aliases: map[string]string{"user_id": "user", "base_prompt": "base", "base_system_prompt": "base", "system_prompt": "base"},
		Do:      a.tune,
	})
	Add(r, Operation[RerankArgs, Reranking]{
		Name: "rerank", Method: http.MethodPost, Path: "/api/rerank", Tag: "people", Access: Read,
		Summary: "What was retrieved, in the order that suits a person",
		Description: "Scores are brought to 0..1; topics that the person engages with lift a result by up to 0.2, and how the earlier " +
			"answer went that it comes from moves it by up to 0.15 either way. Equals keep their order. At or below a confidence of 0.3 all do.",
		Aliases: map[string]string{"user_id": "user", "base_results": "results"},
		Do:      a.rerank,
	})
	Add(r, Operation[CalibrateArgs, Calibration]{
		Name: "calibrate", Method: http.MethodPost, Path: "/api/calibrate", Tag: "people", Access: Read,
		Summary: "Where an answer is not as a person likes it",
		Description: "A finding such as: longer than this person likes: 340 words, likes about 120. The answer is measured, neither " +
			"changed nor kept. There are no findings at or below a confidence of 0.3.",
		Aliases: map[string]string{"user_id": "user", "answer": "response", "agent_text": "response"},
		Do:      a.calibrate,
	})
}

// Whose says for whom something is adapted, and how strongly.
type Whose struct {
	User         string   `json:"user" minLength:"1" doc:"The pseudonym, as contexts show it; from operators the raw user id will do."`
	LengthWeight *float64 `json:"length_weight,omitzero" minimum:"0" maximum:"1" doc:"How far the length the person likes is followed; fully when not given."`
	TopicBoost   *float64 `json:"topic_boost,omitzero" minimum:"0" maximum:"1" doc:"The most that a topic lifts a result, for experiments; 0.2 when not given."`
	Unit         string   `json:"unit_id,omitzero" maxLength:"65536" doc:"The raw id of the session: arms of running experiments set what is not given here."`
}

// terms are those asked for, else those of the arms that the unit is in, else the usual
// ones, and what arms have set.
func (a *API) terms(w *Whose) (persona.Terms, []string) {
	t, says := persona.Usual(), []string{}
	if w.Unit != "" && a.deps.Arms != nil {
		t, says = t.Under(a.deps.Arms(w.Unit, a.deps.Now()))
	}
	if w.LengthWeight != nil {
		t.LengthWeight = *w.LengthWeight
	}
	if w.TopicBoost != nil {
		t.TopicBoost = *w.TopicBoost
	}
	return t, says
}

// PromptRequest asks for a prompt.
type PromptRequest struct {
	Whose

	Base    string `json:"base,omitzero" maxLength:"200000" doc:"The system prompt as for anybody."`
	Neutral bool   `json:"neutral,omitzero" doc:"Where too little is known, fill the slots as for anybody instead of leaving them."`
}

// PromptArgs ask for a prompt.
type PromptArgs struct {
	Caller `json:"-"`
	Body   PromptRequest `json:",embed"`
}

// Schema describes the arguments to NATS clients: those of the body over HTTP.
func (*PromptArgs) Schema(r huma.Registry) *huma.Schema {
	return r.Schema(reflect.TypeFor[PromptRequest](), false, "")
}

func (in *PromptArgs) check() error { return checkID("user", in.Body.User) }

// TunedPrompt is a system prompt for a person.
type TunedPrompt struct {
	Prompt       string                     `json:"prompt"`
	Personalized bool                       `json:"personalized" doc:"False: enough is not known, or nothing that asks for another prompt."`
	Reason       string                     `json:"reason"`
	Changes      []persona.Adaptation       `json:"changes" nullable:"false"`
	GoodAnswers  []conversations.GoodAnswer `json:"good_answers" nullable:"false" doc:"Exchanges that went well, the best first; their texts are not kept."`
	Confidence   float64                    `json:"confidence"`
	SampleSize   int64                      `json:"sample_size"`
	Experiments  []string                   `json:"experiments" nullable:"false" doc:"What arms of experiments have set for the unit."`
}

func (a *API) tune(ctx context.Context, in *PromptArgs) (*TunedPrompt, error) {
	p, err := a.likes(ctx, in.Caller, in.Body.User)
	if err != nil {
		return nil, err
	}
	terms, arms := a.terms(&in.Body.Whose)
	t := persona.Tune(in.Body.Base, p, terms)
	out := &TunedPrompt{Prompt: t.Prompt, Personalized: len(t.Changes) > 0, Reason: t.Reason, Changes: t.Changes, GoodAnswers: t.GoodAnswers, Experiments: arms}
	if p != nil {
		out.Confidence, out.SampleSize = p.Confidence, p.SampleSize
	}
	if in.Body.Neutral && !persona.Known(p) {
		out.Prompt = persona.Neutral(in.Body.Base)
	}
	return out, nil
}

// RerankRequest brings what was retrieved.
type RerankRequest struct {
	Whose

	Query   string       `json:"query,omitzero" maxLength:"65536" doc:"What was asked; results are not compared with it again."`
	Results []Retrieving `json:"results" maxItems:"1000" nullable:"false"`
}

// Retrieving is one result as a retriever gave it.
type Retrieving struct {
	ID         string   `json:"id" maxLength:"1000"`
	Score      *float64 `json:"score,omitzero" doc:"Relevance, greater is better, on any scale; without one it comes last."`
	Topics     []string `json:"topics,omitzero" maxItems:"50" nullable:"false" doc:"What it is about; without them the text is searched for the person's."`
	Text       string   `json:"text,omitzero" doc:"The first two kilobytes are looked at."`
	ExchangeID string   `json:"exchange_id,omitzero" doc:"The earlier exchange that it comes from."`
	Quality    *float64 `json:"quality,omitzero" minimum:"0" maximum:"1" doc:"The quality score of that exchange; without it the person's good answers are known."`
}

// RerankArgs bring what was retrieved.
type RerankArgs struct {
	Caller `json:"-"`
	Body   RerankRequest `json:",embed"`
}

// Schema describes the arguments to NATS clients: those of the body over HTTP.
func (*RerankArgs) Schema(r huma.Registry) *huma.Schema {
	return r.Schema(reflect.TypeFor[RerankRequest](), false, "")
}

func (in *RerankArgs) check() error { return checkID("user", in.Body.User) }

// Reranking is what was retrieved, the best first.
type Reranking struct {
	Personalized bool       `json:"personalized" doc:"False: too little is known, and the order is as it came."`
	Results      []Reranked `json:"results" nullable:"false"`
	Experiments  []string   `json:"experiments" nullable:"false" doc:"What arms of experiments have set for the unit."`
}

// Reranked is a result at its new place.
type Reranked struct {
	ID           string   `json:"id"`
	Score        *float64 `json:"score" doc:"As it came."`
	Normalised   float64  `json:"normalised" doc:"The score between the least, 0, and the greatest, 1."`
	TopicBoost   float64  `json:"topic_boost"`
	QualityBoost float64  `json:"quality_boost"`
	Final        float64  `json:"final_score" doc:"The sum of these three, by which results stand."`
	Before       int      `json:"before" doc:"Its place before, from 0."`
	Why          string   `json:"why" doc:"Empty where nothing was done."`
}

func (a *API) rerank(ctx context.Context, in *RerankArgs) (*Reranking, error) {
	p, err := a.likes(ctx, in.Caller, in.Body.User)
	if err != nil {
		return nil, err
	}
	results := make([]persona.Result, len(in.Body.Results))
	for i, r := range in.Body.Results {
		results[i] = persona.Result{ID: r.ID, Score: math.NaN(), Topics: r.Topics, Text: r.Text, ExchangeID: r.ExchangeID, Quality: r.Quality}
		if r.Score != nil {
			results[i].Score = *r.Score
		}
	}
	terms, arms := a.terms(&in.Body.Whose)
	out := &Reranking{Personalized: persona.Known(p), Results: []Reranked{}, Experiments: arms}
	for _, r := range persona.Rerank(results, p, terms) {
		out.Results = append(out.Results, Reranked{
			r.ID, in.Body.Results[r.Before].Score, six(r.Normalised), six(r.TopicBoost), six(r.QualityBoost), six(r.Final), r.Before, r.Why,
		})
	}
	return out, nil
}

// CalibrateRequest brings an answer.
type CalibrateRequest struct {
	Whose

	Response string `json:"response" maxLength:"200000" doc:"The answer; it is measured and dropped."`
}

// CalibrateArgs bring an answer.
type CalibrateArgs struct {
	Caller `json:"-"`
	Body   CalibrateRequest `json:",embed"`
}

// Schema describes the arguments to NATS clients: those of the body over HTTP.
func (*CalibrateArgs) Schema(r huma.Registry) *huma.Schema {
	return r.Schema(reflect.TypeFor[CalibrateRequest](), false, "")
}

func (in *CalibrateArgs) check() error { return checkID("user", in.Body.User) }

// Calibration says how an answer suits a person.
type Calibration struct {
	Personalized bool              `json:"personalized" doc:"False: too little is known, and nothing was compared."`
	Findings     []persona.Finding `json:"findings" nullable:"false" doc:"Empty: the answer suits."`
	Words        int64             `json:"words" doc:"Of the answer, outside of code."`
	Experiments  []string          `json:"experiments" nullable:"false" doc:"What arms of experiments have set for the unit."`
}

func (a *API) calibrate(ctx context.Context, in *CalibrateArgs) (*Calibration, error) {
	p, err := a.likes(ctx, in.Caller, in.Body.User)
	if err != nil {
		return nil, err
	}
	shape := features.Shape(in.Body.Response)
	terms, arms := a.terms(&in.Body.Whose)
	return &Calibration{persona.Known(p), persona.Calibrate(shape, p, terms), shape.Words, arms}, nil
}

// likes are the preferences of a person, nil where nothing is known or the settings forbid
// that it is used. Whom a raw id means only operators learn.
func (a *API) likes(ctx context.Context, c Caller, user string) (*persona.Preferences, error) {
	if a.impersonal() {
		return nil, nil
	}
	if p := a.deps.Preferences.Of(kv.Key(kindUser, user)); p != nil || a.deps.People == nil {
		return p, nil
	}
	key := learn.Key{Kind: kindUser}
	var err error
	if a.operator(c) {
		key.ID, err = a.shown(ctx, user)
	} else {
		key, err = a.current(ctx, learn.Key{Kind: kindUser, ID: user})
	}
	if err != nil {
		return nil, err
	}
	return a.deps.Preferences.Of(kv.Key(key.Kind, key.ID)), nil
}
