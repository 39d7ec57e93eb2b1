package app_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/kv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/sync/errgroup"
)

// spec is as much of an OpenAPI document as an attacker needs.
type spec struct {
	Paths      map[string]map[string]operationSpec `json:"paths"`
	Components struct {
		Schemas map[string]schemaSpec `json:"schemas"`
	} `json:"components"`
}

type operationSpec struct {
	Parameters []struct {
		Name, In string
		Required bool
		Schema   schemaSpec
	} `json:"parameters"`
	Body struct {
		Content map[string]struct {
			Schema schemaSpec `json:"schema"`
		} `json:"content"`
	} `json:"requestBody"` //nolint:tagliatelle // OpenAPI writes it so
}

type schemaSpec struct {
	Ref        string                `json:"$ref"`
	Type       jsontext.Value        `json:"type"`
	Properties map[string]schemaSpec `json:"properties"`
	Required   []string              `json:"required"`
	Enum       []jsontext.Value      `json:"enum"`
	Items      *schemaSpec           `json:"items"`
}

// What no request may hold, in bytes.
const (
	tooMuch = 8 << 20
	tooLong = 256 << 10
)

// attack is one request and its name.
type attack struct {
	name, line, body string
	headers          []string
}

// hostile are values that fit no argument, or every one badly.
var hostile = map[string]string{
	"null": `null`, "a number": `-1e400`, "a negative": `-7`, "a bool": `true`, "an array": `[[]]`, "an object": `{"a":{"b":1}}`,
	"empty": `""`, "huge": `"` + strings.Repeat("x", 300<<10) + `"`, "deep": strings.Repeat("[", 9000) + strings.Repeat("]", 9000),
	"too deep": strings.Repeat(`{"a":`, 20000) + "1" + strings.Repeat("}", 20000), "broken UTF-8": "\"\xff\"",
	"half a pair": `"\ud800"`, "control characters": `"\u0000\u001b\r\n\u202e"`, "traversal": `"../../../../etc/passwd"`,
	"markup": `"<script>alert(1)</script>"`, "a subject": `"a.*.>.$JS.API"`, "a large number": `123456789012345678901234567890`,
}

// valid is a value that a schema lets through, as far as the schema tells.
func (d spec) valid(s schemaSpec, name string) any {
	if s.Ref != "" {
		s = d.Components.Schemas[s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]]
	}
	if len(s.Enum) > 0 {
		return s.Enum[0]
	}
	switch kind := string(s.Type); {
	case strings.Contains(kind, "object"):
		out := map[string]any{}
		for _, n := range s.Required {
			out[n] = d.valid(s.Properties[n], n)
		}
		return out
	case strings.Contains(kind, "array"):
		return []any{}
	case strings.Contains(kind, "integer"), strings.Contains(kind, "number"):
		return 1
	case strings.Contains(kind, "boolean"):
		return true
	}
	return "an " + name
}

// attacks are the requests against one operation.
func (d spec) attacks(method, path string, o operationSpec) (all []attack) {
	at, query := path, url.Values{}
	for _, p := range o.Parameters {
		switch text := strings.Trim(fmt.Sprint(d.valid(p.Schema, p.Name)), `"`); {
		case p.In == "path":
			at = strings.ReplaceAll(at, "{"+p.Name+"}", url.PathEscape(text))
		case p.In == "query" && p.Required:
			query.Set(p.Name, text)
		}
	}
	line := method + " " + at + "?"
	for _, p := range o.Parameters {
		for name, value := range hostile {
			text := strings.Trim(value, `"`)
			if len(text) > 60<<10 {
				text = text[:60<<10]
			}
			mine := maps.Clone(query)
			mine.Set(p.Name, text)
			a := attack{name: p.Name + " is " + name, line: line + mine.Encode()}
			switch p.In {
			case "path":
				a.line = method + " " + strings.ReplaceAll(path, "{"+p.Name+"}", everyByte(text)) + "?" + query.Encode()
			case "header":
				a.line, a.headers = line+query.Encode(), []string{p.Name + ": " + strings.Map(printable, text)}
			}
			all = append(all, a)
		}
	}
	twice := attack{name: "an unknown argument", line: line + query.Encode() + "&nonsense=1&%ff=%00"}
	long := attack{name: "a long query", line: line + "nonsense=" + strings.Repeat("x", tooLong)}
	all = append(all, twice, long)
	line = strings.TrimSuffix(line+query.Encode(), "?")
	for media, content := range o.Body.Content {
		all = append(all, d.bodies(line, media, content.Schema)...)
	}
	return all
}

// everyByte encodes all of an id, so that nothing of it means anything to a path.
func everyByte(id string) string {
	var b strings.Builder
	for i := range len(id) {
		fmt.Fprintf(&b, "%%%02X", id[i])
	}
	return b.String()
}

func printable(c rune) rune {
	if c < ' ' || c > '~' {
		return 'x'
	}
	return c
}

// bodies are the attacks through the body.
func (d spec) bodies(line, media string, s schemaSpec) (all []attack) {
	add := func(name, body string, headers ...string) {
		if len(headers) == 0 {
			headers = []string{"Content-Type: " + media}
		}
		all = append(all, attack{media + ": " + name, line, body, headers})
	}
	whole, _ := json.Marshal(d.valid(s, ""), json.Deterministic(true))
	for name, value := range hostile {
		add("all of it is "+name, value)
	}
	add("nothing", "")
	add("half of it", string(whole[:len(whole)/2]))
	add("something behind it", string(whole)+"{}")
	add("another content type", string(whole), "Content-Type: text/html")
	add("no content type that is one", string(whole), "Content-Type: ;;")
	add("an unknown encoding", string(whole), "Content-Type: "+media, "Content-Encoding: br")
	add("no gzip", string(whole), "Content-Type: "+media, "Content-Encoding: gzip")
	add("a bomb", bomb, "Content-Type: "+media, "Content-Encoding: gzip")
	add("oversize", `{"a":"`+strings.Repeat("x", tooMuch)+`"}`)
	if s.Ref != "" {
		s = d.Components.Schemas[s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]]
	}
	for name := range s.Properties {
		add(name+" twice", fmt.Sprintf(`{%q:1,%q:2}`, name, name))
		for kind, value := range hostile {
			members := map[string]jsontext.Value{}
			_ = json.Unmarshal(whole, &members)
			var b strings.Builder
			for _, n := range slices.Sorted(maps.Keys(members)) {
				if n != name {
					fmt.Fprintf(&b, "%q:%s,", n, members[n])
				}
			}
			add(name+" is "+kind, fmt.Sprintf(`{%s%q:%s}`, b.String(), name, value))
		}
	}
	for _, name := range s.Required {
		members := map[string]jsontext.Value{}
		_ = json.Unmarshal(whole, &members)
		delete(members, name)
		less, _ := json.Marshal(members)
		add("without "+name, string(less))
	}
	return all
}

// bomb is small, and more than a body may be when it is unpacked.
var bomb = func() string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.CopyN(z, zeros{}, 2*tooMuch)
	_ = z.Close()
	return b.String()
}()

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// traces are how much every stream holds that a refused request must leave alone.
func (a *agent) traces(t *testing.T) (out [4]uint64) {
	t.Helper()
	for i, name := range []string{bus.InboxStream, bus.EventsStream, "KV_" + kv.Contexts, "KV_" + kv.Learnings} {
		var err error
		if out[i], err = bus.Last(t.Context(), a.living.js, name); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// answering is how long any answer may take here.
const answering = 20 * time.Second

// TestNothingThatTheDocumentDescribesBreaksWhateverIsSent walks the document itself: every
// operation, with every argument gone wrong in every way. None is answered with a failure,
// none without an answer, and what is refused changes nothing.
func TestNothingThatTheDocumentDescribesBreaksWhateverIsSent(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of requests")
	}
	a := meet(t, t.TempDir())
	a.post(t, structured(event("right", fixType, fix("right"))))
	var d spec
	_, doc := a.ask(t, "GET /openapi.json", message{})
	if err := json.Unmarshal(doc, &d); err != nil {
		t.Fatal(err)
	}
	refused := a.attacked(t, d.all())
	if len(refused) < 1000 {
		t.Errorf("%d requests were refused: most are wrong", len(refused))
	}
	a.drained(t)
	a.still(t)
	before, numbers := a.traces(t), a.statistics(t)
	a.attacked(t, refused)
	if after := a.traces(t); after != before {
		t.Errorf("refused requests changed streams: %v became %v", before, after)
	}
	if after := a.statistics(t); !reflect.DeepEqual(after, numbers) {
		t.Errorf("refused requests changed statistics: %v became %v", numbers, after)
	}
}

// still waits until nothing is written any more.
func (a *agent) still(t *testing.T) {
	t.Helper()
	last := a.traces(t)
	for same := 0; same < 10; {
		select {
		case <-t.Context().Done():
			t.Fatal("the loop does not come to rest")
		case <-time.After(100 * time.Millisecond):
		}
		now := a.traces(t)
		if same++; now != last {
			same = 0
		}
		last = now
	}
}

// all are the attacks on every operation.
func (d spec) all() (all []attack) {
	for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
		for method, o := range d.Paths[path] {
			all = append(all, d.attacks(strings.ToUpper(method), path, o)...)
		}
	}
	return all
}

// attacked sends attacks, some at a time, and returns those that were refused for what
// stood in them.
func (a *agent) attacked(t *testing.T, all []attack) (refused []attack) {
	t.Helper()
	token, err := os.ReadFile(filepath.Join(a.data, "admin.token"))
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var g errgroup.Group
	g.SetLimit(8)
	for _, one := range all {
		g.Go(func() error {
			status, err := one.send(t.Context(), a.Addresses().HTTP, strings.TrimSpace(string(token)))
			if err != nil {
				t.Errorf("%.200s, %s: %v", one.line, one.name, err)
			}
			mu.Lock()
			defer mu.Unlock()
			if slices.Contains([]int{400, 413, 414, 415, 422}, status) {
				refused = append(refused, one)
			}
			return nil
		})
	}
	_ = g.Wait() // reports as it goes
	if t.Failed() {
		for line := range strings.Lines(a.log.read()) {
			if strings.Contains(line, "operation failed") {
				t.Log(line)
			}
		}
	}
	return refused
}

// send sends the attack and says what is wrong with the answer.
func (a attack) send(ctx context.Context, at, token string) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, answering)
	defer cancel()
	method, path, _ := strings.Cut(a.line, " ")
	req, err := http.NewRequestWithContext(ctx, method, at+path, strings.NewReader(a.body))
	if err != nil {
		return 0, err
	}
	for _, line := range append([]string{"Authorization: Bearer " + token, "Accept: application/json"}, a.headers...) {
		name, value, _ := strings.Cut(line, ": ")
		req.Header.Set(name, value)
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		if len(a.body) > tooMuch && ctx.Err() == nil { // the server may hang up on one that is too large
			err = nil
		}
		return 0, err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, err
	}
	if media := res.Header.Get("Content-Type"); res.StatusCode >= 500 || res.StatusCode >= 400 && media != "application/problem+json" {
		return res.StatusCode, fmt.Errorf("%d %s %.300s", res.StatusCode, media, data)
	}
	return res.StatusCode, nil
}
