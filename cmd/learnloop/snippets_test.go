package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"learnloop.dev/app"
	"learnloop.dev/events"
	"learnloop.dev/schemas"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// program runs a Go program against the loop of the page; a part of one has to stand
// in a file that is compiled.
func (s *stage) program(f fence) {
	s.t.Helper()
	if !strings.HasPrefix(f.text, "package ") {
		s.excerpt(f, "examples/*/*.go", "*/example_test.go", "events/*/example_test.go", "kv/*_test.go")
		return
	}
	file := filepath.Join(s.t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(s.here(f.text)), 0o600); err != nil {
		s.t.Fatal(err)
	}
	run := exec.CommandContext(s.t.Context(), "go", "run", file)
	run.Dir, run.Env = repository(s.t), s.env // whose modules it imports
	if out, err := run.CombinedOutput(); err != nil {
		s.t.Errorf("line %d: %v\n%s", f.line, err, out)
	}
}

// excerpt looks for a fence in files that others run, whatever the indentation.
func (s *stage) excerpt(f fence, globs ...string) {
	s.t.Helper()
	for _, glob := range globs {
		files, err := filepath.Glob(repository(s.t, glob))
		if err != nil {
			s.t.Fatal(err)
		}
		for _, file := range files {
			if strings.Contains(flat(contents(s.t, file)), flat(f.text)) {
				return
			}
		}
	}
	s.t.Errorf("line %d: these lines stand in none of %v, where they would be run", f.line, globs)
}

// flat is a text without what indents it.
func flat(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// document checks JSON: an event by the schema of its kind, its data alone where the
// mark names the kind ("data of feedback.fix").
func (s *stage) document(f fence) {
	s.t.Helper()
	if f.about == "of a client" {
		s.client(f)
		return
	}
	kind, bare := strings.CutPrefix(f.about, "data of ")
	data := []byte(f.text)
	if !bare {
		var event struct {
			SpecVersion string         `json:"specversion"`
			Type        string         `json:"type"`
			Source      string         `json:"source"`
			ID          string         `json:"id"`
			Data        jsontext.Value `json:"data"`
		}
		if err := json.Unmarshal(data, &event); err != nil || event.SpecVersion != "1.0" || event.Source == "" || event.ID == "" {
			s.t.Errorf("line %d: no CloudEvent (%v)", f.line, err)
			return
		}
		known, _ := events.KindOf(event.Type)
		kind, data = string(known), event.Data
	}
	if broken, readable := schemas.Check(kind, data); !readable || len(broken) > 0 {
		s.t.Errorf("line %d: no data of %s: %v", f.line, kind, broken)
	}
}

// client reads how a client of the Model Context Protocol is told where the loop is.
func (s *stage) client(f fence) {
	s.t.Helper()
	var c struct {
		Servers map[string]struct {
			Command string   `json:"command"`
			Args    []string `json:"args"`
			Type    string   `json:"type"`
			URL     string   `json:"url"`
		} `json:"mcpServers"` //nolint:tagliatelle // as clients have it
	}
	if err := json.Unmarshal([]byte(f.text), &c); err != nil || len(c.Servers) == 0 {
		s.t.Errorf("line %d: no configuration (%v)", f.line, err)
	}
	for _, server := range c.Servers {
		if server.URL == "http://"+app.Default().HTTP+"/mcp" && server.Type == "http" {
			continue
		}
		cmd, flags, err := (&shell{}).root().Find(server.Args)
		if err == nil {
			err = cmd.ParseFlags(flags)
		}
		if err != nil || server.Command != "learnloop" || cmd.Name() != "mcp" {
			s.t.Errorf("line %d: no server of ours (%v)", f.line, err)
		}
	}
}

// settings reads YAML as serve does.
func (s *stage) settings(f fence) {
	s.t.Helper()
	file := filepath.Join(s.t.TempDir(), "loop.yaml")
	if err := os.WriteFile(file, []byte(f.text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	if _, err := app.Load(file, nil, nil); err != nil {
		s.t.Errorf("line %d: %v", f.line, err)
	}
}

// silent refuses a command where nobody would run it.
func (s *stage) silent(f fence) {
	s.t.Helper()
	for line := range strings.Lines(f.text) {
		word, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "$ "), " ")
		switch word {
		case "learnloop", "curl", "go", "node", "npm", "nats":
			s.t.Errorf("line %d: a command that nobody runs: mark the block as sh or console", f.line)
		}
	}
}

// hidden is a command in a block that nobody marked.
var hidden = regexp.MustCompile(`^    (learnloop|curl|go|node|npm) `)

func TestNoCommandHidesInAnIndentedBlock(t *testing.T) {
	for _, file := range manual(t) {
		for line := range strings.Lines(contents(t, file)) {
			if hidden.MatchString(line) {
				t.Errorf("%s: %s", file, line)
			}
		}
	}
}

func TestTheReferenceShowsEventsThatAreTaken(t *testing.T) {
	s := &stage{t: t}
	for _, f := range fences(contents(t, repository(t, "docs", "reference", "events.md"))) {
		s.document(f)
	}
}

// requisites are the files that pages speak of and do not make.
func requisites() map[string]string {
	return map[string]string{
		"system.txt":   "You help.\n",
		"results.json": `[{"id":"a","score":0.9},{"id":"b","score":0.1}]`,
		"answer.md":    "A map grows by doubling.\n",
		"samples.jsonl": `{"specversion":"1.0","type":"dev.learnloop.sample.captured.v1","source":"/agents/planner","id":"1","data":{"sample_id":"s-1",` +
			`"sample_family":"intent_resolution","created_at":"2026-03-02T09:15:00Z","input":{"intent":"Book a flight"},"output":{"steps":["search"]},` +
			`"feedback":{"source":"user","type":"approval","details":{},"quality_label":"good"}}}` + "\n",
		"evaluations.jsonl": `{"name":"gen_ai.evaluation.result","timestamp":"2026-01-02T03:04:05Z",` +
			`"attributes":{"gen_ai.evaluation.score.label":"pass","gen_ai.response.id":"chatcmpl-1"}}`,
	}
}
