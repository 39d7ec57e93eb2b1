package access

import (
	"cmp"
	"crypto/subtle"
	"maps"
	"sync"
	"time"

	"learnloop.dev/inorder"
)

// Book holds the tokens there are. It is safe for concurrent use; the zero value is
// empty.
type Book struct {
	mu     sync.RWMutex
	tokens map[string]Token // guarded by mu; by ID
}

// Enter keeps a token, or what has become of it.
func (b *Book) Enter(t Token) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.tokens == nil {
		b.tokens = map[string]Token{}
	}
	if known, ok := b.tokens[t.ID]; ok && !known.Revoked.IsZero() {
		return // nothing makes a token good again, whatever is heard late
	}
	b.tokens[t.ID] = t
}

// Strike drops a token.
func (b *Book) Strike(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.tokens, id)
}

// Open returns the token of a secret that is good at a time. It fails with ErrUnknown,
// ErrExpired or ErrRevoked. How long it takes tells nothing about a secret.
func (b *Book) Open(secret string, now time.Time) (Token, error) {
	t, _ := b.Lookup(idOf(secret))
	if subtle.ConstantTimeCompare([]byte(t.Digest), []byte(digest(secret))) != 1 {
		return Token{}, ErrUnknown
	}
	return t, t.Check(now)
}

// Lookup returns the token of an ID.
func (b *Book) Lookup(id string) (t Token, known bool) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	t, known = b.tokens[id]
	return t, known
}

// All returns the tokens, the oldest first.
func (b *Book) All() []Token {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return inorder.Sorted(maps.Values(b.tokens), func(x, y Token) int {
		return cmp.Or(x.Created.Compare(y.Created), cmp.Compare(x.ID, y.ID))
	})
}
