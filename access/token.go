package access

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"strings"
	"time"
)

// Why a token opens nothing.
var (
	ErrUnknown = errors.New("nobody has this token")
	ErrExpired = errors.New("the token has expired")
	ErrRevoked = errors.New("the token was revoked")
)

// Token is what is kept of a token: enough to recognise it, too little to use it.
type Token struct {
	// ID names the token in public. It is no part of what opens doors.
	ID    string `json:"id"`
	Name  string `json:"name"` // for people: whose it is, or of what
	Roles Roles  `json:"roles"`
	// Digest is the SHA-256 of the secret. Nobody finds 256 random bits by trying, so
	// that a slow hash, made for passwords that people think of, would only cost time.
	Digest  string    `json:"digest"`
	Created time.Time `json:"created"`
	Expires time.Time `json:"expires,omitzero"` // never when zero
	Revoked time.Time `json:"revoked,omitzero"` // not when zero
}

const (
	secretBytes = 32   // of randomness in a token
	mark        = "ll" // begins every token, so that scanners for secrets find those that leak
	idLength    = 10   // letters and digits
)

// Mint makes a token and returns its secret, which is kept nowhere. The secret names
// the token: ll_<id>_<secret>.
func Mint(t Token) (secret string, _ Token) {
	random := make([]byte, secretBytes)
	_, _ = rand.Read(random) // never fails
	t.ID = strings.ToLower(rand.Text()[:idLength])
	secret = strings.Join([]string{mark, t.ID, base64.RawURLEncoding.EncodeToString(random)}, "_")
	t.Digest = digest(secret)
	return secret, t
}

// Check reports why the token does not open anything at a time, nil when it does.
func (t Token) Check(now time.Time) error {
	switch {
	case !t.Revoked.IsZero():
		return ErrRevoked
	case !t.Expires.IsZero() && !now.Before(t.Expires):
		return ErrExpired
	}
	return nil
}

// digest is what is kept of a secret.
func digest(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// idOf is the name of a token in its secret, "" when it has none.
func idOf(secret string) string {
	rest, ours := strings.CutPrefix(secret, mark+"_")
	id, _, whole := strings.Cut(rest, "_")
	if !ours || !whole {
		return ""
	}
	return id
}
