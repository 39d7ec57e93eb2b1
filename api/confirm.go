package api

import (
	"crypto/rand"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
)

const (
	confirmTime = 5 * time.Minute // how long a token is good
	mostPledges = 1000            // tokens that are good at once
)

// pledges are the tokens with which requests may be confirmed: each for exactly one
// request, once, and not for long. Safe for concurrent use.
type pledges struct {
	now func() time.Time

	mu   sync.Mutex
	open map[string]pledge // guarded by mu; by token
}

type pledge struct {
	request string
	until   time.Time
}

// Pledge is what whoever asks for something that cannot be undone has to send back.
type Pledge struct {
	Token   string    `json:"token" doc:"Send the same request again with it as confirm."`
	Expires time.Time `json:"expires" doc:"Until then it is good, once."`
}

// issue returns a token for a request.
func (p *pledges) issue(request any) (*Pledge, error) {
	key, err := keyOf(request)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	maps.DeleteFunc(p.open, func(_ string, known pledge) bool { return !now.Before(known.until) })
	if len(p.open) >= mostPledges {
		return nil, problem(Unavailable, "too many requests wait to be confirmed").with("Retry-After", "300")
	}
	if p.open == nil {
		p.open = map[string]pledge{}
	}
	made := &Pledge{Token: rand.Text(), Expires: now.Add(confirmTime).UTC()}
	p.open[made.Token] = pledge{key, made.Expires}
	return made, nil
}

// redeem takes the token of a request, and refuses any other.
func (p *pledges) redeem(token string, request any) error {
	key, err := keyOf(request)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	known, ok := p.open[token]
	if !ok || known.request != key || !p.now().Before(known.until) {
		return wrong(Invalid, "/confirm", "the token that was given out for exactly this request, unused and at most 5 minutes old")
	}
	delete(p.open, token)
	return nil
}

// keyOf is the same for the same request.
func keyOf(request any) (string, error) {
	data, err := json.Marshal(request, json.Deterministic(true))
	if err != nil {
		return "", fmt.Errorf("encode request: %w", err)
	}
	return fmt.Sprintf("%T %s", request, data), nil
}
