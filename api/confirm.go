package api

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"learnloop.dev/bus"

	"github.com/go-json-experiment/json"
)

const (
	confirmTime = 5 * time.Minute // how long a token is good
	mostPledges = 1000            // tokens that are good at once, give or take those of the moment
	pledged     = "confirm."      // keys of the settings bucket
)

// pledges are the tokens with which requests may be confirmed: each for exactly one
// request, once, and not for long. They stand in the settings bucket, so that what one
// process gave out can be redeemed at another. Neither the token nor the request, which
// may name a person, can be told from what stands there.
type pledges struct {
	now    func() time.Time
	bucket *bus.Bucket
}

// standing is what is kept of a token until it is used.
type standing struct {
	Seal  []byte    `json:"seal"` // of the request, by the token
	Until time.Time `json:"until"`
	Used  bool      `json:"used,omitzero"`
}

// Pledge is what whoever asks for something that cannot be undone has to send back.
type Pledge struct {
	Token   string    `json:"token" doc:"Send the same request again with it as confirm."`
	Expires time.Time `json:"expires" doc:"Until then it is good, once."`
}

// issue returns a token for a request.
func (p *pledges) issue(ctx context.Context, request any) (*Pledge, error) {
	open, err := p.bucket.Find(ctx, pledged+"*")
	if err != nil {
		return nil, unreachable(fmt.Errorf("count tokens: %w", err))
	}
	if len(open) >= mostPledges {
		return nil, problem(Unavailable, "too many requests wait to be confirmed").with("Retry-After", "300")
	}
	made := &Pledge{Token: rand.Text(), Expires: p.now().Add(confirmTime).UTC()}
	seal, err := sealOf(made.Token, request)
	if err != nil {
		return nil, err
	}
	return made, p.put(ctx, bus.Cell{Key: keyOf(made.Token)}, standing{Seal: seal, Until: made.Expires})
}

// redeem takes the token of a request, and refuses any other. Of several who redeem one
// token at a time, one succeeds.
func (p *pledges) redeem(ctx context.Context, token string, request any) error {
	seal, err := sealOf(token, request)
	if err != nil {
		return err
	}
	found, err := p.bucket.Find(ctx, keyOf(token))
	if err != nil {
		return unreachable(fmt.Errorf("look up token: %w", err))
	}
	var s standing
	if len(found) == 0 || json.Unmarshal(found[0].Value, &s) != nil || s.Used || !hmac.Equal(s.Seal, seal) || !p.now().Before(s.Until) {
		return unpledged()
	}
	if err = p.put(ctx, found[0], standing{Used: true}); errors.Is(err, bus.ErrFenced) {
		return unpledged() // another one was faster
	}
	return err
}

func unpledged() error {
	return wrong(Invalid, "/confirm", "the token that was given out for exactly this request, unused and at most 5 minutes old")
}

// put writes what stands under a key that has not changed; it goes by itself.
func (p *pledges) put(ctx context.Context, c bus.Cell, s standing) error {
	data, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("encode token: %w", err)
	}
	c.Value, c.Keep = data, confirmTime
	if err := p.bucket.Put(ctx, []bus.Cell{c}); err != nil {
		return unreachable(fmt.Errorf("keep token: %w", err))
	}
	return nil
}

// keyOf is where a token stands, which tells nothing about it.
func keyOf(token string) string {
	sum := sha256.Sum256([]byte(token))
	return pledged + hex.EncodeToString(sum[:])
}

// sealOf is the same for the same request and token.
func sealOf(token string, request any) ([]byte, error) {
	data, err := json.Marshal(request, json.Deterministic(true))
	if err != nil {
		return nil, fmt.Errorf("encode request: %w", err)
	}
	h := hmac.New(sha256.New, []byte(token))
	_, _ = fmt.Fprintf(h, "%T %s", request, data) // a hash does not fail
	return h.Sum(nil), nil
}
