package api

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"maps"
	"mime"
	"net"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// asking is where the arguments of one operation stand in a request over HTTP: in the
// path, in the query, in headers, and in a body that is one JSON object.
type asking struct {
	reading
	parameters []*huma.Param
	body       *huma.Schema // nil: none
	raw        bool         // the body is taken as it is
}

// ask reads the arguments out of a request.
func (q asking) ask(w http.ResponseWriter, r *http.Request, in any) *Problem {
	args, p := q.outside(r)
	if p != nil {
		return p
	}
	switch {
	case q.raw:
		data, p := received(w, r)
		if p != nil {
			return p
		}
		in.(receiver).receive(r.Header, data)
		if len(q.parameters) == 0 {
			return nil
		}
	case q.body != nil:
		members, p := q.inside(w, r)
		if p != nil {
			return p
		}
		maps.Copy(args, members)
	}
	return q.read(args, in)
}

// outside returns the arguments that stand in the path, in the query and in headers.
func (q asking) outside(r *http.Request) (map[string]jsontext.Value, *Problem) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, problem(BadRequest, "the query is not percent-encoded")
	}
	query = named(query, q.aliases)
	args := map[string]jsontext.Value{}
	for _, p := range q.parameters {
		texts := q.texts(r, p, query)
		if slices.ContainsFunc(texts, func(text string) bool { return !utf8.ValidString(text) }) {
			return nil, wrong(BadRequest, "/"+p.Name, "UTF-8 text")
		}
		if len(texts) > 1 && p.Schema.Type != huma.TypeArray {
			return nil, wrong(Invalid, "/"+p.Name, "one value")
		}
		if len(texts) > 0 && texts[0] != "" { // nothing is what is not there
			args[argument(p)] = coined(p.Schema, texts)
		}
	}
	if len(query) > 0 {
		return nil, foreign(slices.Collect(maps.Keys(query)), q.here())
	}
	return args, nil
}

// texts are what a request says to one parameter; of a query it is taken out.
func (q asking) texts(r *http.Request, p *huma.Param, query url.Values) []string {
	switch p.In {
	case inPath:
		return []string{r.PathValue(p.Name)}
	case inQuery:
		texts := query[p.Name]
		delete(query, p.Name)
		return texts
	}
	return r.Header.Values(p.Name)
}

// argument is the name of an argument that stands in a parameter: a header has one
// with dashes.
func argument(p *huma.Param) string { return strings.ReplaceAll(strings.ToLower(p.Name), "-", "_") }

// coined makes JSON of texts, of the type that is wanted as far as they are of it.
func coined(s *huma.Schema, texts []string) jsontext.Value {
	switch text := texts[0]; s.Type {
	case huma.TypeArray:
		items := make([]jsontext.Value, len(texts))
		for i := range texts {
			items[i] = coined(s.Items, texts[i:i+1])
		}
		return mustWrite(items)
	case huma.TypeInteger:
		if _, err := strconv.ParseInt(text, 10, 64); err == nil {
			return whole(text)
		}
		if _, err := strconv.ParseUint(text, 10, 64); err == nil {
			return whole(text)
		}
	case huma.TypeNumber:
		if f, err := strconv.ParseFloat(text, 64); err == nil && f-f == 0 { // neither infinite nor no number
			return mustWrite(f)
		}
	case huma.TypeBoolean:
		if b, err := strconv.ParseBool(text); err == nil {
			return mustWrite(b)
		}
	}
	return mustWrite(texts[0])
}

// whole writes the text of a whole number as JSON does.
func whole(text string) jsontext.Value {
	sign, digits := "", strings.TrimPrefix(text, "+")
	if rest, negative := strings.CutPrefix(digits, "-"); negative {
		sign, digits = "-", rest
	}
	return jsontext.Value(sign + cmp.Or(strings.TrimLeft(digits, "0"), "0"))
}

// inside returns the arguments that stand in the body.
func (q asking) inside(w http.ResponseWriter, r *http.Request) (map[string]jsontext.Value, *Problem) {
	if !isJSON(r.Header.Get("Content-Type")) {
		return nil, problem(UnsupportedMedia, "").hint("send Content-Type: " + mediaJSON)
	}
	data, p := received(w, r)
	if p != nil {
		return nil, p
	}
	var members map[string]jsontext.Value
	err := json.Unmarshal(data, &members)
	if syntax, broken := errors.AsType[*jsontext.SyntacticError](err); broken {
		return nil, unfit(BadRequest, "", []*huma.ErrorDetail{{Location: "body", Message: syntax.Error(), Value: string(data)}}, nil)
	}
	if err != nil || members == nil {
		return nil, wrong(Invalid, "/", "object")
	}
	members = named(members, q.aliases)
	var others []string
	for name := range members {
		if q.body.Properties[name] == nil {
			others = append(others, name)
		}
	}
	if len(others) > 0 {
		return nil, foreign(others, q.here())
	}
	return members, nil
}

// isJSON reports whether a content type is JSON; without one it is taken for it.
func isJSON(content string) bool {
	media, _, err := mime.ParseMediaType(content)
	return content == "" || err == nil && (media == mediaJSON || strings.HasSuffix(media, "+json"))
}

// foreign says of each name that it is none of ours.
func foreign(names, ours []string) *Problem {
	slices.Sort(names)
	slices.Sort(ours)
	faults := make([]Fault, len(names))
	for i, name := range names {
		faults[i] = Fault{Pointer: "/" + escaped.Replace(name), Expected: "one of the arguments " + strings.Join(ours, ", ")}
	}
	return problem(Invalid, "").faulty(faults)
}

// here are the names of the arguments that a request may carry.
func (q asking) here() (names []string) {
	for _, p := range q.parameters {
		names = append(names, argument(p))
	}
	if q.body != nil {
		names = slices.AppendSeq(names, maps.Keys(q.body.Properties))
	}
	return names
}

// maxBody is the largest request body, in bytes; bodyTime is how long it may take.
const (
	maxBody  = 8 << 20
	bodyTime = 10 * time.Second
)

// received reads the body of a request, which may not take for ever.
func received(w http.ResponseWriter, r *http.Request) ([]byte, *Problem) {
	clock := http.NewResponseController(w)
	_ = clock.SetReadDeadline(time.Now().Add(bodyTime))            // what cannot be timed is in memory
	if r.ContentLength > maxBody && r.Header.Get("Expect") != "" { // it waits with its body for our word
		return nil, tooLarge(http.NoBody)
	}
	if r.ContentLength > maxBody {
		return nil, tooLarge(r.Body)
	}
	var data bytes.Buffer
	_, err := io.Copy(&data, io.LimitReader(r.Body, maxBody+1))
	if late, ok := errors.AsType[net.Error](err); ok && late.Timeout() {
		return nil, tooSlow()
	}
	if err != nil {
		return nil, problem(BadRequest, "the body broke off").with("Connection", "close")
	}
	if data.Len() > maxBody {
		return nil, tooLarge(r.Body)
	}
	_ = clock.SetReadDeadline(time.Time{})
	if data.Len() == 0 {
		return nil, problem(BadRequest, "the request has no body, and needs one")
	}
	return data.Bytes(), nil
}

func tooSlow() *Problem { return problem(Slow, "").with("Connection", "close") }

// overheard is how much is read on of a body that is too large: who still sends when
// the connection closes does not get to read why.
const overheard = 4 * maxBody

func tooLarge(rest io.Reader) *Problem {
	_, _ = io.Copy(io.Discard, io.LimitReader(rest, overheard)) // within the time of a body
	return problem(TooLarge, "the body is larger than 8 MiB").with("Connection", "close")
}

// Where a parameter may stand.
const (
	inPath   = "path"
	inQuery  = "query"
	inHeader = "header"
)

// parametersOf describes the fields of a struct that stand outside the body.
func parametersOf(known huma.Registry, in reflect.Type) (out []*huma.Param) {
	for _, f := range reflect.VisibleFields(in) {
		for _, where := range []string{inPath, inQuery, inHeader} {
			if tag := f.Tag.Get(where); tag != "" {
				out = append(out, parameterOf(known, f, where, tag))
			}
		}
	}
	return out
}

func parameterOf(known huma.Registry, f reflect.StructField, where, tag string) *huma.Param {
	name, _, several := strings.Cut(tag, ",explode")
	p := &huma.Param{Name: name, In: where, Schema: huma.SchemaFromField(known, f, "")}
	p.Description = p.Schema.Description // tools look for it here
	p.Required = where == inPath || f.Tag.Get("required") == "true"
	if where == inQuery {
		p.Explode = &several
	}
	return p
}
