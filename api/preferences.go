package api

import (
	"context"
	"crypto/rand"
	"net/http"
	"reflect"
	"strings"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/learn/conversations"
	"learnloop.dev/learn/rules"
	"learnloop.dev/pipeline/ingest"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// registerPreferences lists the operations by which people see and correct what was
// learned about them.
func (a *API) registerPreferences(r *Registry) {
	Add(r, Operation[PreferencesArgs, Context]{
		Name: "preferences.get", Method: http.MethodGet, Path: "/api/preferences/{user}", Tag: "conversations", Access: Admin,
		Summary:     "What was learned about a person",
		Description: "The person's context and its key, and the rules about which the person decides otherwise than the others.",
		Aliases:     map[string]string{"user_id": "user"},
		Do:          a.preferences,
	})
	Add(r, Operation[CorrectionArgs, Corrected]{
		Name: "preferences.correct", Method: http.MethodPatch, Path: "/api/preferences/{user}", Tag: "conversations", Access: Admin,
		Summary:     "Set a preference of a person",
		Description: "What the person says counts more than what was observed, until it is deleted. The context has changed when this answers.",
		Aliases:     map[string]string{"user_id": "user", "type": "preference_type", "key": "preference_key", "value": "preference_value"},
		Do:          a.correctPreference,
	})
	Add(r, Operation[DropPreferenceArgs, Corrected]{
		Name: "preferences.delete", Method: http.MethodDelete, Path: "/api/preferences/{user}", Tag: "conversations", Access: Admin,
		Summary: "Delete preferences of a person",
		Description: "One, those of a type, or without a type all of them. They are learned anew from what comes later alone; records and " +
			"statistics stay. The context has changed when this answers.",
		Aliases: map[string]string{"user_id": "user", "preference_type": "type", "preference_key": "key"},
		Do:      a.deletePreferences,
	})
}

// PreferencesArgs name a person.
type PreferencesArgs struct {
	Caller `json:"-"`
	User   string `json:"user" path:"user" doc:"The raw user id, or the pseudonym."`
}

func (in *PreferencesArgs) check() error { return checkID("user", in.User) }

func (a *API) preferences(ctx context.Context, in *PreferencesArgs) (*Context, error) {
	c, err := a.contextOfUser(ctx, in.User)
	if err != nil {
		return nil, err
	}
	known := map[string]any{}
	if err := json.Unmarshal(c.value, &known); err != nil {
		return nil, err
	}
	if known["rules"], err = a.differences(ctx, in.User); err != nil {
		return nil, err
	}
	c.value, err = learn.Canonical(known)
	return c, err
}

// differences are the rules about which a person decides otherwise than the others,
// none where rule feedback is not licensed.
func (a *API) differences(ctx context.Context, user string) ([]rules.Difference, error) {
	if licensed := a.licensed(kindRule) == nil; a.deps.KnownBy == nil || !licensed {
		return []rules.Difference{}, nil
	}
	found, err := a.deps.People.Find(ctx, user)
	if err != nil {
		return nil, outOfReach(err)
	}
	if found.Shown {
		return []rules.Difference{}, nil // the index of a person follows from the raw id alone
	}
	known, err := a.deps.KnownBy(ctx, user, nil)
	if err != nil {
		return nil, outOfReach(err)
	}
	parts, err := askModel[rules.PersonPart](ctx, a.asker, question{Model: rules.Name, Ask: rules.AskPerson}, rules.PersonArgs{Person: known.Subjects[0]})
	return rules.MergePerson(parts...).Rules, err
}

// Correcting is a preference as a person wants it.
type Correcting struct {
	Type  string `json:"preference_type" enum:"style,topic_affinity"`
	Key   string `json:"preference_key" minLength:"1" maxLength:"1000" doc:"length_preference, depth_preference, examples_preference, preferred_format; a topic"`
	Value any    `json:"preference_value" doc:"0 to 1; of preferred_format also lists, prose, balanced."`
}

// value is the value as JSON, none of what JSON does not have.
func (c Correcting) value() jsontext.Value {
	data, err := json.Marshal(c.Value, json.Deterministic(true))
	if err != nil {
		return nil
	}
	return data
}

// CorrectionArgs name a person and bring a preference.
type CorrectionArgs struct {
	Caller `json:"-"`
	Matching
	User string     `json:"user" path:"user" doc:"The raw user id."`
	Body Correcting `json:",embed"`
}

// Schema describes the arguments to NATS clients.
func (*CorrectionArgs) Schema(r huma.Registry) *huma.Schema {
	return matching(naming(r, reflect.TypeFor[Correcting](), "user", "The raw user id."))
}

func (in *CorrectionArgs) check() error {
	if t := events.PreferenceType(in.Body.Type); !conversations.Settable(t, in.Body.Key) {
		return wrong(Invalid, "/preference_key", "one of "+strings.Join(conversations.StyleKeys(), ", "))
	} else if want := conversations.Misfit(t, in.Body.Key, in.Body.value()); want != "" {
		return wrong(Invalid, "/preference_value", want)
	}
	return checkID("user", in.User)
}

// Corrected is a preference that was set or deleted.
type Corrected struct {
	Key     string `json:"key" doc:"Of the person's context."`
	Type    string `json:"preference_type,omitzero"`
	Name    string `json:"preference_key,omitzero"`
	Value   any    `json:"preference_value,omitzero"`
	Deleted bool   `json:"deleted"`
}

func (a *API) correctPreference(ctx context.Context, in *CorrectionArgs) (*Corrected, error) {
	c, err := a.wish(ctx, in.User, in.Matching, &events.PreferenceCorrected{
		UserID: events.ID(in.User), PreferenceType: events.PreferenceType(in.Body.Type), PreferenceKey: in.Body.Key,
		PreferenceValue: in.Body.value(), Actor: in.actor(),
	})
	if err != nil {
		return nil, err
	}
	c.Value = in.Body.Value
	return c, nil
}

// DropPreferenceArgs name preferences to delete.
type DropPreferenceArgs struct {
	Caller `json:"-"`
	Matching
	User string `json:"user" path:"user" doc:"The raw user id."`
	Type string `json:"type,omitzero" query:"type" enum:"style,topic_affinity,error_pattern" doc:"All of them, when there is none."`
	Key  string `json:"key,omitzero" query:"key" maxLength:"1000" doc:"Only this one of the type."`
}

func (in *DropPreferenceArgs) check() error {
	if in.Key != "" && in.Type == "" {
		return wrong(Invalid, "/type", "the type of the preference")
	}
	return checkID("user", in.User)
}

func (a *API) deletePreferences(ctx context.Context, in *DropPreferenceArgs) (*Corrected, error) {
	return a.wish(ctx, in.User, in.Matching, &events.PreferenceCorrected{
		UserID: events.ID(in.User), PreferenceType: events.PreferenceType(in.Type), PreferenceKey: in.Key, Actor: in.actor(),
	})
}

// wish orders what a person wants of the person's preferences. What is stored follows
// from the raw id, so that a pseudonym will not do.
func (a *API) wish(ctx context.Context, user string, m Matching, p *events.PreferenceCorrected) (*Corrected, error) {
	found, err := a.deps.People.Find(ctx, user)
	switch {
	case err != nil:
		return nil, outOfReach(err)
	case found.Shown:
		return nil, wrong(Invalid, "/user", "the raw user id, not a pseudonym")
	}
	release, err := a.alone(ctx, m)
	if err != nil {
		return nil, err
	}
	defer release()
	c, err := a.contextOfUser(ctx, user)
	if err != nil {
		return nil, err
	}
	if err := m.met(c); err != nil {
		return nil, err
	}
	err = a.command(ctx, ingest.Order{
		ID: "preference/" + rand.Text(), Kind: events.ControlPreferenceCorrected.Kind, At: a.now(), Payload: p,
	})
	return &Corrected{Key: c.key, Type: string(p.PreferenceType), Name: p.PreferenceKey, Deleted: len(p.PreferenceValue) == 0}, err
}
