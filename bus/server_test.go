package bus

import (
	"bytes"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

func TestWhatIsAcknowledgedIsThereAfterARestart(t *testing.T) {
	dir := t.TempDir()
	for round := range 3 {
		s, err := Serve(Options{Dir: dir, StoreKey: testKey})
		if err != nil {
			t.Fatal(err)
		}
		js := ensured(t, s)
		last := appendTo(t, js, EventsStream, facts(0, 10, 100)...)
		js.Conn().Close()
		s.Shutdown()
		if last != uint64(10*(round+1)) {
			t.Fatalf("round %d ends at %d", round, last)
		}
	}
}

func TestNothingLiesInClearOnDisk(t *testing.T) {
	dir := t.TempDir()
	s, err := Serve(Options{Dir: dir, StoreKey: testKey})
	if err != nil {
		t.Fatal(err)
	}
	js := ensured(t, s)
	planted := []byte("maria.mustermann@example.org")
	publish := func(subject string) {
		if _, err := js.Publish(t.Context(), subject, planted); err != nil {
			t.Fatal(err)
		}
	}
	publish("learn.in.feedback.fix")
	publish("$KV.learn_contexts.rule.a")
	appendTo(t, js, EventsStream,
		Message{Subject: "learn.ev.0.feedback.fix", Data: planted},
		Message{Subject: "learn.ev.0." + string(bytes.ToUpper(planted)), Data: planted})
	search := func() (files int) {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			files++
			raw, err := os.ReadFile(path)
			if bytes.Contains(bytes.ToLower(raw), planted) || bytes.Contains(raw, []byte(testKey)) {
				t.Errorf("%s is in clear", path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	js.Conn().Close()
	s.Shutdown()
	if n := search(); n < 10 {
		t.Fatalf("only %d files", n)
	}
}

func TestAnotherKeyIsRefused(t *testing.T) {
	dir := t.TempDir()
	s, err := Serve(Options{Dir: dir, StoreKey: testKey})
	if err != nil {
		t.Fatal(err)
	}
	s.Shutdown()
	if _, err := Serve(Options{Dir: dir, StoreKey: "another"}); !errors.Is(err, ErrStoreKey) {
		t.Fatalf("got %v", err)
	}
	if s, err = Serve(Options{Dir: dir, StoreKey: testKey}); err != nil {
		t.Fatal(err)
	}
	s.Shutdown()
}

func TestAStoreIsOpenOnce(t *testing.T) {
	dir := t.TempDir()
	serve(t, func(o *Options) { o.Dir = dir })
	if _, err := Serve(Options{Dir: dir, StoreKey: testKey}); !errors.Is(err, ErrStoreLocked) {
		t.Fatalf("got %v", err)
	}
}

func TestAForeignStoreIsLeftAlone(t *testing.T) {
	write := func(dir, name, content string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, prepare := range map[string]func(dir string){
		"without our mark": func(dir string) {
			if err := os.Mkdir(filepath.Join(dir, server.JetStreamStoreDir), 0o700); err != nil {
				t.Fatal(err)
			}
		},
		"a broken mark":           func(dir string) { write(dir, markFile, "{") },
		"another format":          func(dir string) { write(dir, markFile, `{"format":2,"server":"2.15.2"}`) },
		"a server to come":        func(dir string) { write(dir, markFile, `{"format":1,"server":"2.99.0"}`) },
		"no version at all":       func(dir string) { write(dir, markFile, `{"format":1,"server":"new"}`) },
		"a mark with strangeness": func(dir string) { write(dir, markFile, `[]`) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			prepare(dir)
			if _, err := Serve(Options{Dir: dir, StoreKey: testKey}); !errors.Is(err, ErrStoreForeign) {
				t.Fatalf("got %v", err)
			}
		})
	}
}

func TestAnAddressInUseIsRefusedBeforeTheStoreIsTouched(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	dir := filepath.Join(t.TempDir(), "new")
	_, err = Serve(Options{Dir: dir, StoreKey: testKey, Port: l.Addr().(*net.TCPAddr).Port})
	if !errors.Is(err, ErrListen) {
		t.Fatalf("got %v", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Fatal("the store was touched")
	}
}

func TestAFolderThatCannotBeWrittenIsNamed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Serve(Options{Dir: filepath.Join(file, "store"), StoreKey: testKey}); err == nil || !strings.Contains(err.Error(), file) {
		t.Fatalf("got %v", err)
	}
	// The server itself cannot make its folder here.
	dir := t.TempDir()
	s, err := Serve(Options{Dir: dir, StoreKey: testKey})
	if err != nil {
		t.Fatal(err)
	}
	s.Shutdown()
	streams := filepath.Join(dir, server.JetStreamStoreDir)
	if err := errors.Join(os.RemoveAll(streams), os.WriteFile(streams, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if _, err := Serve(Options{Dir: dir, StoreKey: testKey}); !errors.Is(err, ErrServer) {
		t.Fatalf("got %v", err)
	}
}

func TestServeWantsAFolderAndAKey(t *testing.T) {
	for _, o := range []Options{{}, {Dir: t.TempDir()}, {StoreKey: testKey}} {
		if _, err := Serve(o); err == nil {
			t.Errorf("%+v was served", o)
		}
	}
}

func TestServeWantsAdminKeysThatAreKeys(t *testing.T) {
	if _, err := Serve(Options{Dir: t.TempDir(), StoreKey: testKey, Admins: []string{"UABC"}}); err == nil {
		t.Fatal("served")
	}
}

func TestAnAdminCredentialTellsItsPublicKey(t *testing.T) {
	file, public, err := NewAdminCreds()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := AdminPublicKey(file); err != nil || got != public {
		t.Fatalf("%s %v, want %s", got, err, public)
	}
	if _, err := AdminPublicKey([]byte("no credential")); err == nil {
		t.Fatal("read")
	}
}

func TestWhatStrangersSendIsNotLogged(t *testing.T) {
	var mu sync.Mutex
	var lines []string
	s := serve(t, func(o *Options) {
		o.Warn = func(line string) {
			mu.Lock()
			defer mu.Unlock()
			lines = append(lines, line)
		}
	})
	c := connectStranger(t, s)
	if err := c.Publish("learn.ev.maria-mustermann", nil); err != nil {
		t.Fatal(err)
	}
	c.wantRefused(t, "publishing to the log")
	if _, err := nats.Connect(s.URL(), nats.UserInfo("maria-mustermann", "x")); err == nil {
		t.Fatal("connected")
	}
	mu.Lock()
	defer mu.Unlock()
	if text := strings.Join(lines, "\n"); strings.Contains(text, "maria") {
		t.Fatal(text)
	}
}

func TestTheServersOwnWarningsArePassedOn(t *testing.T) {
	var lines []string
	l := &serverLog{warn: func(line string) { lines = append(lines, line) }}
	l.Warnf("disk %s", "slow")
	l.Errorf("%s - Publish Violation", "127.0.0.1:1 - cid:7")
	(&serverLog{}).Warnf("nobody listens")
	if len(lines) != 1 || lines[0] != "disk slow" {
		t.Fatal(lines)
	}
}
