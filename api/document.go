package api

import (
	"fmt"
	"io/fs"
	"net/http"
	"reflect"
	"strings"

	"learnloop.dev/events"
	"learnloop.dev/learn/portable"
	"learnloop.dev/schemas"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// adminScheme is how the document calls the admin token.
const adminScheme = "admin"

// document begins the OpenAPI description; operations add themselves.
func document(version string) *huma.OpenAPI {
	registry := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	registry.RegisterTypeAlias(reflect.TypeFor[huma.ErrorModel](), reflect.TypeFor[Problem]())
	return &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{
			Title: "learnloop", Version: version,
			Description: "Facts come in, learning contexts go out. The same operations answer over NATS " +
				"under learn.svc. and their name. Argument names of the source documents are accepted in their " +
				"camel case too; answers are snake_case. Errors are RFC 9457 problem details.",
			License: &huma.License{Name: "Apache-2.0", Identifier: "Apache-2.0"},
		},
		Components: &huma.Components{
			Schemas: registry,
			SecuritySchemes: map[string]*huma.SecurityScheme{adminScheme: {
				Type: "http", Scheme: "bearer", Description: "A token: that of operators is in admin.token of the data folder; " +
					"others, with roles, come from learnloop token create.",
			}},
		},
	}
}

// describe adds the routes that describe the others: the document, the schemas,
// and the manual.
func (d *httpDoor) describe() error {
	doc, err := d.document.MarshalJSON()
	if err != nil {
		return fmt.Errorf("describe the operations: %w", err)
	}
	list, err := json.Marshal(schemaList())
	if err != nil {
		return fmt.Errorf("list the schemas: %w", err)
	}
	channels, err := fs.ReadFile(schemas.FS, "asyncapi.json")
	if err != nil {
		return fmt.Errorf("describe the channels: %w", err)
	}
	d.mux.Handle("GET /asyncapi.json", constant(mediaJSON, channels))
	d.mux.Handle("GET /openapi.json", constant("application/openapi+json", doc))
	d.mux.HandleFunc("GET /docs", manual)
	d.mux.HandleFunc("GET /docs/{page...}", manual)
	d.mux.Handle("GET /schemas", constant(mediaJSON, list))
	d.mux.HandleFunc("GET /schemas/{name}", schema)
	return nil
}

// constant serves bytes that never change while the process lives.
func constant(media string, data []byte) http.HandlerFunc {
	tag := etag(data)
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", media)
		w.Header().Set("ETag", tag)
		body := packed(w.Header(), r, data)
		w.WriteHeader(http.StatusOK)
		_, _ = w.Write(body)
	}
}

// listed is one schema of the vocabulary.
type listed struct {
	Kind  string `json:"kind"`
	Type  string `json:"type"` // of a CloudEvent
	Title string `json:"title"`
	Path  string `json:"path"`
}

func schemaList() any {
	var out struct {
		Schemas []listed `json:"schemas"`
	}
	for spec := range events.All() {
		k := spec.Name()
		l := listed{Kind: string(k), Type: k.Type(), Path: "/schemas/" + string(k)}
		data, _ := schemas.Kind(string(k))
		var head struct {
			Title string `json:"title"`
		}
		_ = json.Unmarshal(data, &head) // a schema without a title has none to show
		l.Title = head.Title
		out.Schemas = append(out.Schemas, l)
	}
	return out
}

// schema serves a kind's schema under each of its names: the kind, with its
// version, as a file, and as a CloudEvents type.
func schema(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(strings.TrimSuffix(r.PathValue("name"), ".json"), events.TypePrefix)
	name = strings.TrimSuffix(name, events.TypeSuffix)
	data, ok := schemas.Kind(name)
	if name == "export" { // no kind of events: what export writes
		data, ok = portable.Schema, true
	}
	if !ok {
		problem(NotFound, "no such schema").hint("GET /schemas lists them").reply(w)
		return
	}
	constant("application/schema+json", data)(w, r)
}

// anyValue describes JSON of any type.
func anyValue() *huma.Schema { return &huma.Schema{} }

// anyObject describes an answer whose fields its own schema names.
func anyObject(description string) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, Description: description, AdditionalProperties: true}
}

// Document is JSON that leaves as it is.
type Document jsontext.Value

// MarshalJSONTo writes the document.
func (d *Document) MarshalJSONTo(e *jsontext.Encoder) error { return e.WriteValue(jsontext.Value(*d)) }

// UnmarshalJSONFrom reads any JSON.
func (d *Document) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	v, err := dec.ReadValue()
	*d = Document(v.Clone())
	return err
}

// Schema describes the document: it may be of any type.
func (*Document) Schema(huma.Registry) *huma.Schema { return anyValue() }
