package api

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"

	"learnloop.dev/kv"
	"learnloop.dev/learn"
	"learnloop.dev/learn/outcomes"
	"learnloop.dev/learn/rules"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/nats-io/nats.go/jetstream"
)

// ContextArgs name a context: by kind and id, or over NATS by a key or a person.
type ContextArgs struct {
	Caller `json:"-"`

	Kind string `json:"kind,omitzero" path:"kind" example:"rule" doc:"What the context is about: rule, category, task, goal, user, experiment."`
	ID   string `json:"id,omitzero" path:"id" example:"passive-voice" doc:"The raw id."`
	Key  string `json:"key,omitzero" example:"rule.passive-voice" doc:"Kind and raw id in one, as people type them, or a key of the bucket."`
	User string `json:"user,omitzero" doc:"A raw user id or an earlier pseudonym, for an operator who does not know the present one; the answer tells the key."`
}

// check finds names that no context can have.
func (a *ContextArgs) check() error {
	ways := 0
	for _, given := range []bool{a.Kind != "" || a.ID != "", a.Key != "", a.User != ""} {
		if given {
			ways++
		}
	}
	switch {
	case ways != 1:
		return wrong(Invalid, "", "one of kind and id, key, or user")
	case a.User != "":
		return checkID("user", a.User)
	case a.Key != "":
		return checkTyped(a.Key)
	}
	return checkKey("id", learn.Key{Kind: a.Kind, ID: a.ID})
}

// Context is what generators know about one key, byte for byte as the bucket
// holds it.
type Context struct {
	value    jsontext.Value
	key      string // of the bucket
	revision uint64 // 0 when the bucket holds nothing
}

// MarshalJSONTo writes the value.
func (c *Context) MarshalJSONTo(e *jsontext.Encoder) error { return e.WriteValue(c.value) }

// text is the value as it is.
func (c *Context) text() ([]byte, error) { return c.value, nil } //nolint:unparam // as others that write themselves

// Schema says what contexts have in common.
func (*Context) Schema(huma.Registry) *huma.Schema {
	s := anyObject("A learning context. Its other fields are those of its kind.")
	text := func(doc string) *huma.Schema { return &huma.Schema{Type: huma.TypeString, Description: doc} }
	s.Properties = map[string]*huma.Schema{
		"kind":   text("What it is about."),
		"id":     text("The raw id, or the pseudonym of a person."),
		"schema": text("Names the shape of the other fields."),
		"prompt": text("Ready to inject; empty while too little is known."),
		"key":    text("The key in the bucket; there when a person was asked for by user id."),
	}
	return s
}

func (c *Context) headers() map[string]string {
	return map[string]string{
		"ETag":               etag(c.value),
		"Learnloop-Key":      c.key,
		"Learnloop-Revision": strconv.FormatUint(c.revision, 10),
	}
}

// etag is the same for the same bytes.
func etag(data []byte) string {
	sum := sha256.Sum256(data)
	return `"` + hex.EncodeToString(sum[:12]) + `"`
}

// getContext answers a context, and an empty one for a rule, the summary or a person
// nothing is known about.
func (a *API) getContext(ctx context.Context, in *ContextArgs) (*Context, error) {
	switch {
	case in.User == "":
	case !a.operator(in.Caller):
		return nil, problem(NotAllowed, "only operators learn a person's pseudonym").hint(credentialHint)
	default:
		return a.contextOfUser(ctx, in.User)
	}
	key := learn.Key{Kind: in.Kind, ID: in.ID}
	if in.Key != "" {
		key = parseKey(in.Key)
	}
	if err := a.licensed(key.Kind); err != nil {
		return nil, err
	}
	key, err := a.current(ctx, key)
	if err != nil {
		return nil, err
	}
	switch {
	case key.Kind == kindUser && a.impersonal():
		return emptyUser(key.ID)
	case key.Kind == kindLearning:
		return a.published(key.ID)
	}
	c, err := a.lookup(ctx, kv.Key(key.Kind, key.ID))
	if isMissing(err) && in.Key != "" {
		if c, err := a.lookup(ctx, in.Key); !isMissing(err) { // as a bucket writes it
			return c, err
		}
	}
	if isMissing(err) {
		return nothing(key, err)
	}
	return c, err
}

// published is a learning, byte for byte as its bucket holds it.
func (a *API) published(id string) (*Context, error) {
	key := kv.EntryKey(id)
	if a.deps.Learnings == nil {
		return nil, noLearning()
	}
	e, known := a.deps.Learnings.Get(key)
	if !known {
		return nil, noLearning()
	}
	return &Context{value: e.Value, key: key, revision: e.Revision}, nil
}

// bucketKey is where a key stands in the bucket of its kind.
func bucketKey(key learn.Key) string {
	if key.Kind == kindLearning {
		return kv.EntryKey(key.ID)
	}
	return kv.Key(key.Kind, key.ID)
}

// nothing is what is said of a key nothing is known about: an empty context where
// there could be one any time, and that it is missing elsewhere.
func nothing(key learn.Key, missing error) (*Context, error) {
	switch key.Kind {
	case kindRule:
		return empty(key, rules.Empty(key.ID))
	case outcomes.KindTask:
		return empty(key, outcomes.Empty(key.ID))
	case kindSummary:
		return empty(key, rules.Summary{Kind: kindSummary, Schema: schemaSummary, Rules: []rules.Ruling{}})
	}
	return nil, missing
}

// schemaSummary names the shape of a summary.
const schemaSummary = "dev.learnloop.context.summary.v1"

// empty is a context that the bucket does not hold.
func empty(key learn.Key, known any) (*Context, error) {
	value, err := learn.Canonical(known)
	return &Context{value: value, key: kv.Key(key.Kind, key.ID)}, err
}

// RuleArgs name a rule.
type RuleArgs struct {
	ID string `json:"id" path:"id" example:"passive-voice" doc:"The raw rule id."`
}

func (a *RuleArgs) check() error { return checkID("id", a.ID) }

func (a *API) getRule(ctx context.Context, in *RuleArgs) (*Context, error) {
	return a.getContext(ctx, &ContextArgs{Kind: kindRule, ID: in.ID})
}

// SummaryArgs are empty: there is one summary.
type SummaryArgs struct{}

func (a *API) getSummary(ctx context.Context, _ *SummaryArgs) (*Context, error) {
	return a.getContext(ctx, &ContextArgs{Kind: kv.Summary})
}

// contextOfUser finds a person's context by the raw user id, which goes no
// further than the pseudonym, or by a pseudonym.
func (a *API) contextOfUser(ctx context.Context, user string) (*Context, error) {
	if a.deps.People == nil {
		return nil, problem(Unavailable, "this process does not hold the key of pseudonyms").
			hint("ask a process that ingests, or ask by the pseudonym")
	}
	pseudonym, err := a.shown(ctx, user)
	if err != nil {
		return nil, err
	}
	if a.impersonal() {
		return emptyUser(pseudonym)
	}
	c, err := a.lookup(ctx, kv.Key(kindUser, pseudonym))
	known := map[string]any{"kind": kindUser, "id": pseudonym, "prompt": ""}
	switch {
	case err == nil:
		err = json.Unmarshal(c.value, &known)
	case isMissing(err):
		c, err = &Context{key: kv.Key(kindUser, pseudonym)}, nil
	}
	if err != nil {
		return nil, err
	}
	known["key"] = c.key
	c.value, err = learn.Canonical(known)
	return c, err
}

// impersonal reports whether nobody gets a context of their own.
func (a *API) impersonal() bool {
	return a.deps.Settings != nil && !a.deps.Settings().EnablePersonalization
}

// emptyUser is the context of a person of whom nothing is said.
func emptyUser(pseudonym string) (*Context, error) {
	key := kv.Key(kindUser, pseudonym)
	value, err := learn.Canonical(map[string]any{"kind": kindUser, "id": pseudonym, "prompt": "", "key": key})
	return &Context{value: value, key: key}, err
}

// lookup finds a context in memory, and in its bucket while that is not followed.
func (a *API) lookup(ctx context.Context, key string) (*Context, error) {
	missing := func() error {
		return problem(NotFound, "nothing is known under "+key).hint("learnloop context list shows what is")
	}
	if a.deps.Contexts != nil && a.deps.Contexts.Live() {
		e, known := a.deps.Contexts.Get(key)
		if !known {
			return nil, missing()
		}
		return &Context{value: e.Value, key: key, revision: e.Revision}, nil
	}
	e, err := a.contexts.Get(ctx, key)
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound), errors.Is(err, jetstream.ErrInvalidKey):
		return nil, missing()
	case err != nil:
		return nil, unreachable(fmt.Errorf("read context %s: %w", key, err))
	}
	return &Context{value: e.Value(), key: key, revision: e.Revision()}, nil
}

func isMissing(err error) bool {
	p, ok := errors.AsType[*Problem](err)
	return ok && p.Code == NotFound
}
