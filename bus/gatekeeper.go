package bus

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"sync/atomic"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
)

const (
	stageUser     = "stage"
	adminUser     = "admin"
	anonymousUser = "anonymous"
)

// gatekeeper tells three kinds of clients apart: stages of this process by a password that never
// leaves it, admins by a signature, and everybody else. Wrong credentials are refused, not demoted.
type gatekeeper struct {
	stagePassword string
	admins        []nkeys.KeyPair
	anonymous     atomic.Pointer[server.User] // nil until the door stands
}

func newGatekeeper(admins []string) (*gatekeeper, error) {
	g := &gatekeeper{stagePassword: rand.Text()}
	for _, public := range admins {
		key, err := nkeys.FromPublicKey(public)
		if err != nil {
			return nil, fmt.Errorf("read admin key %q: %w", public, err)
		}
		g.admins = append(g.admins, key)
	}
	return g, nil
}

// Check is called by the server for every connecting client.
func (g *gatekeeper) Check(c server.ClientAuthentication) bool {
	o := c.GetOpts()
	switch {
	case o.Sig != "":
		return g.signed(c.GetNonce(), o.Sig) && admit(c, &server.User{Username: adminUser})
	case o.Username != "" || o.Password != "":
		return g.stage(o) && admit(c, &server.User{Username: stageUser})
	case o.Token != "" || o.Nkey != "":
		return false
	}
	return admit(c, g.anonymous.Load())
}

func admit(c server.ClientAuthentication, user *server.User) bool {
	if user == nil {
		return false
	}
	c.RegisterUser(user)
	return true
}

func (g *gatekeeper) stage(o *server.ClientOpts) bool {
	return o.Username == stageUser && subtle.ConstantTimeCompare([]byte(o.Password), []byte(g.stagePassword)) == 1
}

// signed tries each known key: outside operator mode the server drops the JWT that would name one.
func (g *gatekeeper) signed(nonce []byte, sig string) bool {
	raw, err := base64.RawURLEncoding.DecodeString(sig)
	if err != nil { // clients differ; the JavaScript one sends the standard alphabet
		if raw, err = base64.StdEncoding.DecodeString(sig); err != nil {
			return false
		}
	}
	for _, key := range g.admins {
		if key.Verify(nonce, raw) == nil {
			return true
		}
	}
	return false
}
