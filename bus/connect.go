package bus

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"learnloop.dev/events"

	"github.com/nats-io/nats.go"
)

// ErrServerTooOld means that the server does not know atomic batches, which came with version 2.12.
var ErrServerTooOld = errors.New("nats server is too old, 2.12 or newer is needed")

const (
	oldestServer   = "2.12.0"
	connectTimeout = 15 * time.Second // a server whose disk is slow says nothing for seconds
	reconnectWait  = 250 * time.Millisecond
)

// Connect opens a connection to a server or cluster elsewhere, given as one URL or several with commas,
// and reconnects for ever once it stood. credsFile is the path of a .creds file, or of the seed of an
// nkey, empty for none; who has one is answered under _LL. and the last word of the name, by which
// permissions can keep roles apart. Whoever connects closes.
func Connect(servers, credsFile, name string) (*nats.Conn, error) {
	options := []nats.Option{
		nats.Name(name),
		nats.Timeout(connectTimeout),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(reconnectWait),
		nats.IgnoreAuthErrorAbort(),
	}
	if credsFile != "" {
		login, err := credential(credsFile)
		if err != nil {
			return nil, fmt.Errorf("connect %s: %w", redacted(servers), err)
		}
		// Strangers may only listen under _INBOX, so that without credentials the default has to do.
		options = append(options, login, nats.CustomInboxPrefix(privateInbox(name)))
	}
	nc, err := nats.Connect(servers, options...)
	if err != nil {
		return nil, fmt.Errorf("connect %s: %w", redacted(servers), err)
	}
	if err := checkVersion(nc.ConnectedServerVersion()); err != nil {
		nc.Close()
		return nil, fmt.Errorf("connect %s: %w", redacted(servers), err)
	}
	return nc, nil
}

// credential reads how to log in: with a token and its key, or with a key alone.
func credential(file string) (nats.Option, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read credential: %w", err)
	}
	if bytes.Contains(content, []byte("NATS USER JWT")) {
		return nats.UserCredentials(file), nil
	}
	login, err := nats.NkeyOptionFromSeed(file)
	if err != nil {
		return nil, fmt.Errorf("read credential %s: %w", file, err)
	}
	return login, nil
}

// privateInbox is where one connection of a name listens for answers.
func privateInbox(name string) string {
	role := name[strings.LastIndexByte(name, ' ')+1:]
	return "_LL." + events.Token(role) + "." + rand.Text()
}

// redacted leaves out user names and passwords.
func redacted(servers string) string {
	hosts := strings.Split(servers, ",")
	for i, host := range hosts {
		hosts[i] = host[strings.LastIndexByte(host, '@')+1:]
	}
	return strings.Join(hosts, ",")
}

func checkVersion(version string) error {
	old, err := olderThan(version, oldestServer)
	if err != nil {
		return err
	}
	if old {
		return fmt.Errorf("%w: found %s", ErrServerTooOld, version)
	}
	return nil
}
