package main

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"learnloop.dev/app"

	"github.com/go-json-experiment/json"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"
)

// operationsOf are the operations of which each command is made, for clients that have no
// commands.
var operationsOf = map[string][]string{
	"audit": {"audit.list"}, "calibrate": {"calibrate"}, "clear": {"clear"},
	"context get": {"contexts.get", "contexts.summary"}, "context list": {"contexts.list"}, "context watch": {"changes", "contexts.get"},
	"dashboard": {"dashboard.link"}, "dlq list": {"dlq.list"}, "dlq redrive": {"dlq.redrive"}, "dlq show": {"dlq.get"},
	"experiment archive": {"experiments.archive"}, "experiment assign": {"experiments.assign"}, "experiment create": {"experiments.create"},
	"experiment list": {"experiments.list"}, "experiment report": {"experiments.report"}, "experiment show": {"experiments.get"},
	"experiment start": {"experiments.start"}, "experiment stop": {"experiments.stop"}, "experiment widen": {"experiments.widen"},
	"explain": {"explain"}, "export": {"export"},
	"feedback add": {"feedback.add"}, "feedback daily": {"feedback.daily"}, "feedback show": {"feedback.exchange"}, "feedback stats": {"feedback.stats"},
	"forget": {"forget", "forget.get"}, "import": {"import"}, "import-scores": {"events.publish"}, "inject": {"inject"},
	"learned delete": {"patterns.delete"}, "learned list": {"patterns.list", "patterns.get", "patterns.delete"}, "learned show": {"patterns.get"},
	"learnings archive": {"learnings.archive"}, "learnings create": {"learnings.create"}, "learnings edit": {"learnings.revise"},
	"learnings lift": {"learnings.lift"}, "learnings list": {"learnings.list", "learnings.queue"}, "learnings review": {"learnings.review", "learnings.queue"},
	"learnings show":     {"learnings.get"},
	"preferences delete": {"preferences.delete"}, "preferences set": {"preferences.correct"}, "preferences show": {"preferences.get"},
	"privacy get": {"privacy.get", "privacy.history"}, "privacy opt-out": {"privacy.opt-out"}, "privacy rotate-key": {"privacy.rotate-key"},
	"privacy set": {"privacy.set"}, "prompt": {"prompt"}, "publish": {"events.publish"},
	"replay": {"events.publish", "replays.get", "status", "dlq.list", "dlq.get"},
	"rerank": {"rerank"}, "reset": {"reset"}, "route": {"route"}, "samples export": {"samples.export"}, "samples metrics": {"samples.metrics"},
	"search": {"learnings.search"}, "share": {"rules.share"}, "stats": {"statistics.get", "statistics.daily"}, "status": {"status"},
	"templates add": {"templates.add"}, "templates delete": {"templates.delete"}, "templates list": {"templates.list"},
	"templates match": {"templates.match"}, "templates show": {"templates.get"},
	"token create": {"tokens.create"}, "token list": {"tokens.list"}, "token revoke": {"tokens.revoke"},
}

// ofThisMachine are the commands about the machine on which somebody types them.
var ofThisMachine = []string{
	"serve", "demo", "mcp", // run a loop, or a door to one
	"stream apply",    // prepares a server before there is a loop
	"bench", "doctor", // measure and examine this machine and the folder
	"privacy test",                  // looks into texts without a loop
	"completion", "help", "version", // about the program
}

func TestEveryCommandIsMadeOfOperationsOrOfThisMachine(t *testing.T) {
	left := map[string]bool{}
	for _, c := range below(tree()) {
		name := strings.TrimPrefix(c.CommandPath(), "learnloop ")
		if c.Hidden || c.HasSubCommands() && name != "completion" || strings.HasPrefix(name, "completion ") {
			continue
		}
		left[name] = true
		if _, made := operationsOf[name]; made == slices.Contains(ofThisMachine, name) {
			t.Errorf("nobody says, or both say, what %s does", name)
		}
	}
	for name := range operationsOf {
		if !left[name] {
			t.Errorf("there is no command %s", name)
		}
	}
}

// A client of another protocol can do everything the commands can when what they call is
// everywhere.
func TestHTTPAndMCPHaveEveryOperationThatACommandHas(t *testing.T) {
	at, folder := openLoop(t)
	services, routes, tools := servicesOf(t, at, folder), routesOf(t, at), toolsOf(t, at, folder)
	for _, operation := range services {
		if !slices.Contains(routes, strings.ReplaceAll(operation, ".", "-")) {
			t.Errorf("HTTP has no %s", operation)
		}
		tool := strings.NewReplacer(".", "_", "-", "_").Replace(operation)
		if name, renamed := map[string]string{
			"contexts_get": "get_context", "inject": "inject_learnings", "learnings_search": "search_learnings",
		}[tool]; renamed {
			tool = name
		}
		if !slices.Contains(tools, tool) {
			t.Errorf("MCP has no %s", operation)
		}
	}
	if len(routes) != len(services) || len(tools) != len(services)+3 { // the reports of agents are tools of their own
		t.Errorf("%d operations over NATS, %d over HTTP, %d tools", len(services), len(routes), len(tools))
	}
	var listed []string
	for command, operations := range operationsOf {
		for _, operation := range operations {
			if listed = append(listed, operation); !slices.Contains(services, operation) {
				t.Errorf("%s is made of %s, which there is not", command, operation)
			}
		}
	}
	for _, called := range textsOf(t) {
		if called == "ready" { // which serve says
			continue
		}
		if slices.Contains(services, called) && !slices.Contains(listed, called) {
			t.Errorf("no command is said to call %s", called)
		}
	}
}

// openLoop starts a loop, and returns where it is and its folder.
func openLoop(t *testing.T) (at app.Addresses, folder string) {
	t.Helper()
	folder = filepath.Join(t.TempDir(), "data")
	config, err := app.Load("", nil, []string{"data=" + folder, "http=127.0.0.1:0", "nats=127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := start(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.stop(); err != nil {
			t.Error(err)
		}
	})
	return r.Addresses(), folder
}

// servicesOf are the operations that a client of NATS discovers.
func servicesOf(t *testing.T, at app.Addresses, folder string) (names []string) {
	t.Helper()
	nc, err := nats.Connect(at.NATS, nats.UserCredentials(filepath.Join(folder, "admin.creds")))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	m, err := nc.RequestWithContext(t.Context(), "$SRV.INFO.learnloop", nil)
	if err != nil {
		t.Fatal(err)
	}
	var info micro.Info
	if err := json.Unmarshal(m.Data, &info); err != nil {
		t.Fatal(err)
	}
	for _, e := range info.Endpoints {
		names = append(names, strings.TrimPrefix(e.Subject, "learn.svc."))
	}
	return names
}

// routesOf are the operations that a client of HTTP finds in the document.
func routesOf(t *testing.T, at app.Addresses) (ids []string) {
	t.Helper()
	resp, err := http.Get(at.HTTP + "/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var document struct {
		Paths map[string]map[string]struct {
			ID string `json:"operationId"` //nolint:tagliatelle // as OpenAPI has it
		} `json:"paths"`
	}
	if err := json.UnmarshalRead(resp.Body, &document); err != nil {
		t.Fatal(err)
	}
	for _, methods := range document.Paths {
		for _, o := range methods {
			if o.ID != "" {
				ids = append(ids, o.ID)
			}
		}
	}
	return ids
}

// bearing sends a token with every request.
type bearing string

func (b bearing) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// toolsOf are the tools that a client of the Model Context Protocol is shown.
func toolsOf(t *testing.T, at app.Addresses, folder string) (names []string) {
	t.Helper()
	secret, err := os.ReadFile(filepath.Join(folder, "admin.token"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: at.HTTP + "/mcp", HTTPClient: &http.Client{Transport: bearing(strings.TrimSpace(string(secret)))}, MaxRetries: -1,
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for tool, err := range s.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, tool.Name)
	}
	return names
}

// textsOf are the texts in the sources of the commands; names of operations are among them.
func textsOf(t *testing.T) (texts []string) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(gotoken.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == gotoken.STRING {
				if text, err := strconv.Unquote(lit.Value); err == nil {
					texts = append(texts, text)
				}
			}
			return true
		})
	}
	return texts
}
