package api

import (
	"net/http"
	"strings"

	"learnloop.dev/access"
)

// Cookies of browsers that signed in. Under TLS the name has a prefix with which
// browsers hold the cookie to this host and to encrypted connections.
const (
	plainCookie  = "learnloop"
	secureCookie = "__Host-learnloop"
)

func (p *porter) cookieName() string {
	if p.Secure {
		return secureCookie
	}
	return plainCookie
}

// signedIn is who a browser with our cookie was signed in as. Its roles are those that
// the token has now: one that was revoked ends its sessions.
func (p *porter) signedIn(r *http.Request) (Visitor, bool) {
	cookie, err := r.Cookie(p.cookieName())
	if err != nil {
		return Visitor{}, false
	}
	s, found := p.sessions.Find(cookie.Value, p.now())
	if !found {
		return Visitor{}, false
	}
	if s.Token == "" {
		return Visitor{Name: s.Name, Door: doorDashboard, Roles: access.Roles{access.Admin}}, true
	}
	t, known := p.Tokens.Lookup(s.Token)
	if !known || t.Check(p.now()) != nil {
		return Visitor{}, false
	}
	return Visitor{Name: t.Name, Door: doorDashboard, Roles: t.Roles, Token: t.ID}, true
}

// signInPath is where browsers sign in; t in its query is the code of a link. The page
// must not use the code up by being looked at, as a mail program does: only Enter does.
const signInPath = "/signin"

// Gate lets browsers in and out.
type Gate struct{ porter *porter }

// Gate is that of the process, for the page on which browsers sign in.
func (a *API) Gate() Gate { return Gate{a.porter} }

// Enter signs a browser in that shows the code of a link, or a token, and returns the
// status of the answer: 200 when it did. Wrong ones count like wrong tokens of the address,
// and are answered 429 after as many.
func (g Gate) Enter(w http.ResponseWriter, r *http.Request, shown string) (status int) {
	p := g.porter
	s, ok := p.admitted(strings.TrimSpace(shown))
	if !ok {
		wrong := p.unknown(r)
		if wait := wrong.header.Get("Retry-After"); wait != "" {
			w.Header().Set("Retry-After", wait)
			return wrong.Status
		}
		return http.StatusForbidden
	}
	cookie, s := p.sessions.Open(s, p.now())
	http.SetCookie(w, p.cookie(cookie, int(s.Until.Sub(p.now()).Seconds())))
	return http.StatusOK
}

// Leave signs a browser out.
func (g Gate) Leave(w http.ResponseWriter, r *http.Request) {
	p := g.porter
	if cookie, err := r.Cookie(p.cookieName()); err == nil {
		p.sessions.Close(cookie.Value)
	}
	http.SetCookie(w, p.cookie("", -1))
}

// admitted tells whom a code or a token lets in.
func (p *porter) admitted(shown string) (access.Session, bool) {
	if p.sessions.Redeem(shown, p.now()) || p.AdminToken != "" && same(shown, p.AdminToken) {
		return access.Session{Name: operatorName}, true
	}
	t, err := p.Tokens.Open(shown, p.now())
	return access.Session{Token: t.ID, Name: t.Name}, err == nil
}

// cookie is one that scripts do not see and other sites' pages do not send.
func (p *porter) cookie(value string, seconds int) *http.Cookie {
	return &http.Cookie{Name: p.cookieName(), Value: value, Path: "/", MaxAge: seconds, //nolint:gosec // in the clear only on this machine
		HttpOnly: true, Secure: p.Secure, SameSite: http.SameSiteStrictMode}
}

// Admit lets only those pass to a page who may do what needs the access. A browser
// whose person did not sign in is sent to where that is done.
func Admit(need Access, page http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		refused := VisitorOf(r.Context()).refused(need)
		switch {
		case refused == nil:
			page.ServeHTTP(w, r)
		case refused.Code == Unauthorized && !changing(r.Method) && strings.Contains(r.Header.Get("Accept"), "text/html"):
			http.Redirect(w, r, signInPath, http.StatusSeeOther)
		default:
			refused.reply(w)
		}
	})
}
