package api

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"learnloop.dev/access"
)

// Entrance says who may come in over HTTP, and how. The zero value is that of a loop
// which only this machine reaches.
type Entrance struct {
	// AdminToken is what operators send; empty lets nobody be one.
	AdminToken string
	// Tokens are those that were made; nil: none.
	Tokens *access.Book
	// Closed asks everybody who they are: others than this machine reach the loop.
	Closed bool
	// Secure says that the caller's way here is encrypted, by us or by a proxy.
	Secure bool
	// Proxied says that a proxy stands before us and tells where requests come from.
	Proxied bool
	// PerSecond is how many requests one caller may send on and on; 0 is no limit.
	PerSecond int
}

// How many wrong credentials one address may send at once, and each second on.
const (
	wrongAtOnce    = 10
	wrongPerSecond = 1.0 / 6
)

// porter tells who a request over HTTP is from.
type porter struct {
	Entrance

	sessions *access.Sessions
	requests *access.Limit // by caller
	wrong    *access.Limit // by address
	now      func() time.Time
}

func newPorter(e Entrance, now func() time.Time) *porter {
	if e.Tokens == nil {
		e.Tokens = &access.Book{}
	}
	return &porter{Entrance: e, sessions: &access.Sessions{}, now: now,
		requests: &access.Limit{PerSecond: float64(e.PerSecond), Burst: 2 * float64(e.PerSecond)},
		wrong:    &access.Limit{PerSecond: wrongPerSecond, Burst: wrongAtOnce}}
}

// receive tells who a request is from, or why it goes no further.
func (p *porter) receive(r *http.Request) (Visitor, *Problem) {
	v, wrong := p.identify(r)
	if wrong != nil {
		return v, wrong
	}
	if v.identity() == "" {
		v.address = p.address(r)
	}
	return v, p.charge(v)
}

// charge counts a request of somebody, and refuses it after too many.
func (p *porter) charge(v Visitor) *Problem {
	if wait, ok := p.requests.Take(v.caller(), p.now()); !ok {
		return tooMany(wait)
	}
	return nil
}

// identify goes by the token that was sent, else by the cookie.
func (p *porter) identify(r *http.Request) (Visitor, *Problem) {
	if header := r.Header.Get("Authorization"); header != "" {
		v, ok := p.known(bearer(header))
		if !ok {
			return v, p.unknown(r)
		}
		return v, nil
	}
	if v, ok := p.signedIn(r); ok {
		if changing(r.Method) && r.Header.Get("Origin") == "" && r.Header.Get("Sec-Fetch-Site") == "" {
			return v, problem(CrossSite, "a browser says which page a change comes from").hint("programs send a token, not a cookie")
		}
		return v, nil
	}
	if p.Closed {
		return Visitor{Door: doorHTTP}, nil
	}
	return Visitor{Door: doorHTTP, Roles: anybody()}, nil
}

// still reports whether a request that was let in would be let in again, as the same.
func (p *porter) still(r *http.Request, who Visitor) bool {
	var now Visitor
	if header := r.Header.Get("Authorization"); header != "" {
		now, _ = p.known(bearer(header))
	} else {
		now, _ = p.signedIn(r)
	}
	return now.identity() == who.identity()
}

// known tells whose a token is. Of one that is not good it tells nothing.
func (p *porter) known(token string) (Visitor, bool) {
	if p.AdminToken != "" && same(token, p.AdminToken) {
		return Visitor{Name: operatorName, Door: doorHTTP, Roles: access.Roles{access.Admin}}, true
	}
	t, err := p.Tokens.Open(token, p.now())
	if err != nil {
		return Visitor{}, false
	}
	return Visitor{Name: t.Name, Door: doorHTTP, Roles: t.Roles, Token: t.ID}, true
}

// unknown refuses a wrong credential, and after some from one address slowly. Right ones
// are always let in: nobody can lock others out by guessing, and nobody guesses 128 bits.
func (p *porter) unknown(r *http.Request) *Problem {
	if wait, ok := p.wrong.Take(p.address(r), p.now()); !ok {
		return tooMany(wait)
	}
	return problem(Unauthorized, "the token is not known, has expired, or was revoked").with("WWW-Authenticate", `Bearer error="invalid_token"`).
		hint("learnloop token list shows which are good; learnloop token create makes one")
}

// address is where a request comes from; of IPv6 the network, which has one owner.
func (p *porter) address(r *http.Request) string {
	host, _, _ := net.SplitHostPort(r.RemoteAddr)
	if hops := r.Header.Values("X-Forwarded-For"); p.Proxied && len(hops) > 0 {
		last := hops[len(hops)-1]
		host = strings.TrimSpace(last[strings.LastIndex(last, ",")+1:]) // what our own proxy saw
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	if port, ported := netip.ParseAddrPort(host); ported == nil { // as some proxies write it
		ip, err = port.Addr(), nil
	}
	if err != nil {
		return "unknown"
	}
	if ip = ip.Unmap().WithZone(""); ip.Is6() {
		network, _ := ip.Prefix(64)
		return network.String()
	}
	return ip.String()
}

func tooMany(wait time.Duration) *Problem {
	seconds := max(1, int((wait+time.Second-1)/time.Second))
	return problem(TooMany, "this caller asks too often, or sent too many wrong tokens").with("Retry-After", strconv.Itoa(seconds)).
		hint("wait as many seconds as Retry-After says")
}

// bearer is the token of an Authorization header, "" when it has none.
func bearer(header string) string {
	scheme, token, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// same compares secrets in a time that tells nothing about them, their length included.
func same(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

// changing reports whether requests of a method may change something.
func changing(method string) bool {
	return method != http.MethodGet && method != http.MethodHead && method != http.MethodOptions
}
