package bus

import (
	"fmt"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nkeys"
)

// NewAdminCreds makes an admin credential: the content of a .creds file as every NATS client reads it,
// and the public key that Options.Admins wants. Keep the file readable by its owner only.
func NewAdminCreds() (file []byte, publicKey string, err error) {
	user, err := nkeys.CreateUser()
	if err != nil {
		return nil, "", fmt.Errorf("create admin key: %w", err)
	}
	defer user.Wipe()
	if publicKey, err = user.PublicKey(); err != nil {
		return nil, "", fmt.Errorf("create admin key: %w", err)
	}
	token, err := adminToken(publicKey)
	if err != nil {
		return nil, "", fmt.Errorf("create admin credential: %w", err)
	}
	seed, err := user.Seed()
	if err != nil {
		return nil, "", fmt.Errorf("create admin key: %w", err)
	}
	if file, err = jwt.FormatUserConfig(token, seed); err != nil {
		return nil, "", fmt.Errorf("create admin credential: %w", err)
	}
	return file, publicKey, nil
}

// adminToken completes the file format. Nobody checks its issuer, so that one is thrown away:
// the signature under the user's key is what the gatekeeper believes.
func adminToken(publicKey string) (string, error) {
	issuer, err := nkeys.CreateAccount()
	if err != nil {
		return "", err
	}
	defer issuer.Wipe()
	claims := jwt.NewUserClaims(publicKey)
	claims.Name = adminUser
	return claims.Encode(issuer)
}

// AdminPublicKey reads the public key out of a .creds file.
func AdminPublicKey(file []byte) (string, error) {
	key, err := jwt.ParseDecoratedUserNKey(file)
	if err != nil {
		return "", fmt.Errorf("read admin credential: %w", err)
	}
	defer key.Wipe()
	public, err := key.PublicKey()
	if err != nil {
		return "", fmt.Errorf("read admin credential: %w", err)
	}
	return public, nil
}
