// Package web is the dashboard: pages that show what the operations answer, and forms
// that do what they offer. Pages are made here, come as they are, and follow what
// changes; nothing in them is loaded from elsewhere.
package web

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"learnloop.dev/api"
	"learnloop.dev/events"
	h "learnloop.dev/web/markup"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Loop does operations.
type Loop interface {
	Do(ctx context.Context, c api.Call) (jsontext.Value, error)
}

// Deps are what the dashboard works with.
type Deps struct {
	Loop Loop
	// Gate knows who looks.
	Gate Gate
	// Now is the clock; nil is the machine's.
	Now func() time.Time
	// Failed is told what went wrong on our side, never a payload; nil drops it.
	Failed func(page string, err error)
}

// Site is the dashboard.
type Site struct {
	deps  Deps
	pulse pulse
}

// New returns a dashboard.
func New(d Deps) *Site {
	if d.Now == nil {
		d.Now = time.Now
	}
	return &Site{deps: d}
}

// view makes a page.
type view func(v visit) (sheet, error)

// deed does what a form asks for, and returns where to go then, or a page.
type deed func(v visit) (to string, answer sheet, err error)

// Handle registers every page.
func (s *Site) Handle(register func(pattern string, h http.Handler)) {
	for _, p := range pages() {
		register("GET "+p.path, s.page(p))
		for name, do := range p.deeds {
			register("POST "+p.path+name, s.form(p, do))
		}
	}
	register("GET /samples/file", http.HandlerFunc(s.sampleFile))
	register("GET /assets/{name}", http.HandlerFunc(asset))
}

// visit is somebody who looks at a page.
type visit struct {
	site    *Site
	request *http.Request
	answer  http.ResponseWriter
	who     api.Visitor
}

// ask does an operation for the visitor and reads its answer.
func (v visit) ask(name string, args, into any) error {
	data, err := v.site.deps.Loop.Do(v.request.Context(), api.Call{Name: name, Args: args})
	if err != nil || into == nil {
		return err
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("read the answer of %s: %w", name, events.Unquoted(err))
	}
	return nil
}

// query is an argument of the address.
func (v visit) query(name string) string { return v.request.URL.Query().Get(name) }

// field is what was entered in a form.
func (v visit) field(name string) string { return v.request.PostFormValue(name) }

// at is an address with arguments; those that are empty are left out.
func at(path string, args ...string) string {
	query := url.Values{}
	for i := 0; i+1 < len(args); i += 2 {
		if args[i+1] != "" {
			query.Set(args[i], args[i+1])
		}
	}
	if len(query) == 0 {
		return path
	}
	return path + "?" + query.Encode()
}

// page answers with a page.
func (s *Site) page(p place) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := visit{s, r, w, api.VisitorOf(r.Context())}
		made, err := p.view(v)
		if err != nil {
			made = s.trouble(v, p, err)
		}
		s.show(w, v, p, made)
	})
}

// Astray answers who asks for a page that is not there.
func (s *Site) Astray() http.Handler {
	return s.page(place{view: func(visit) (sheet, error) {
		return sheet{title: "There is no such page", status: http.StatusNotFound,
			body: nothing("The address leads nowhere: a page was renamed, or a letter is wrong.",
				h.Text("Begin at the "), link("/", "overview"), h.Text(", or look into the "), link("/docs", "documentation"), h.Text("."))}, nil
	}})
}

// maxForm is the largest form, in bytes.
const maxForm = 256 << 10

// form does what a form asks for.
func (s *Site) form(p place, do deed) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		v := visit{s, r, w, api.VisitorOf(r.Context())}
		var to string
		var made sheet
		err := r.ParseForm()
		if err != nil {
			made = sheet{title: "The form cannot be read", status: http.StatusBadRequest}
		} else {
			to, made, err = do(v)
		}
		switch {
		case err != nil && made.status == 0:
			made = s.trouble(v, p, err)
		case err == nil && to != "":
			http.Redirect(w, r, to, http.StatusSeeOther)
			return
		}
		s.show(w, v, p, made)
	})
}

// trouble is the page that says what went wrong, and what to do.
func (s *Site) trouble(v visit, p place, err error) sheet {
	is, told := problem(err)
	if !told {
		if s.deps.Failed != nil {
			s.deps.Failed(p.path, err)
		}
		return sheet{title: "Something went wrong here", status: http.StatusInternalServerError, body: para("The log of the process tells what.")}
	}
	made := sheet{title: is.Title, status: is.Status}
	if is.Code == api.Unauthorized {
		return v.closed(p.name)
	}
	if is.Detail != "" {
		made.body = para(capital(is.Detail) + ".")
	}
	if is.Hint != "" {
		made.body = h.Join(made.body, h.El("p", h.At("class", "hint"), h.Text(capital(is.Hint)+".")))
	}
	return made
}
