package bus

import (
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// adminFile writes an admin credential and returns its path and public key.
func adminFile(t testing.TB) (path, public string) {
	t.Helper()
	file, public, err := NewAdminCreds()
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "admin.creds")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	return path, public
}

func (s *Server) port(t testing.TB) int {
	t.Helper()
	u, err := url.Parse(s.URL())
	if err != nil {
		t.Fatal(err)
	}
	port, err := strconv.Atoi(u.Port())
	if err != nil {
		t.Fatal(err)
	}
	return port
}
