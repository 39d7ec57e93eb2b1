package api

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"learnloop.dev/learn"
	"learnloop.dev/learn/rules"
	"learnloop.dev/privacy"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Governor changes what is set, one change at a time. What it returns is in force
// here: the next event meets it.
type Governor interface {
	// Govern replaces the privacy settings by what a change makes of those in force.
	Govern(ctx context.Context, c Amendment) (privacy.Settings, error)
	// Choose replaces what a person chose, by raw user id.
	Choose(ctx context.Context, o Choosing) (privacy.Choice, error)
}

// Amendment is a change of settings on its way into force.
type Amendment struct {
	Actor string `json:"actor"`
	Match string `json:"match,omitzero"` // the ETag of the settings it was made from, if that matters
	Whole bool   `json:"whole,omitzero"` // what is not named is as by default
	Patch []byte `json:"patch"`          // a JSON object of settings by name; may be anything else
}

// Decide makes of the settings in force those that are to be. Its errors are for the caller.
func (c Amendment) Decide(now privacy.Settings) (privacy.Settings, error) {
	if err := unchanged(c.Match, now); err != nil {
		return now, err
	}
	base := now
	if c.Whole {
		base = privacy.Defaults()
	}
	next, err := base.Patched(c.Patch)
	if m, ok := errors.AsType[*privacy.Misfit](err); ok {
		return now, wrong(Invalid, "/"+strings.ReplaceAll(m.Setting, ".", "/"), m.Want)
	}
	return next, err
}

// PrivacySettings are the settings in force.
type PrivacySettings struct{ value jsontext.Value }

func settingsOf(s privacy.Settings) (*PrivacySettings, error) {
	value, err := learn.Canonical(s)
	return &PrivacySettings{value}, err
}

// MarshalJSONTo writes the settings.
func (s *PrivacySettings) MarshalJSONTo(e *jsontext.Encoder) error { return e.WriteValue(s.value) }

// Schema says what they are.
func (*PrivacySettings) Schema(huma.Registry) *huma.Schema {
	return anyObject("The settings of privacy, each with its value in force. The ETag names this state of them.")
}

func (s *PrivacySettings) headers() map[string]string {
	return map[string]string{"ETag": etag(s.value)}
}

// getPrivacy answers what is in force.
func (a *API) getPrivacy(context.Context, *NoArgs) (*PrivacySettings, error) {
	return settingsOf(a.deps.Settings())
}

// PrivacyPatch is a change of settings: a JSON object of those that change, and
// who changes what over which state.
type PrivacyPatch struct {
	Caller  `json:"-"`
	IfMatch string `json:"if_match,omitzero" header:"If-Match" doc:"The ETag of the settings that the change was made from; refused when others changed them."`
	Actor   string `json:"actor,omitzero" query:"actor" maxLength:"200" doc:"Who changes it, for the history."`

	changes []byte // JSON
}

// receive takes over a message as it is: the state and who it is may stand among the
// settings.
func (p *PrivacyPatch) receive(header map[string][]string, data []byte) {
	p.changes = data
	for name, values := range header {
		if strings.EqualFold(name, "If-Match") && len(values) > 0 {
			p.IfMatch = values[0]
		}
	}
	var members map[string]jsontext.Value
	if json.Unmarshal(data, &members) != nil {
		return
	}
	for name, into := range map[string]*string{"if_match": &p.IfMatch, "actor": &p.Actor} {
		if json.Unmarshal(members[name], into) == nil {
			delete(members, name)
		}
	}
	p.changes = mustWrite(members)
}

// describe documents the body of a request.
func (*PrivacyPatch) describe(b *huma.RequestBody) {
	b.Required = true
	b.Description = "The settings to change, by name."
	b.Content = map[string]*huma.MediaType{mediaJSON: {Schema: patchSchema()}}
}

// Schema describes the message to NATS clients.
func (*PrivacyPatch) Schema(huma.Registry) *huma.Schema {
	s := patchSchema()
	s.Properties = map[string]*huma.Schema{
		"if_match": {Type: huma.TypeString, Description: "The ETag of the settings that the change was made from."},
		"actor":    {Type: huma.TypeString, Description: "Who changes it, for the history."},
	}
	return s
}

func patchSchema() *huma.Schema {
	return anyObject("Settings of privacy to change, by name, as privacy.get shows them.")
}

// setPrivacy changes what is named and leaves the rest.
func (a *API) setPrivacy(ctx context.Context, in *PrivacyPatch) (*PrivacySettings, error) {
	return a.govern(ctx, in, false)
}

// replacePrivacy changes everything: what is not named is as by default.
func (a *API) replacePrivacy(ctx context.Context, in *PrivacyPatch) (*PrivacySettings, error) {
	if in.IfMatch == "" {
		return nil, problem(Unconditional, "").
			hint("send If-Match with the ETag of the settings you have seen, or * to replace whatever is in force")
	}
	return a.govern(ctx, in, true)
}

func (a *API) govern(ctx context.Context, in *PrivacyPatch, whole bool) (*PrivacySettings, error) {
	next, err := a.deps.Governor.Govern(ctx, Amendment{actorOf(in.Actor), in.IfMatch, whole, ourNames(in.changes)})
	if err != nil {
		return nil, err
	}
	return settingsOf(next)
}

// ourNames accepts settings under their names in the source documents; what is no
// object stays as it is.
func ourNames(patch []byte) []byte {
	var members map[string]jsontext.Value
	if json.Unmarshal(patch, &members) != nil || members == nil {
		return patch
	}
	return mustWrite(named(members, nil))
}

// unchanged refuses a change that was made from settings which are no longer in force.
func unchanged(match string, now privacy.Settings) error {
	s, err := settingsOf(now)
	if err != nil {
		return err
	}
	return Matching{match}.met(s)
}

// registerPrivacy offers what is set, and where the process may, to change it.
func (a *API) registerPrivacy(r *Registry) {
	Add(r, Operation[NoArgs, PrivacySettings]{
		Name: "privacy.get", Method: http.MethodGet, Path: "/api/privacy", Tag: "privacy", Access: Admin,
		Summary: "How people are protected now",
		Do:      a.getPrivacy,
	})
	if a.deps.Conn != nil {
		Add(r, Operation[HistoryArgs, History]{
			Name: "privacy.history", Method: http.MethodGet, Path: "/api/privacy/history", Tag: "privacy", Access: Admin,
			Summary: "Who changed which setting when",
			Do:      a.history,
		})
		Add(r, Operation[ShareArgs, rules.Share]{
			Name: "rules.share", Method: http.MethodGet, Path: "/api/share", Tag: "insight", Access: Admin,
			Summary: "What others may see of rule feedback",
			Description: "Counts that at least team_threshold people stand behind, who all take part. Smaller ones are left out " +
				"of the sums too, so that they cannot be found by subtraction.",
			Do: a.share,
		})
	}
	if a.deps.Governor != nil {
		a.registerGovernor(r)
	}
}

func (a *API) registerGovernor(r *Registry) {
	Add(r, Operation[PrivacyPatch, PrivacySettings]{
		Name: "privacy.set", Method: http.MethodPatch, Path: "/api/privacy", Tag: "privacy", Access: Admin,
		Summary:     "Change settings of privacy",
		Description: "In force when it answers: the next event meets them. A change made from settings that others changed since is refused.",
		Do:          a.setPrivacy,
	})
	Add(r, Operation[PrivacyPatch, PrivacySettings]{
		Name: "privacy.replace", Method: http.MethodPut, Path: "/api/privacy", Tag: "privacy", Access: Admin,
		Summary:     "Replace the settings of privacy",
		Description: "What is not named is as by default. Needs If-Match.",
		Do:          a.replacePrivacy,
	})
	Add(r, Operation[OptOutArgs, privacy.Choice]{
		Name: "privacy.opt-out", Method: http.MethodPost, Path: "/api/privacy/opt-out/{user}", Tag: "privacy", Access: Admin,
		Summary: "Take in nothing of a person any more, or leave them out of what is shared",
		Description: "In force when it answers. What is stored already stays: forgetting removes it. The person is remembered by a " +
			"keyed hash alone.",
		Aliases: map[string]string{"user_id": "user"},
		Do:      a.optOut,
	})
}
