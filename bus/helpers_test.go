package bus

import (
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// adminFile writes an admin credential and returns its path and public key.
func adminFile(tb testing.TB) (path, public string) {
	tb.Helper()
	file, public, err := NewAdminCreds()
	if err != nil {
		tb.Fatal(err)
	}
	path = filepath.Join(tb.TempDir(), "admin.creds")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		tb.Fatal(err)
	}
	return path, public
}

func (s *Server) port(tb testing.TB) int {
	tb.Helper()
	u, err := url.Parse(s.URL())
	if err != nil {
		tb.Fatal(err)
	}
	port, err := strconv.Atoi(u.Port())
	if err != nil {
		tb.Fatal(err)
	}
	return port
}
