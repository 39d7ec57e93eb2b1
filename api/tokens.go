package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"learnloop.dev/access"
	"learnloop.dev/bus"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json"
)

// registerTokens lists what decides who may come in.
func (a *API) registerTokens(r *Registry) {
	Add(r, Operation[TokenArgs, MintedToken]{
		Name: "tokens.create", Method: http.MethodPost, Path: "/api/tokens", Tag: "access", Access: Admin,
		Summary:     "Make a token",
		Description: "Shown in this answer and never again. In force at once, in every process.",
		Statuses:    []int{http.StatusCreated},
		Do:          a.createToken,
	})
	Add(r, Operation[NoArgs, TokenList]{
		Name: "tokens.list", Method: http.MethodGet, Path: "/api/tokens", Tag: "access", Access: Admin,
		Summary: "Which tokens there are", Description: "The oldest first, revoked ones too; never what opens doors.",
		Do: a.listTokens,
	})
	Add(r, Operation[TokenRef, TokenView]{
		Name: "tokens.revoke", Method: http.MethodDelete, Path: "/api/tokens/{id}", Tag: "access", Access: Admin,
		Summary:     "Take a token out of force",
		Description: "For good, at once and in every process. Browsers that signed in with it are signed out.",
		Do:          a.revokeToken,
	})
	Add(r, Operation[NoArgs, SignInLink]{
		Name: "dashboard.link", Method: http.MethodPost, Path: "/api/signin", Tag: "access", Access: Admin,
		Summary:     "Make a link that signs a browser in",
		Description: "As an operator, once, within a quarter of an hour, at the process that answers.",
		Do:          a.link,
	})
	if a.deps.Journal != nil {
		a.registerAudit(r)
	}
}

// TokenWish says what a new token is for.
type TokenWish struct {
	Name    string        `json:"name" minLength:"1" maxLength:"100" doc:"Whose it is, or of what: the audit log calls its user so."`
	Roles   []access.Role `json:"roles" minItems:"1" maxItems:"4" nullable:"false" enum:"capture,read,review,admin" doc:"Review includes read, admin everything."`
	Expires time.Time     `json:"expires,omitzero" doc:"When it ends by itself, RFC 3339; never when absent."`
}

// TokenArgs ask for a token.
type TokenArgs struct {
	Body TokenWish `json:",embed"`
}

func (in *TokenArgs) check() error {
	name := strings.ToLower(strings.TrimSpace(in.Body.Name))
	if name == operatorName || name == nobodyName || name == "" {
		return wrong(Invalid, "/name", "a name that the audit log has for nobody else")
	}
	return nil
}

// Schema describes the arguments to NATS clients: those of the body over HTTP.
func (*TokenArgs) Schema(r huma.Registry) *huma.Schema {
	return r.Schema(reflect.TypeFor[TokenWish](), false, "")
}

// TokenRef names a token.
type TokenRef struct {
	ID string `json:"id" path:"id" maxLength:"40" doc:"As tokens.list shows it."`
}

// TokenView is what may be seen of a token.
type TokenView struct {
	ID      string       `json:"id"`
	Name    string       `json:"name"`
	Roles   access.Roles `json:"roles" nullable:"false"`
	State   string       `json:"state" enum:"good,expired,revoked" doc:"Whether it opens anything."`
	Created time.Time    `json:"created"`
	Expires *time.Time   `json:"expires,omitzero" doc:"Absent for one that never ends by itself."`
	Revoked *time.Time   `json:"revoked,omitzero"`
}

// MintedToken is a new token, whole this once.
type MintedToken struct {
	Token string `json:"token" doc:"Send it as Authorization: Bearer. It is kept nowhere."`
	TokenView
}

// name is what the audit log calls it by.
func (t *MintedToken) name() string { return t.ID }

// TokenList are the tokens there are.
type TokenList struct {
	Tokens []TokenView `json:"tokens" nullable:"false"`
}

// SignInLink is a link for a browser.
type SignInLink struct {
	URL     string    `json:"url" doc:"Good once, at this process."`
	Expires time.Time `json:"expires"`
}

const (
	tokenKeys  = "token." // keys of the settings bucket
	mostTokens = 1000     // revoked ones included; those go first
)

func (a *API) viewOf(t access.Token) TokenView {
	v := TokenView{ID: t.ID, Name: t.Name, Roles: t.Roles, State: "good", Created: t.Created}
	if !t.Expires.IsZero() {
		v.Expires = &t.Expires
	}
	if !t.Revoked.IsZero() {
		v.Revoked = &t.Revoked
	}
	switch err := t.Check(a.deps.Now()); {
	case errors.Is(err, access.ErrRevoked):
		v.State = "revoked"
	case errors.Is(err, access.ErrExpired):
		v.State = "expired"
	}
	return v
}

func (a *API) createToken(ctx context.Context, in *TokenArgs) (*MintedToken, error) {
	now := a.deps.Now().UTC()
	if e := in.Body.Expires; !e.IsZero() && !now.Before(e) {
		return nil, wrong(Invalid, "/expires", "a time that is still to come")
	}
	if err := a.makeRoom(ctx); err != nil {
		return nil, err
	}
	roles := slices.Compact(slices.Sorted(slices.Values(in.Body.Roles)))
	secret, t := access.Mint(access.Token{Name: in.Body.Name, Roles: roles, Created: now, Expires: in.Body.Expires.UTC()})
	if err := a.keepToken(ctx, bus.Cell{}, t); err != nil {
		return nil, err
	}
	return &MintedToken{secret, a.viewOf(t)}, nil
}

// makeRoom removes a token that opens nothing any more when there are as many as may be.
func (a *API) makeRoom(ctx context.Context) error {
	all := a.porter.Tokens.All()
	if len(all) < mostTokens {
		return nil
	}
	i := slices.IndexFunc(all, func(t access.Token) bool { return t.Check(a.deps.Now()) != nil })
	if i < 0 {
		return problem(Conflict, fmt.Sprintf("there are %d tokens already", len(all))).hint("revoke one first: learnloop token list")
	}
	found, err := a.pledges.bucket.Find(ctx, tokenKeys+all[i].ID)
	for _, c := range found {
		if err == nil {
			err = a.pledges.bucket.Remove(ctx, c)
		}
	}
	if err != nil {
		return unreachable(fmt.Errorf("remove a token that opens nothing: %w", err))
	}
	a.porter.Tokens.Strike(all[i].ID)
	return nil
}

// keepToken writes what is kept of a token over what was found; it is in force here when
// it returns, and elsewhere as soon as the bucket tells.
func (a *API) keepToken(ctx context.Context, found bus.Cell, t access.Token) (err error) {
	found.Key = tokenKeys + t.ID
	if found.Value, err = json.Marshal(t); err != nil {
		return fmt.Errorf("encode token: %w", err)
	}
	if err := a.pledges.bucket.Put(ctx, []bus.Cell{found}); err != nil {
		return unreachable(fmt.Errorf("keep token: %w", err))
	}
	a.porter.Tokens.Enter(t)
	return nil
}

func (a *API) listTokens(context.Context, *NoArgs) (*TokenList, error) {
	list := &TokenList{Tokens: []TokenView{}}
	for _, t := range a.porter.Tokens.All() {
		list.Tokens = append(list.Tokens, a.viewOf(t))
	}
	return list, nil
}

func (a *API) revokeToken(ctx context.Context, in *TokenRef) (*TokenView, error) {
	if in.ID == "" || !plainID(in.ID) {
		return nil, noToken()
	}
	found, err := a.pledges.bucket.Find(ctx, tokenKeys+in.ID)
	if err != nil {
		return nil, unreachable(fmt.Errorf("look up token: %w", err))
	}
	var t access.Token
	if len(found) == 0 || json.Unmarshal(found[0].Value, &t) != nil {
		return nil, noToken()
	}
	if t.Revoked.IsZero() {
		t.Revoked = a.deps.Now().UTC()
		if err := a.keepToken(ctx, found[0], t); err != nil {
			return nil, err
		}
	}
	v := a.viewOf(t)
	return &v, nil
}

func noToken() *Problem {
	return problem(NotFound, "there is no token of this id").hint("learnloop token list shows them")
}

// plainID reports whether a text is made of small letters and digits, as ids of tokens are.
func plainID(id string) bool {
	return !slices.ContainsFunc([]rune(id), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
}

// link is a way in for a browser.
func (a *API) link(context.Context, *NoArgs) (*SignInLink, error) {
	url, until := a.SignInLink()
	return &SignInLink{url, until}, nil
}

// SignInLink makes a link that signs one browser in as an operator, and says until when.
func (a *API) SignInLink() (url string, until time.Time) {
	code, until := a.porter.sessions.Invite(a.deps.Now())
	return a.deps.URL + signInPath + "?t=" + code, until.UTC()
}
