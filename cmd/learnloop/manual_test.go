package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"learnloop.dev/app"
)

func TestThePagesDoWhatTheyShow(t *testing.T) {
	for _, file := range manual(t) {
		name := strings.TrimPrefix(strings.TrimSuffix(filepath.ToSlash(file), ".md"), "../../")
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name != "README" {
				t.Skip("the pages are played without -short")
			}
			play(t, file)
		})
	}
}

// play does what the fences of a page show, one after another, in a folder and with
// ports of their own.
func play(t *testing.T, file string) {
	t.Helper()
	s := newStage(t)
	for _, f := range fences(contents(t, file)) {
		if f.excuse == "" {
			s.show(f)
		}
	}
}

// show does what one fence shows, by what it is written in.
func (s *stage) show(f fence) {
	s.t.Helper()
	switch f.language {
	case "console":
		for _, step := range f.steps() {
			s.play(step)
		}
	case "sh":
		s.script(f)
	case "go":
		s.program(f)
	case "js":
		s.excerpt(f, "examples/js/*.mjs")
	case "json":
		s.document(f)
	case "yaml":
		s.settings(f)
	case "text", "":
		s.silent(f)
	default:
		s.t.Errorf("line %d: nobody checks %s", f.line, f.language)
	}
}

// stage is where a page is played.
type stage struct {
	t      *testing.T
	dir    string
	env    []string
	at     app.Addresses
	server *exec.Cmd
}

// repository is a path within the folder of the module.
func repository(t *testing.T, path ...string) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(append([]string{root}, path...)...)
}

// newStage is an empty folder, as after cloning as far as pages need it.
func newStage(t *testing.T) *stage {
	t.Helper()
	s := &stage{t: t, dir: t.TempDir()}
	for _, name := range []string{"cmd", "examples"} {
		if err := os.Symlink(repository(t, name), filepath.Join(s.dir, name)); err != nil {
			t.Skipf("pages are played where folders can be linked: %v", err)
		}
	}
	for name, text := range requisites() {
		if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.env = append(os.Environ(), "LEARNLOOP_HTTP=127.0.0.1:0", "LEARNLOOP_NATS=127.0.0.1:0", "LEARNLOOP_READY_FILE="+filepath.Join(s.dir, "ready.json"))
	return s
}

// The addresses that pages name.
const (
	namedHTTP = "127.0.0.1:8420"
	namedNATS = "127.0.0.1:4222"
)

// here puts the addresses of this loop in place of those that pages name.
func (s *stage) here(text string) string {
	if s.server == nil {
		return text
	}
	return strings.NewReplacer(namedHTTP, strings.TrimPrefix(s.at.HTTP, "http://"), namedNATS, strings.TrimPrefix(s.at.NATS, "nats://")).Replace(text)
}

// there undoes here.
func (s *stage) there(text string) string {
	if s.server == nil {
		return text
	}
	return strings.NewReplacer(strings.TrimPrefix(s.at.HTTP, "http://"), namedHTTP, strings.TrimPrefix(s.at.NATS, "nats://"), namedNATS).Replace(text)
}

// command is a line for the shell. The program is the one under test; what builds
// something else is built where the module is.
func (s *stage) command(line string) *exec.Cmd {
	line = strings.ReplaceAll(line, "go run ./cmd/learnloop", "learnloop")
	line = built.ReplaceAllString(line, "go build -C "+repository(s.t)+" -o "+s.dir+"/built $1 && ./built")
	line = strings.ReplaceAll(line, installing, "true")
	c := exec.Command("sh", "-c", s.here(line)) // a server has to outlive the test until its cleanup
	c.Dir, c.Env = s.dir, s.env
	return c
}

// built is a program of ours that a page runs from its sources.
var built = regexp.MustCompile(`go run (\./examples/\w+)`)

// installing is how the program is built; CI builds it so.
const installing = "go install -trimpath -ldflags '-s -w' ./cmd/learnloop"

func TestTheProgramIsInstalledAsItIsReleased(t *testing.T) {
	ci := contents(t, repository(t, ".ci", "run"))
	if built := strings.Replace(installing, "install", "build", 1); !strings.Contains(ci, strings.TrimSuffix(built, "./cmd/learnloop")) {
		t.Errorf("CI does not build with the flags of %s", installing)
	}
}

// patienceOfPages is how long what a page shows may take to come true.
const patienceOfPages = 20 * time.Second

// play runs one command and compares what it prints. What only asks is asked again
// for a while: pages do not say that a moment passes.
func (s *stage) play(step step) {
	s.t.Helper()
	if s.background(step.command) {
		return
	}
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.After(patienceOfPages); ; {
		out, err := s.command(step.command).CombinedOutput()
		if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
			s.t.Fatalf("line %d: %s: %v", step.line, step.command, err)
		}
		err = matches(step.want, s.there(string(out)))
		if err == nil {
			return
		}
		select {
		case <-tick.C:
			if asks(step.command) {
				continue
			}
		case <-deadline:
		}
		s.t.Fatalf("line %d: $ %s\n%v", step.line, step.command, err)
	}
}

// asks reports whether a command changes nothing.
func asks(command string) bool {
	for _, begin := range []string{
		"curl -s http", "learnloop context get", "learnloop context list", "learnloop explain", "learnloop search", "learnloop stats",
		"learnloop learnings list", "learnloop learnings show", "learnloop feedback show", "learnloop preferences show",
		"learnloop experiment report", "learnloop samples metrics", "learnloop templates match",
	} {
		if strings.HasPrefix(command, begin) {
			return true
		}
	}
	return false
}

// script runs a fence as one script, which has to succeed, between what starts and
// stops the server.
func (s *stage) script(f fence) {
	s.t.Helper()
	var lines string
	for line := range strings.Lines(f.text) {
		if !controls(strings.TrimSpace(line)) {
			lines += line
			continue
		}
		s.run(f, lines)
		lines = ""
		s.background(strings.TrimSpace(line))
	}
	s.run(f, lines)
}

func (s *stage) run(f fence, lines string) {
	s.t.Helper()
	c := s.command(lines)
	c.Args = []string{"sh", "-e", "-x", "-c", c.Args[2]}
	if out, err := c.CombinedOutput(); err != nil {
		s.t.Fatalf("line %d: %v\n%s", f.line, err, out)
	}
}

// ending is how a page stops the server that it started last.
const ending = "kill %1"

// controls reports whether a line starts or stops a server.
func controls(line string) bool {
	return strings.HasPrefix(line, ending) || strings.HasPrefix(line, "learnloop serve") && strings.HasSuffix(line, "&")
}

// background starts a server, and returns when it answers, or stops it; it leaves other
// commands.
func (s *stage) background(line string) bool {
	s.t.Helper()
	if !controls(line) {
		return false
	}
	s.stop()
	if strings.HasPrefix(line, ending) {
		return true
	}
	ready := filepath.Join(s.dir, "ready.json")
	c := s.command("exec " + strings.TrimSuffix(line, "&"))
	var said bytes.Buffer
	c.Stdout, c.Stderr = &said, &said
	if err := c.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.server = c
	s.t.Cleanup(s.stop)
	var err error // a loop takes back what the one before said of being ready
	if s.at, err = awaitReady(ready); err != nil {
		s.t.Fatalf("%s: %v\n%s", line, err, &said)
	}
	s.env = append(s.env, "LEARNLOOP_SERVER="+s.at.NATS)
	return true
}

// stop ends the server, where one runs: a page that starts a second one had ended the first.
func (s *stage) stop() {
	if s.server == nil {
		return
	}
	_ = s.server.Process.Signal(syscall.SIGTERM)
	if err := s.server.Wait(); err != nil {
		s.t.Errorf("serve: %v", err)
	}
	s.server = nil
}
