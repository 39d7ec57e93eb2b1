package api

import (
	"cmp"
	"context"

	"learnloop.dev/access"
)

// Visitor is who calls, as a door knows them. The zero value is nobody, who may do
// nothing but what is public.
type Visitor struct {
	// Name is that of the token, or operator for who has the admin token or a
	// credential; empty for who did not say.
	Name string
	// Door is the way in: http, nats, mcp, or dashboard for a browser that signed in.
	Door  string
	Roles access.Roles
	// Token is the ID of the token, if it is one that was made: names may be alike.
	Token string

	address string // over HTTP, of who did not say who they are
}

// identity tells callers apart, as far as they say who they are; empty for who did not.
func (v Visitor) identity() string { return cmp.Or(v.Token, v.Name) }

// caller tells callers apart who share what there is; who did not say who they are goes by
// where they call from.
func (v Visitor) caller() string {
	if name := v.identity(); name != "" {
		return "name " + name
	}
	return v.address
}

// The doors, as the audit log calls them.
const (
	doorHTTP      = "http"
	doorNATS      = "nats"
	doorMCP       = "mcp"
	doorDashboard = "dashboard"
)

// What the audit log calls who has the admin token or a credential, which is one for all,
// and who did not say.
const (
	operatorName = "operator"
	nobodyName   = "nobody"
)

// May reports whether the visitor may do what needs the access.
func (v Visitor) May(a Access) bool { return a == Public || v.Roles.May(a.role()) }

// refused is what is wrong when the visitor asks for something, nil when nothing is.
func (v Visitor) refused(a Access) *Problem {
	switch {
	case v.May(a):
		return nil
	case v.Name == "" && v.Door == doorNATS:
		return unauthorized().hint(credentialHint)
	case v.Name == "":
		return unauthorized()
	}
	return problem(NotAllowed, "this needs the role "+string(a.role())+", and the caller has "+v.Roles.String()).
		hint("learnloop token create --role " + string(a.role()) + " --name NAME makes a token that may")
}

func unauthorized() *Problem {
	return problem(Unauthorized, "").with("WWW-Authenticate", "Bearer").
		hint("send Authorization: Bearer <token>; that of operators is in admin.token of the data folder, others come from learnloop token create")
}

// visitorKey is where a context has who calls.
type visitorKey struct{}

// WithVisitor says who calls: the doors do, before an operation is done.
func WithVisitor(ctx context.Context, v Visitor) context.Context {
	return context.WithValue(ctx, visitorKey{}, v)
}

// VisitorOf tells who calls. Everything behind the HTTP door knows, pages too.
func VisitorOf(ctx context.Context) Visitor {
	v, _ := ctx.Value(visitorKey{}).(Visitor)
	return v
}

// importedHeader stands on every request that reached the product's account from
// another one. The server sets it, whatever the client sent.
const importedHeader = "Nats-Request-Info"

// overNATS is who a request over NATS is from: clients without a credential are in an
// account of their own, which lets in what they may call.
func overNATS(header map[string][]string) Visitor {
	if _, imported := header[importedHeader]; imported {
		return Visitor{Door: doorNATS, Roles: anybody()}
	}
	return Visitor{Name: operatorName, Door: doorNATS, Roles: access.Roles{access.Admin}}
}

// anybody is what who says nothing may do on a loop that only this machine reaches.
func anybody() access.Roles { return access.Roles{access.Capture, access.Read} }
