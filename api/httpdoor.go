package api

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxBody is the largest request body, in bytes.
const maxBody = 8 << 20

// httpDoor makes routes of operations.
type httpDoor struct {
	mux   *http.ServeMux
	huma  huma.API
	admin func(token string) bool
}

func newHTTPDoor(version string, admin func(string) bool) *httpDoor {
	d := &httpDoor{mux: http.NewServeMux(), admin: admin}
	d.huma = humago.New(d.mux, huma.Config{
		OpenAPI:                      document(version),
		Formats:                      map[string]huma.Format{mediaJSON: strictJSON(), "json": strictJSON()},
		DefaultFormat:                mediaJSON,
		RejectUnknownQueryParameters: true,
		Transformers:                 []huma.Transformer{d.ours},
	})
	return d
}

const (
	mediaJSON    = "application/json"
	mediaLines   = "application/jsonl"
	mediaProblem = "application/problem+json"
)

// strictJSON reads and writes JSON as the rest of the loop does.
func strictJSON() huma.Format {
	return huma.Format{
		Marshal:   func(w io.Writer, v any) error { return json.MarshalWrite(w, v) },
		Unmarshal: func(data []byte, v any) error { return json.Unmarshal(data, v) },
	}
}

// ours makes a problem of what the library found wrong with a request.
func (d *httpDoor) ours(ctx huma.Context, _ string, v any) (any, error) {
	m, ok := v.(*huma.ErrorModel)
	if !ok {
		return v, nil
	}
	code := Invalid
	switch m.Status {
	case http.StatusBadRequest, http.StatusRequestTimeout:
		code = BadRequest
	case http.StatusRequestEntityTooLarge:
		code = TooLarge
	case http.StatusUnsupportedMediaType:
		return problem(UnsupportedMedia, "").hint("send Content-Type: " + mediaJSON), nil
	case http.StatusInternalServerError:
		code = Internal
	}
	p := unfit(code, m.Detail, m.Errors, d.arguments(ctx.Operation()))
	p.Status = m.Status
	return p, nil
}

// arguments are the names that an operation knows, in the query and in the body.
func (d *httpDoor) arguments(op *huma.Operation) (names []string) {
	for _, p := range op.Parameters {
		names = append(names, p.Name)
	}
	return slices.AppendSeq(names, maps.Keys(d.body(op).Properties))
}

// body is what an operation takes as its body; one without properties when it takes none.
func (d *httpDoor) body(op *huma.Operation) *huma.Schema {
	if op.RequestBody == nil || op.RequestBody.Content[mediaJSON] == nil {
		return &huma.Schema{}
	}
	body := op.RequestBody.Content[mediaJSON].Schema
	if body.Ref != "" {
		body = d.huma.OpenAPI().Components.Schemas.SchemaFromRef(body.Ref)
	}
	return body
}

// written is an answer that writes itself, headers and all.
type written struct{ Body func(huma.Context) }

func writing(ans answer, p *Problem) *written {
	if p != nil {
		return &written{p.write}
	}
	return &written{ans.write}
}

// mount makes the route of one operation.
func (d *httpDoor) mount(e entry, call operate) {
	h := huma.Operation{
		OperationID: strings.ReplaceAll(e.name, ".", "-"), Method: e.method, Path: e.path,
		Summary: e.summary, Description: e.description, Tags: []string{e.tag},
		DefaultStatus: e.statuses[0], MaxBodyBytes: maxBody + 1,
		Responses:   responses(d.huma.OpenAPI().Components.Schemas, e),
		Middlewares: huma.Middlewares{d.admit(e.access), d.renamed(e.aliases)},
	}
	if _, body := e.in.FieldByName("Body"); body {
		h.Middlewares = append(h.Middlewares, d.renamedBody(e.aliases))
	}
	if !e.access.anonymous() {
		h.Security = []map[string][]string{{adminScheme: {}}}
	}
	if b, ok := e.empty().(bodied); ok { // the library knows one content type
		h.RequestBody, h.SkipValidateBody = &huma.RequestBody{}, true
		defer b.describe(h.RequestBody)
	}
	e.route(d.huma, h, call)
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
	if reflect.PointerTo(e.out).Implements(reflect.TypeFor[streaming]()) {
		content[mediaLines] = &huma.MediaType{Schema: anyValue()}
	}
	for _, status := range e.statuses {
		out[strconv.Itoa(status)] = &huma.Response{Description: http.StatusText(status), Content: content}
	}
	return out
}

// admit asks for the token where it is needed; one that is wrong is refused anywhere.
func (d *httpDoor) admit(access Access) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		given := ctx.Header("Authorization")
		if given != "" && !d.admin(given) || given == "" && !access.anonymous() {
			unauthorized().write(ctx)
			return
		}
		next(ctx)
	}
}

func unauthorized() *Problem {
	return problem(Unauthorized, "").with("WWW-Authenticate", "Bearer").
		hint("send Authorization: Bearer <token>; the token is in admin.token of the data folder")
}

// renamed accepts query arguments under their names in the source documents.
func (d *httpDoor) renamed(aliases map[string]string) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		r, _ := humago.Unwrap(ctx)
		query, err := url.ParseQuery(r.URL.RawQuery)
		if err != nil {
			problem(BadRequest, "the query is not percent-encoded").write(ctx)
			return
		}
		if len(query) > 0 {
			query = named(query, aliases)
			if p := loosenedQuery(ctx.Operation(), query); p != nil {
				p.write(ctx)
				return
			}
			r.URL.RawQuery = query.Encode()
		}
		next(ctx)
	}
}

// renamedBody accepts the members of a body under their names in the source
// documents. What cannot be read is left to whoever checks it.
func (d *httpDoor) renamedBody(aliases map[string]string) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		r, _ := humago.Unwrap(ctx)
		data, err := io.ReadAll(io.LimitReader(r.Body, maxBody+2))
		var members map[string]jsontext.Value
		if err == nil && len(data) <= maxBody && json.Unmarshal(data, &members) == nil && len(members) > 0 {
			data = mustWrite(loosenedArguments(d.huma.OpenAPI().Components.Schemas, d.body(ctx.Operation()), named(members, aliases)))
		}
		r.Body = replaced{io.MultiReader(bytes.NewReader(data), r.Body), r.Body}
		next(ctx)
	}
}

// replaced is a body of which something was read already.
type replaced struct {
	io.Reader
	io.Closer
}

// write sends an answer.
func (ans answer) write(ctx huma.Context) {
	for name, value := range ans.headers {
		ctx.SetHeader(name, value)
	}
	if ans.whole != nil {
		ans.pour(ctx)
		return
	}
	ctx.SetHeader("Content-Type", mediaJSON)
	ctx.SetStatus(ans.status)
	_, _ = ctx.BodyWriter().Write(ans.data) // the caller may have gone
}

// pour sends an answer as it is made. The caller hears that it is not whole when the
// connection breaks off.
func (ans answer) pour(ctx huma.Context) {
	ctx.SetHeader("Content-Type", ans.whole.media())
	ctx.SetStatus(ans.status)
	r, w := humago.Unwrap(ctx)
	if err := ans.whole.stream(r.Context(), slowly{w, http.NewResponseController(w)}); err != nil {
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

// write sends a problem.
func (p *Problem) write(ctx huma.Context) {
	for name, values := range p.header {
		ctx.SetHeader(name, values[0])
	}
	ctx.SetHeader("Content-Type", mediaProblem)
	ctx.SetStatus(p.Status)
	_, _ = ctx.BodyWriter().Write(p.encode())
}
