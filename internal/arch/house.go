package arch

import (
	"slices"
	"strings"
)

// House is the table of what a tree may do.
type House struct {
	Floors     map[string]int      // folder, or a glob of folders, to floor
	Support    []string            // packages that only tests import; exempt like tests
	Owners     map[string][]string // vendor module to the packages that may import it; none: tests only
	Pure       []string            // packages that touch nothing
	Starters   map[string]string   // packages that may start goroutines, and why
	Empty      []string            // package names that say nothing
	Speakers   map[string]Speaker  // packages whose functions tell somebody what they are given
	Payload    []string            // names of fields that hold what people wrote or who they are
	Limits     Limits
	Exceptions []Exception
}

// Speaker says which functions of a package tell what they are given.
type Speaker struct {
	Only  []string // these; none: all
	Never []string // these must not be used: nobody can see what they tell
}

// Limits are the budgets of size.
type Limits struct {
	Func    int // lines of a function, tests included
	File    int // lines of a file, tests excluded
	Main    int // lines of a file with a command's main
	Methods int // methods of an interface
	Params  int // parameters of a function
}

// Learnloop returns the laws of this repository.
func Learnloop() House {
	return House{
		Floors:   learnloopFloors(),
		Support:  []string{"learn/learntest", "internal/standin"},
		Owners:   learnloopOwners(),
		Pure:     []string{"chart", "events", "inorder", "learn", "learn/*", "persona", "privacy", "search", "stats"},
		Starters: learnloopStarters(),
		Empty: []string{
			"util", "utils", "common", "types", "models", "pkg", "helper", "helpers",
			"misc", "shared", "base", "lib",
		},
		Speakers:   learnloopSpeakers(),
		Payload:    learnloopPayload(),
		Limits:     Limits{Func: 60, File: 400, Main: 60, Methods: 3, Params: 4},
		Exceptions: learnloopExceptions(),
	}
}

// learnloopFloors is the table of floors; an exact name beats a glob.
func learnloopFloors() map[string]int {
	return map[string]int{
		"inorder": -1, // below everything, beside the standard library
		"access":  0, "chart": 0, "privacy": 0, "search": 0, "stats": 0, "schemas": 0, "docs": 0,
		"events": 1,
		"learn":  2, "learn/features": 2, "learn/portable": 2, "events/capture": 2, "events/cloudevents": 2, "kv": 2,
		"learn/*": 3, "pipeline": 3, "bus": 3, "store": 3, "providers": 3,
		"learn/all":  4,
		"persona":    4,
		"pipeline/*": 5,
		"agent":      5,
		"api":        6,
		"web":        7,
		"web/markup": 0,
		"app":        8,
		"cmd/*":      9, "internal/arch": 9, "internal/standin": 9, "deploy/*": 9, "examples/*": 9,
	}
}

// learnloopStarters says who may start goroutines. Each waits for all it started.
func learnloopStarters() map[string]string {
	return map[string]string{
		"api":            "calls over NATS are answered side by side, up to a bound",
		"app":            "runs the stages and the HTTP server side by side",
		"cmd/*":          "benchmarks and demos drive a loop that runs beside them",
		"pipeline/*":     "a stage reads, works and writes at the same time",
		"agent":          "names are looked up beside the agent until Close",
		"events/capture": "the publisher never blocks its caller, and sends in the background until Close",
		"store":          "one part of a commit is written while the next is gathered",
		"kv":             "the reader follows its bucket until Close; the writer has many requests under way",
	}
}

// learnloopSpeakers are what writes logs and errors.
func learnloopSpeakers() map[string]Speaker {
	return map[string]Speaker{
		"fmt":             {Only: []string{"Errorf"}},
		"errors":          {Only: []string{"New"}},
		"go.uber.org/zap": {Never: []string{"Any", "Reflect", "Object", "Inline", "Binary", "ByteString", "Dict"}},
	}
}

// learnloopPayload are the fields of events that hold text, people or everything.
// Fields with names that others have too are left to the tests that plant secrets.
func learnloopPayload() []string {
	return []string{
		"Data", "Payload", "RawBody", "Value",
		"OriginalText", "SuggestedText", "FinalText", "UserModification", "UserComment", "FeedbackText", "UserText", "AgentText",
		"OriginalPattern", "SuggestedPattern", "Comment", "Instruction", "Observation", "Implication", "TaskTitle", "OutcomeName",
		"FailureReasons", "Corrections", "PreferenceValue", "ControlConfig", "TreatmentConfig", "Keywords",
		"UserID", "AnonymizedUserID", "SessionID", "UnitID",
	}
}

// learnloopOwners says who may import which vendor. Each stands in an ADR too.
func learnloopOwners() map[string][]string {
	operator := []string{"app", "cmd/*"}
	everyone := []string{"*", "*/*"}
	var tests []string
	return map[string][]string{
		"github.com/nats-io/nats-server/v2": {"bus"},
		"github.com/nats-io/nats.go":        {"bus", "kv", "events/capture", "api", "app", "examples/*"},
		"github.com/nats-io/jwt/v2":         {"bus"},
		"github.com/nats-io/nkeys":          {"bus"},
		"github.com/dgraph-io/badger/v4":    {"store"},
		"github.com/klauspost/compress":     {"store"},

		"github.com/cloudevents/sdk-go/v2":         {"events/cloudevents"},
		"github.com/santhosh-tekuri/jsonschema/v6": {"schemas"},
		"github.com/go-json-experiment/json":       everyone,
		"github.com/danielgtaylor/huma/v2":         {"api"},
		"github.com/modelcontextprotocol/go-sdk":   {"api"},
		"github.com/anthropics/anthropic-sdk-go":   {"providers"},
		"github.com/openai/openai-go":              {"providers"},
		"gonum.org/v1/gonum":                       {"stats"},
		"github.com/bmatcuk/doublestar/v4":         {"privacy", "search"},
		"golang.org/x/text":                        {"privacy", "search"},
		"github.com/blevesearch/snowballstem":      {"search"},
		"go.uber.org/zap":                          {"app"},
		"github.com/prometheus/client_golang":      {"app"},
		"golang.org/x/sync":                        {"app", "pipeline/*", "api"},
		"github.com/spf13/cobra":                   operator,
		"github.com/knadh/koanf":                   operator,
		"github.com/schollz/progressbar/v3":        operator,
		"go.yaml.in/yaml/v4":                       {"app"},
		"golang.org/x/term":                        operator,
		"github.com/rogpeppe/go-internal":          tests,
		"pgregory.net/rapid":                       tests,
		"go.uber.org/goleak":                       tests,
		"github.com/google/go-cmp":                 tests,
		"github.com/chromedp/chromedp":             tests,
		"github.com/chromedp/cdproto":              tests,
	}
}

// learnloopExceptions is short on purpose: each needs a reason, and one that
// excuses nothing any more is a violation.
func learnloopExceptions() []Exception {
	return []Exception{
		{Law: "budgets", Where: "events/payload.go", Reason: "Payload is the vocabulary's contract: one method per question the loop asks"},
		{Law: "speech", Where: "app/app.go#Data", Reason: "the data folder, of the configuration"},
		{Law: "budgets", Where: "events/kind.go", Reason: "Spec is Type without its payload type: it mirrors the methods of Type"},
	}
}

// exempt reports whether a file may look anywhere: tests, and what only tests import.
func (h House) exempt(f *File) bool { return f.Test || slices.Contains(h.Support, f.Package) }

// starter returns the pattern that lets a package start goroutines.
func (h House) starter(pkg string) (pattern string, ok bool) {
	for pattern := range h.Starters {
		if anyMatch([]string{pattern}, pkg) {
			return pattern, true
		}
	}
	return "", false
}

// floor returns the floor of a package; an exact name beats a glob.
func (h House) floor(pkg string) (int, bool) {
	if n, ok := h.Floors[pkg]; ok {
		return n, true
	}
	for glob, n := range h.Floors {
		if anyMatch([]string{glob}, pkg) {
			return n, true
		}
	}
	return 0, false
}

// owner returns the vendor module of an import path and who may import it.
func (h House) owner(target string) (module string, allowed []string, ok bool) {
	for m, packages := range h.Owners {
		if (target == m || strings.HasPrefix(target, m+"/")) && len(m) > len(module) {
			module, allowed, ok = m, packages, true
		}
	}
	return module, allowed, ok
}
