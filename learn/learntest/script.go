package learntest

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"learnloop.dev/learn"
	"learnloop.dev/privacy"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write what is known into the scripts instead of comparing")

// Scripts runs every .txtar file of a folder: a log in, contexts out. A file
// begins with what it shows; its sections are taken in order:
//
//	-- events --             one event per line, as JSON; "times" repeats it, each
//	                         time with an id of its own ("<id>-1", …) and a minute later
//	-- withdraw --           ids of events to take back, one per line
//	-- mode --               the text mode from here on (before the first events: full)
//	-- context rule.x --     fields the context must have, or "none"
//	-- prompt rule.x --      the context's prompt, whole
//	-- learn_settings x --   the same as context, of another bucket
//
// Contexts are compared in the fields that the file names; an empty object
// means all. With -update the file is rewritten.
func Scripts(t *testing.T, dir string, models ...learn.Model) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts in %s: %v", dir, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			runScript(t, file, &Loop{Models: models, Partitions: 3})
		})
	}
}

func runScript(t *testing.T, file string, l *Loop) {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := range archive.Files {
		section := &archive.Files[i]
		is, err := l.play(section.Name, section.Data)
		if err != nil {
			t.Fatalf("%s: %v", section.Name, err)
		}
		if *update {
			section.Data = is
		} else if diff := cmp.Diff(string(section.Data), string(is)); diff != "" {
			t.Errorf("%s: -want +got\n%s", section.Name, diff)
		}
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(archive), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// play carries one section out and returns what it should have said.
func (l *Loop) play(name string, data []byte) ([]byte, error) {
	verb, key, _ := strings.Cut(name, " ")
	switch verb {
	case "events":
		return data, l.hearLines(data)
	case "withdraw":
		for id := range strings.FieldsSeq(string(data)) {
			l.Withdraw(id)
		}
		l.Refresh()
		return data, nil
	case "mode":
		l.Mode = privacy.Mode(strings.TrimSpace(string(data)))
		return data, nil
	case "context":
		return l.compare(learn.Contexts+" "+key, data)
	case "prompt":
		return l.prompt(learn.Contexts + " " + key)
	}
	return l.compare(name, data)
}

func (l *Loop) hearLines(data []byte) error {
	for line := range bytes.Lines(data) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var e struct {
			Event `json:",inline"`
			Times int `json:"times,omitzero"`
		}
		if err := json.Unmarshal(line, &e, json.RejectUnknownMembers(true)); err != nil {
			return fmt.Errorf("read event: %w", err)
		}
		if err := l.hearTimes(e.Event, e.Times); err != nil {
			return err
		}
	}
	l.Refresh()
	return nil
}

func (l *Loop) hearTimes(e Event, times int) error {
	if times == 0 {
		return l.Hear(e)
	}
	for n := range times {
		again := e
		again.ID = fmt.Sprintf("%s-%d", e.ID, n+1)
		again.Time = e.Time.Add(time.Duration(n) * time.Minute)
		if err := l.Hear(again); err != nil {
			return err
		}
	}
	return nil
}

// compare returns the context in the fields that want names.
func (l *Loop) compare(name string, want []byte) ([]byte, error) {
	contexts, err := l.Contexts()
	if err != nil {
		return nil, err
	}
	data, ok := contexts[name]
	if !ok {
		return []byte("none\n"), nil
	}
	var is any
	if err := json.Unmarshal(data, &is); err != nil {
		return nil, fmt.Errorf("read context: %w", err)
	}
	var fields any
	if json.Unmarshal(want, &fields) == nil {
		is = prune(is, fields)
		if reflect.DeepEqual(is, fields) {
			return want, nil // however it is laid out
		}
	}
	out, err := json.Marshal(is, json.Deterministic(true), jsontext.Multiline(true), jsontext.WithIndent("  "))
	return append(out, '\n'), err
}

// prune leaves of a value what the fields name.
func prune(is, fields any) any {
	switch want := fields.(type) {
	case map[string]any:
		have, ok := is.(map[string]any)
		if !ok || len(want) == 0 {
			return is
		}
		left := map[string]any{}
		for name, inner := range want {
			if v, ok := have[name]; ok {
				left[name] = prune(v, inner)
			}
		}
		return left
	case []any:
		have, ok := is.([]any)
		if !ok || len(want) == 0 {
			return is
		}
		left := make([]any, len(have))
		for i, v := range have {
			left[i] = prune(v, want[min(i, len(want)-1)])
		}
		return left
	}
	return is
}

func (l *Loop) prompt(name string) ([]byte, error) {
	contexts, err := l.Contexts()
	if err != nil {
		return nil, err
	}
	var c struct {
		Prompt string `json:"prompt"`
	}
	if data, ok := contexts[name]; !ok {
		return []byte("none\n"), nil
	} else if err := json.Unmarshal(data, &c); err != nil {
		return nil, fmt.Errorf("read context: %w", err)
	}
	if c.Prompt == "" {
		return nil, nil
	}
	return []byte(c.Prompt + "\n"), nil
}
