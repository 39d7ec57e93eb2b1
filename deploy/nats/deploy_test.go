// Package deploy_test starts servers from the files of this folder, as they are,
// and tries what each of their users may and may not do.
package deploy_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"learnloop.dev/app"
	"learnloop.dev/bus"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if role := os.Getenv(stageVar); role != "" {
		os.Exit(app.Main(app.Role(role), "a stage under test", os.Args[1:], os.Stderr))
	}
	goleak.VerifyTestMain(m)
}

const soon = 5 * time.Second

// site is a server that runs one of the files, and the keys of its users.
type site struct {
	options *server.Options
	url     string            // without a user
	seeds   map[string]string // files, by role
}

// stages and operators log in with keys, everybody else with passwords.
var (
	keyed     = []string{"ingest", "analyzer", "injector", "operator"}
	passwords = []string{"agent", "generator", "stranger"}
)

// run starts a server until the test ends.
func run(t *testing.T, file string, change ...func(*server.Options)) site {
	t.Helper()
	s := site{seeds: map[string]string{}}
	for _, role := range keyed {
		var public string
		s.seeds[role], public = seed(t)
		t.Setenv("LEARNLOOP_"+strings.ToUpper(role)+"_NKEY", public)
	}
	for _, role := range passwords {
		t.Setenv("LEARNLOOP_"+strings.ToUpper(role)+"_PASSWORD", "p-"+role)
	}
	t.Setenv("LEARNLOOP_NATS_KEY", "k-for-tests")
	t.Setenv("LEARNLOOP_NATS_DIR", t.TempDir())
	var err error
	if s.options, err = server.ProcessConfigFile(file); err != nil {
		t.Fatal(err)
	}
	s.options.Port, s.options.NoSigs, s.options.NoLog = server.RANDOM_PORT, true, true
	for _, f := range change {
		f(s.options)
	}
	running, err := server.NewServer(s.options)
	if err != nil {
		t.Fatal(err)
	}
	running.Start()
	t.Cleanup(func() { running.Shutdown(); running.WaitForShutdown() })
	if !running.ReadyForConnections(soon) {
		t.Fatal("the server does not listen")
	}
	s.url = "nats://" + running.Addr().String()
	return s
}

// seed makes a key for one user.
func seed(t *testing.T) (file, public string) {
	t.Helper()
	key, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	secret, err := key.Seed()
	if err != nil {
		t.Fatal(err)
	}
	if public, err = key.PublicKey(); err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "seed.nk")
	if err := os.WriteFile(file, secret, 0o600); err != nil {
		t.Fatal(err)
	}
	return file, public
}

// as is the URL with the password of a role that has one.
func (s site) as(role string) string {
	return strings.Replace(s.url, "//", "//"+role+":p-"+role+"@", 1)
}

// client is one connection and what it is refused.
type client struct {
	*nats.Conn
	refused chan error
}

// connect logs in as a role, "" for nobody.
func (s site) connect(t *testing.T, role string) client {
	t.Helper()
	url, file, name := s.url, s.seeds[role], "learnloop "+role
	switch {
	case role == "operator":
		name = "learnloop command"
	case role != "" && file == "":
		url = s.as(role)
	}
	nc, err := bus.Connect(url, file, name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	c := client{nc, make(chan error, 100)}
	nc.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { c.refused <- err })
	return c
}

// may sends a request and reports whether it was let through. A request that is
// let through is answered, by a server or by nobody.
func (c client) may(t *testing.T, subject string) bool {
	t.Helper()
	inbox := c.NewInbox()
	answers, err := c.SubscribeSync(inbox)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answers.Unsubscribe() }()
	if err := c.PublishRequest(subject, inbox, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	if err := c.FlushTimeout(soon); err != nil {
		t.Fatal(err)
	}
	return c.unopposed(t)
}

// mayHear subscribes and reports whether that is allowed.
func (c client) mayHear(t *testing.T, subject string) bool {
	t.Helper()
	sub, err := c.SubscribeSync(subject)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = sub.Unsubscribe() }()
	if err := c.FlushTimeout(soon); err != nil {
		t.Fatal(err)
	}
	return c.unopposed(t)
}

// unopposed reports whether nothing was refused. The server says so before it
// answers a flush, but the client tells it from another goroutine: what is asked
// for below is refused for certain, so that there is something to wait for.
func (c client) unopposed(t *testing.T) bool {
	t.Helper()
	const marker = "$JS.API.DIRECT.GET.LEARN_INBOX.marker" // nobody may
	if err := c.Publish(marker, nil); err != nil {
		t.Fatal(err)
	}
	for ok := true; ; ok = false {
		select {
		case err := <-c.refused:
			if !errors.Is(err, nats.ErrPermissionViolation) {
				t.Fatal(err)
			}
			if strings.Contains(err.Error(), marker) {
				return ok
			}
		case <-time.After(soon):
			t.Fatal("the server does not answer")
		}
	}
}
