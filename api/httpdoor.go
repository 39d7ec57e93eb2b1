package api

import (
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// httpDoor makes routes of operations.
type httpDoor struct {
	mux      *http.ServeMux
	document *huma.OpenAPI
	schemas  huma.Registry // of arguments as they are read, wherever they stood
}

func newHTTPDoor(version string) *httpDoor {
	return &httpDoor{mux: http.NewServeMux(), document: document(version), schemas: argumentSchemas()}
}

const (
	mediaJSON    = "application/json"
	mediaLines   = "application/jsonl"
	mediaProblem = "application/problem+json"
)

// mount makes the route of one operation, and describes it.
func (d *httpDoor) mount(e entry, r *Registry) {
	known := d.document.Components.Schemas
	o := &huma.Operation{
		OperationID: strings.ReplaceAll(e.name, ".", "-"), Method: e.method, Path: e.path,
		Summary: e.summary, Description: e.description, Tags: []string{e.tag},
		Parameters: parametersOf(known, e.in), Responses: responses(known, e),
	}
	if !e.access.anonymous() {
		o.Security = []map[string][]string{{adminScheme: {}}}
	}
	q := asking{parameters: o.Parameters}
	if f, ok := e.in.FieldByName("Body"); ok {
		q.body = known.Schema(f.Type, false, "")
		o.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{mediaJSON: {Schema: known.Schema(f.Type, true, "")}}}
	}
	args := arguments(d.schemas, e.in)
	if b, ok := e.empty().(bodied); ok {
		o.RequestBody = &huma.RequestBody{Required: true}
		b.describe(o.RequestBody)
		q.raw, args = true, together(o.Parameters)
	}
	q.reading = readingOf(d.schemas, args, e.aliases)
	d.document.AddOperation(o)
	d.mux.HandleFunc(e.method+" "+e.path, d.route(e, q, r))
}

// guest is an In that goes by more of a request than its arguments.
type guest interface {
	come(header map[string][]string)
}

// route answers the requests for one operation.
func (d *httpDoor) route(e entry, q asking, all *Registry) http.HandlerFunc {
	call := all.operate(e)
	return func(w http.ResponseWriter, r *http.Request) {
		if p := all.admit(r.Context(), e); p != nil { // before anything of the request is read
			p.reply(w)
			return
		}
		in := e.empty()
		if p := q.ask(w, r, in); p != nil {
			p.reply(w)
			return
		}
		if g, ok := in.(guest); ok {
			g.come(r.Header)
		}
		ans, p := call(r.Context(), in)
		if p != nil {
			p.reply(w)
			return
		}
		ans.reply(w, r)
	}
}

// together is the schema of the arguments that stand outside the body.
func together(parameters []*huma.Param) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeObject, AdditionalProperties: false, Properties: map[string]*huma.Schema{}}
	for _, p := range parameters {
		s.Properties[argument(p)] = p.Schema
	}
	s.PrecomputeMessages()
	return s
}

// bodied describes a request body that is taken as it is.
type bodied interface{ describe(b *huma.RequestBody) }

// responses documents what leaves: answers, or a problem.
func responses(r huma.Registry, e entry) map[string]*huma.Response {
	schema := r.Schema(e.out, true, "")
	out := map[string]*huma.Response{"default": {
		Description: "A problem",
		Content: map[string]*huma.MediaType{
			mediaProblem: {Schema: r.Schema(reflect.TypeFor[Problem](), true, "")},
		},
	}}
	content := map[string]*huma.MediaType{mediaJSON: {Schema: schema}}
	switch {
	case e.out == reflect.TypeFor[Changes]():
		content[mediaEvents] = &huma.MediaType{Schema: r.Schema(reflect.TypeFor[ChangedKeys](), true, "")}
	case reflect.PointerTo(e.out).Implements(reflect.TypeFor[streaming]()):
		content[mediaLines] = &huma.MediaType{Schema: anyValue()}
	}
	for _, status := range e.statuses {
		out[strconv.Itoa(status)] = &huma.Response{Description: http.StatusText(status), Content: content}
	}
	return out
}

// reply sends an answer.
func (ans answer) reply(w http.ResponseWriter, r *http.Request) {
	for name, value := range ans.headers {
		w.Header().Set(name, value)
	}
	if ans.whole != nil {
		ans.pour(w, r)
		return
	}
	w.Header().Set("Content-Type", mediaJSON)
	data := packed(w.Header(), r, ans.data)
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	w.WriteHeader(ans.status)
	_, _ = w.Write(data) // the caller may have gone
}

// pour sends an answer as it is made. The caller hears that it is not whole when the
// connection breaks off.
func (ans answer) pour(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", ans.whole.media())
	w.WriteHeader(ans.status)
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{}) // the server's own would end it
	if err := ans.whole.stream(r.Context(), slowly{w, control}); err != nil {
		if r.Context().Err() == nil { // else the caller has gone
			ans.broken(err)
		}
		panic(http.ErrAbortHandler)
	}
}

// slowly gives every write its own time, however long all of them take.
type slowly struct {
	http.ResponseWriter
	control *http.ResponseController
}

// writeTime is how long a caller may take for one write.
const writeTime = time.Minute

// Write sends a part.
func (s slowly) Write(data []byte) (int, error) {
	if err := s.control.SetWriteDeadline(time.Now().Add(writeTime)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return 0, fmt.Errorf("go on writing: %w", err)
	}
	n, err := s.ResponseWriter.Write(data)
	if err == nil {
		err = s.control.Flush()
	}
	return n, err
}
