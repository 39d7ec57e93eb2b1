package api

import (
	"fmt"
	"regexp"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json/jsontext"
)

// metadata describes an operation to clients that call it with one JSON object.
func metadata(known huma.Registry, e entry) map[string]string {
	return map[string]string{
		metaSummary: e.summary, metaDescription: e.description, metaAccess: e.access.String(), metaMethod: e.method,
		metaRequest: describe(known, arguments(known, e.in)), metaResponse: describe(known, known.Schema(e.out, false, "")),
	}
}

// What the metadata of an operation says.
const (
	metaSummary     = "summary"
	metaDescription = "description"
	metaAccess      = "access"
	metaMethod      = "method" // of HTTP: what it does to the loop
	metaRequest     = "request_schema"
	metaResponse    = "response_schema"
)

var reference = regexp.MustCompile(`"#/\$defs/(\w+)"`)

// describe returns a schema as text, with the definitions it refers to.
func describe(known huma.Registry, s *huma.Schema) string {
	text := mustWrite(s)
	wanted := map[string]jsontext.Value{}
	for open := []jsontext.Value{text}; len(open) > 0; open = open[1:] {
		for _, m := range reference.FindAllSubmatch(open[0], -1) {
			if name := string(m[1]); wanted[name] == nil {
				wanted[name] = mustWrite(known.Map()[name])
				open = append(open, wanted[name])
			}
		}
	}
	if len(wanted) > 0 {
		text = fmt.Appendf(text[:len(text)-1], `,"$defs":%s}`, mustWrite(wanted))
	}
	return string(text)
}
