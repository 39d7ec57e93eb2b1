package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"learnloop.dev/app"

	"github.com/go-json-experiment/json"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"learnloop": main})
}

func TestTheCommandsDoWhatTheScriptsSay(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Vars = append(env.Vars, loopEnv(env.WorkDir)...)
			return os.WriteFile(filepath.Join(env.WorkDir, "sample.jsonl"), sample, 0o600)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"ready": ready, "exits": exits, "gz": gz, "shows": shows, "prints": prints, "token": token,
			"until": until, "captures": captures,
		},
	})
}

// loopEnv makes a loop its own in a folder: its data, and ports that are free.
func loopEnv(dir string) []string {
	return []string{
		"LEARNLOOP_DATA=" + filepath.Join(dir, "data"),
		"LEARNLOOP_HTTP=127.0.0.1:0",
		"LEARNLOOP_NATS=127.0.0.1:0",
		"LEARNLOOP_READY_FILE=" + filepath.Join(dir, "ready.json"),
	}
}

// patienceOfTests is how long a server may take to start on a busy machine.
const patienceOfTests = 60 * time.Second

// ready waits for a server that was started in the background and tells the
// following commands where it is:
//
//	ready
func ready(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: ready")
	}
	at, err := awaitReady(ts.Getenv("LEARNLOOP_READY_FILE"))
	ts.Check(err)
	ts.Setenv("LEARNLOOP_SERVER", at.NATS)
	ts.Setenv("HTTP", at.HTTP)
	ts.Setenv("PID", strconv.Itoa(at.PID))
}

func awaitReady(file string) (at app.Addresses, err error) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.After(patienceOfTests); ; {
		data, err := os.ReadFile(file)
		if err == nil {
			return at, json.Unmarshal(data, &at)
		}
		select {
		case <-tick.C:
		case <-deadline:
			return at, err
		}
	}
}

// exits runs a command and checks its exit code:
//
//	exits 2 learnloop nonsense
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("%v exited with %d, want %d", args[1:], got, want)
	}
}

// gz compresses a file:
//
//	gz sample.jsonl sample.jsonl.gz
func gz(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: gz FROM TO")
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte(ts.ReadFile(args[0])))
	ts.Check(errors.Join(err, w.Close()))
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), b.Bytes(), 0o600))
}

// token keeps the token at the end of what was written last as $TOKEN:
//
//	token
func token(ts *testscript.TestScript, neg bool, args []string) {
	words := strings.Fields(ts.ReadFile("stdout"))
	if neg || len(args) > 0 || len(words) == 0 {
		ts.Fatalf("usage: token, after a command that wrote one")
	}
	ts.Setenv("TOKEN", words[len(words)-1])
}

// captures keeps the first group of a pattern in what was written last as a variable:
//
//	captures LEARNING '(learn_\w+)'
func captures(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: captures NAME PATTERN")
	}
	found := regexp.MustCompile(`(?m)` + args[1]).FindStringSubmatch(ts.ReadFile("stdout"))
	if len(found) < 2 {
		ts.Fatalf("no match for %q in %s", args[1], ts.ReadFile("stdout"))
	}
	ts.Setenv(args[0], found[1])
}

// until runs a command again and again until it writes something:
//
//	until '"total":1' learnloop learnings list --json
func until(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: until PATTERN COMMAND...")
	}
	pattern := regexp.MustCompile(`(?m)` + args[0])
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.After(patienceOfTests); ; {
		err := ts.Exec(args[1], args[2:]...)
		if err == nil && pattern.MatchString(ts.ReadFile("stdout")) {
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			ts.Fatalf("%v never wrote %q: %v", args[1:], args[0], err)
		}
	}
}

// prints waits until a command in the background has written something to a file:
//
//	prints out.txt 'is running'
func prints(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: prints FILE PATTERN")
	}
	pattern, file := regexp.MustCompile(`(?m)`+args[1]), ts.MkAbs(args[0])
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.After(patienceOfTests); ; {
		data, err := os.ReadFile(file)
		if err == nil && pattern.Match(data) {
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			ts.Fatalf("no match for %q in %s: %s", args[1], args[0], data)
		}
	}
}

// shows compares output with a file in which ... stands for anything:
//
//	shows stdout want.txt
func shows(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: shows stdout|stderr FILE")
	}
	if err := matches(ts.ReadFile(args[1]), ts.ReadFile(args[0])); err != nil {
		ts.Fatalf("%v", err)
	}
}
