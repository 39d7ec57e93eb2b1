package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// addressFile says where the server of the loop is found that uses a data folder.
const addressFile = "nats.url"

// ServerOf returns the NATS URL of the loop that uses a data folder, "" when there is
// none or its server is not its own. One that was killed leaves its last URL.
func ServerOf(dir string) string {
	text, err := os.ReadFile(filepath.Join(dir, addressFile))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// tellAddress writes down where our server is found, until the loop is closed.
func (l *Loop) tellAddress() error {
	l.onClose(l.withdrawAddress)
	if err := writeWhole(filepath.Join(l.config.Data, addressFile), []byte(l.server.URL()+"\n")); err != nil {
		return fmt.Errorf("write down the server's address: %w", err)
	}
	return nil
}

// withdrawAddress removes what we wrote down, or an earlier life that was killed.
func (l *Loop) withdrawAddress() error {
	err := os.Remove(filepath.Join(l.config.Data, addressFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("take back the server's address: %w", err)
	}
	return nil
}
