package app_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"learnloop.dev/app"
	"learnloop.dev/bus"
	"learnloop.dev/learn"

	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/zap"
)

// obstacle is something in a data folder that keeps a loop from starting.
type obstacle struct {
	file  string // what is not as it was
	place func(path string) error
	says  string
}

// obstacles stand in a folder that was in use before; what stood there is put
// back afterwards.
var obstacles = map[string]obstacle{
	"a file where the state should be":      {"state", place(""), "state"},
	"a file where the streams should be":    {"nats", place(""), "nats"},
	"a file that is no state":               {"state/MANIFEST", place("garbage"), "damaged"},
	"a folder where the key should be":      {"master.key", folder, "master.key"},
	"a key that is none":                    {"master.key", place("garbage"), "not a key"},
	"a key that is too short":               {"master.key", place("AAAA\n"), "master"},
	"another key":                           {"master.key", place(strings.Repeat("A", 43) + "=\n"), "another key"},
	"no key":                                {"master.key", func(string) error { return nil }, "master.key: it is missing"},
	"a key that others may read":            {"master.key", readable, "can be read by others"},
	"keys of pseudonyms that are none":      {"pseudonyms.key", place("garbage"), "pseudonyms.key"},
	"keys of pseudonyms others may read":    {"pseudonyms.key", readable, "can be read by others"},
	"a credential that is none":             {"admin.creds", place("garbage"), "admin.creds"},
	"streams of another version":            {"nats/learnloop-bus.json", place(`{"format":99,"server":"2.12.0"}`), "version of learnloop"},
	"streams of another product":            {"nats/learnloop-bus.json", func(string) error { return nil }, "version of learnloop"},
	"a mark that is none":                   {"nats/learnloop-bus.json", place("garbage"), "version of learnloop"},
	"a folder where the lock should be":     {"lock", folder, "lock"},
	"a token that others may read":          {"admin.token", readable, "can be read by others"},
	"a token that is empty":                 {"admin.token", place(""), "it is empty"},
	"a folder where the token should stand": {"admin.token", folder, "admin.token"},
}

func place(content string) func(string) error {
	return func(path string) error { return os.WriteFile(path, []byte(content), 0o600) }
}

func folder(path string) error { return os.Mkdir(path, 0o700) }

func readable(path string) error { return os.WriteFile(path, []byte("x"), 0o644) }

func TestWhatStandsInTheWayIsToldAndNothingIsHarmed(t *testing.T) {
	dir := t.TempDir()
	a := meet(t, dir)
	a.publish(t, structured(event("1", fixType, fix("r"))))
	a.drained(t)
	a.reflected(t, 1)
	contexts := a.contexts(t)
	a.stop()
	for name, o := range obstacles {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(dir, o.file)
			if err := errors.Join(os.Rename(path, path+".aside"), o.place(path)); err != nil {
				t.Fatal(err)
			}
			fails(t, app.Everything, o.says, "data="+dir)
			if err := errors.Join(os.RemoveAll(path), os.Rename(path+".aside", path)); err != nil {
				t.Fatal(err)
			}
		})
	}
	b := meet(t, dir)
	differ(t, "after all failures", b.contexts(t), contexts)
	b.publish(t, structured(event("2", fixType, fix("r"))))
	b.drained(t)
	b.reflected(t, 2)
	if got := b.total(t); got != 2 {
		t.Errorf("%d events count", got)
	}
}

func TestContextsThatWereLostComeBack(t *testing.T) {
	dir := t.TempDir()
	a := meet(t, dir)
	for n := range 3 {
		a.publish(t, structured(event(strconv.Itoa(n), fixType, fix("r"+strconv.Itoa(n)))))
	}
	a.drained(t)
	a.reflected(t, 3)
	want := a.contexts(t)
	a.stop()
	if err := os.RemoveAll(filepath.Join(dir, "nats", "jetstream", "$G", "streams", "KV_learn_contexts")); err != nil {
		t.Fatal(err)
	}
	b := meet(t, dir)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	bucket, err := b.living.js.KeyValue(ctx, learn.Contexts)
	if err != nil {
		t.Fatal(err)
	}
	watch, err := bucket.WatchAll(ctx, jetstream.MetaOnly())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = watch.Stop() }()
	for back := map[string]bool{}; len(back) < len(want); {
		select {
		case e := <-watch.Updates():
			if e != nil {
				back[e.Key()] = true
			}
		case <-ctx.Done():
			t.Fatalf("%d of %d contexts came back", len(back), len(want))
		}
	}
	differ(t, "after the bucket was lost", b.contexts(t), want)
}

func TestALogThatEndsBeforeWhatWasFoldedIsNotFolded(t *testing.T) {
	dir := t.TempDir()
	a := meet(t, dir)
	a.publish(t, structured(event("1", fixType, fix("r"))))
	a.drained(t)
	a.reflected(t, 1)
	a.stop()
	if err := os.RemoveAll(filepath.Join(dir, "nats")); err != nil {
		t.Fatal(err)
	}
	fails(t, app.Everything, "the log was lost", "data="+dir)
	if err := os.RemoveAll(filepath.Join(dir, "state")); err != nil {
		t.Fatal(err)
	}
	meet(t, dir) // nobody remembers more than the log
}

// fails opens and runs a role, which must end at once with one line that says
// what is wrong and a hint.
func fails(t *testing.T, role app.Role, says string, pairs ...string) {
	t.Helper()
	config, err := app.Load("", nil, append([]string{"http=127.0.0.1:0", "nats=127.0.0.1:0"}, pairs...))
	if err != nil {
		t.Fatal(err)
	}
	loop, err := app.OpenRole(t.Context(), role, config, zap.NewNop())
	if err == nil {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		err = errors.Join(loop.Run(ctx), loop.Close())
	}
	if err == nil {
		t.Fatal("it ran")
	}
	if text := err.Error(); !strings.Contains(text, says) || strings.Contains(text, "\n") || app.HintOf(err) == "" {
		t.Errorf("error: %v\nhint: %s\nwant one line with %q and a hint", err, app.HintOf(err), says)
	}
}

func TestAFileWhereTheDataFolderShouldBeIsTold(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := place("mine")(file); err != nil {
		t.Fatal(err)
	}
	fails(t, app.Everything, file, "data="+file)
	fails(t, app.Everything, file, "data="+filepath.Join(file, "below"))
	if text, err := os.ReadFile(file); err != nil || string(text) != "mine" {
		t.Errorf("the file is %q %v", text, err)
	}
}

func TestAReadyFileThatCannotBeWrittenIsTold(t *testing.T) {
	dir := t.TempDir()
	fails(t, app.Everything, "ready file", "data="+dir, "ready_file="+filepath.Join(dir, "missing", "ready.json"))
}

func TestAReadyFileIsThereWhileTheLoopAnswersAndNoLonger(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "ready.json")
	if err := place(`{"pid":1}`)(file); err != nil { // of a life that was killed
		t.Fatal(err)
	}
	config, err := app.Load("", nil, []string{"data=" + dir, "http=127.0.0.1:0", "nats=127.0.0.1:0", "ready_file=" + file})
	if err != nil {
		t.Fatal(err)
	}
	loop, err := app.Open(t.Context(), config, zap.NewNop())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("that of an earlier life is still there")
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- loop.Run(ctx) }()
	<-loop.Ready()
	if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), loop.Addresses().HTTP) {
		t.Errorf("it says %s %v", text, err)
	}
	fails(t, app.Everything, "pid", "data="+dir, "ready_file="+file) // a second one leaves it
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
	cancel()
	if err := errors.Join(<-ended, loop.Close()); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("it is there after the end")
	}
}

func TestFilesOfOthersInTheDataFolderAreLeftAlone(t *testing.T) {
	dir := t.TempDir()
	for range 2 { // before the folder is ours, and when it is
		for _, name := range []string{"notes.txt", "nats/notes.txt", "state/notes.txt", "lost+found/x"} {
			path := filepath.Join(dir, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), place("mine")(path)); err != nil {
				t.Fatal(err)
			}
		}
		a := meet(t, dir)
		a.stop()
	}
	for _, name := range []string{"notes.txt", "nats/notes.txt", "state/notes.txt", "lost+found/x"} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(text) != "mine" {
			t.Errorf("%s is %q %v", name, text, err)
		}
	}
}

func TestAPortThatIsTakenIsTold(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	dir := t.TempDir()
	for _, door := range []string{"nats", "http"} {
		fails(t, app.Everything, taken.Addr().String(), "data="+dir, door+"="+taken.Addr().String())
	}
	meet(t, dir)
}

func TestASecondLoopOnAFolderIsToldWhoHoldsIt(t *testing.T) {
	dir := t.TempDir()
	a := meet(t, dir)
	at := a.Addresses()
	fails(t, app.Everything, "pid "+strconv.Itoa(os.Getpid()), "data="+dir,
		"nats="+strings.TrimPrefix(at.NATS, "nats://"), "http="+strings.TrimPrefix(at.HTTP, "http://"))
	a.publish(t, structured(event("1", fixType, fix("r"))))
	a.drained(t)
	a.reflected(t, 1)
}

func TestAnotherProcessThatHoldsTheFolderIsNamed(t *testing.T) {
	dir := t.TempDir()
	d := spawn(t, dir)
	fails(t, app.Everything, fmt.Sprint("pid ", d.cmd.Process.Pid), "data="+dir)
	d.kill()
	meet(t, dir) // what a killed process held is free
}

func TestAServerElsewhereThatCannotBeUsedIsTold(t *testing.T) {
	for _, role := range []app.Role{app.Ingest, app.Analyzer, app.Injector} {
		dir := t.TempDir()
		fails(t, role, "2.11.9", "data="+dir, "server="+oldServer(t, "2.11.9"))
		fails(t, role, "127.0.0.1:1", "data="+dir, "server=nats://127.0.0.1:1")
		creds, url := elsewhere(t)
		other, _ := elsewhere(t)
		fails(t, role, "connect", "data="+dir, "server="+url, "creds="+other)
		fails(t, role, "missing", "data="+dir, "server="+url, "creds="+filepath.Join(dir, "missing"))
		foreign(t, url, creds)
		fails(t, role, "LEARN_EVENTS", "data="+dir, "server="+url, "creds="+creds)
	}
}

func TestAPasswordInTheAddressOfTheServerIsNotRepeated(t *testing.T) {
	config, err := app.Load("", nil, []string{"data=" + t.TempDir(), "server=nats://me:hunter2@127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = app.OpenRole(t.Context(), app.Injector, config, zap.NewNop())
	if err == nil || strings.Contains(err.Error()+app.HintOf(err), "hunter2") || app.HintOf(err) == "" {
		t.Errorf("error: %v\nhint: %s", err, app.HintOf(err))
	}
}

// foreign makes a stream of another product under our name.
func foreign(t *testing.T, url, creds string) {
	t.Helper()
	nc, err := bus.Connect(url, creds, "somebody else")
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc, jetstream.WithDefaultTimeout(patience))
	if err == nil {
		_, err = js.CreateStream(t.Context(), jetstream.StreamConfig{Name: "LEARN_EVENTS", Subjects: []string{"theirs.>"}})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// oldServer greets clients as a server of the version does.
func oldServer(t *testing.T, version string) (url string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	t.Cleanup(func() { _ = l.Close(); <-ended })
	go func() {
		defer close(ended)
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		fmt.Fprintf(c, "INFO {\"version\":%q,\"headers\":true,\"max_payload\":1024,\"proto\":1}\r\nPONG\r\n", version)
		for in := bufio.NewReader(c); err == nil; {
			_, err = in.ReadByte()
		}
	}()
	return "nats://" + l.Addr().String()
}
