package web

import (
	"net/http"
	"strconv"

	h "learnloop.dev/web/markup"
)

// place is a page and where it stands.
type place struct {
	path, name string // a page without a name is not in the menu
	menu       string // the path of the page in the menu that it belongs to; its own when empty
	view       view
	apart      bool            // in the menu it stands apart from the one before
	deeds      map[string]deed // by what follows the path
}

// sheet is what a page shows.
type sheet struct {
	title  string
	status int // of HTTP; 200 when 0
	follow follows
	body   h.Node
}

// policy lets a page load what this program serves, and nothing that stands in it.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// show writes a page.
func (s *Site) show(w http.ResponseWriter, v visit, p place, made sheet) {
	head := w.Header()
	head.Set("Content-Type", "text/html; charset=utf-8")
	head.Set("Content-Security-Policy", policy)
	head.Set("Cache-Control", "no-store") // it may show people
	if made.status == 0 {
		made.status = http.StatusOK
	}
	w.WriteHeader(made.status)
	_, _ = w.Write(v.document(p, made)) // the visitor may have gone
}

func (v visit) document(p place, made sheet) []byte {
	return h.Document(
		h.At("lang", "en"),
		h.El("head",
			h.El("meta", h.At("charset", "utf-8")),
			h.El("meta", h.At("name", "viewport"), h.At("content", "width=device-width, initial-scale=1")),
			h.El("meta", h.At("name", "color-scheme"), h.At("content", "light dark")),
			h.El("title", h.Text(made.title+" · learnloop")),
			h.El("link", h.At("rel", "icon"), h.At("href", assetPath("icon.svg"))),
			h.El("link", h.At("rel", "stylesheet"), h.At("href", assetPath("style.css"))),
			h.El("script", h.At("src", assetPath("live.js")), h.Flag("defer", true)),
		),
		h.El("body",
			h.El("a", h.At("class", "skip"), h.At("href", "#main"), h.Text("Skip to content")),
			v.header(p),
			h.El("main", h.At("id", "main"), h.At("tabindex", "-1"),
				h.El("h1", h.Text(made.title)), v.notice(),
				h.El("div", append(made.follow.attrs(), h.At("id", "page"), made.body)...)),
			h.El("p", h.At("id", "connection"), h.At("role", "status"), h.At("class", "connection")),
		),
	)
}

// header is the menu, and who looks.
func (v visit) header(p place) h.Node {
	here := p.menu
	if here == "" {
		here = p.path
	}
	var items []h.Part
	for _, to := range pages() {
		if to.name == "" || to.menu != "" {
			continue
		}
		link := []h.Part{h.At("href", home(to.path)), h.Text(to.name)}
		if to.path == here {
			link = append(link, h.At("aria-current", "page"))
		}
		class := ""
		if to.apart {
			class = "apart"
		}
		items = append(items, h.El("li", h.At("class", class), h.El("a", link...)))
	}
	return h.El("header", h.El("div", h.At("class", "masthead"),
		h.El("a", h.At("class", "brand"), h.At("href", "/"), h.Text("learnloop")),
		h.El("nav", h.At("aria-label", "Pages"), h.El("ul", items...)),
		h.El("div", h.At("class", "who"), v.presence()),
	))
}

// presence offers to sign in or out.
func (v visit) presence() h.Node {
	if v.who.Name == "" {
		return link("/signin", "Sign in")
	}
	return h.El("form", h.At("method", "post"), h.At("action", "/signin/out"),
		h.El("button", h.At("class", "plain"), h.Text("Sign out")))
}

// home is the address of a page: its pattern, without what only ServeMux reads.
func home(path string) string {
	if path == "/{$}" {
		return "/"
	}
	return path
}

// said are the words for what was done before a page was shown again; the address names
// them, so that nobody else's words get in.
var said = map[string]string{
	"archived": "The learning is archived.", "saved": "Saved.", "approved": "The proposal is a learning now.",
	"rejected": "The proposal is rejected.", "superseded": "The learning is superseded.", "deleted": "Deleted.",
	"stopped": "The experiment has stopped.", "started": "The experiment runs.", "widened": "More units take part now.",
	"driven": "The event counts.", "again": "The event was refused again.", "in": "You are signed in.", "out": "You are signed out.",
}

func (v visit) notice() h.Node {
	text := said[v.query("said")]
	if text == "" {
		return h.Node{}
	}
	return h.El("p", h.At("class", "said"), h.At("role", "status"), h.Text(text))
}

// closed is a page for operators, to somebody else.
func (v visit) closed(name string) sheet {
	status := http.StatusUnauthorized
	if v.who.Name != "" {
		status = http.StatusForbidden
	}
	return sheet{title: name, status: status, body: nothing("Only operators see this page.", v.entrance())}
}

// entrance says how to become an operator.
func (v visit) entrance() h.Node {
	return h.Join(h.Text("Open the link that "), h.El("code", h.Text("learnloop serve")), h.Text(" prints, or "),
		link("/signin", "sign in"), h.Text(" with a token."))
}

// pager leads to the next part of a list, and back to its beginning.
func pager(first, next string) h.Node {
	if first == "" && next == "" {
		return h.Node{}
	}
	var parts []h.Part
	parts = append(parts, h.At("class", "pager"), h.At("aria-label", "More"))
	if first != "" {
		parts = append(parts, link(first, "From the beginning"))
	}
	if next != "" {
		parts = append(parts, h.El("a", h.At("href", next), h.At("rel", "next"), h.Text("Next")))
	}
	return h.El("nav", parts...)
}

// table is a table with a caption and the names of its columns; a name that begins
// with # stands over numbers.
func table(caption string, columns []string, rows []h.Node) h.Node {
	var head []h.Part
	for _, c := range columns {
		if c[0] == '#' {
			head = append(head, h.El("th", h.At("scope", "col"), h.At("class", "number"), h.Text(c[1:])))
			continue
		}
		head = append(head, h.El("th", h.At("scope", "col"), h.Text(c)))
	}
	return h.El("div", h.At("class", "wide"), h.At("tabindex", "0"), h.At("role", "region"), h.At("aria-label", caption),
		h.El("table", h.El("caption", h.Text(caption)), h.El("thead", h.El("tr", head...)), h.El("tbody", h.Join(rows...))))
}

// row is a row of a table; the first cell names it.
func row(cells ...h.Node) h.Node {
	parts := make([]h.Part, len(cells))
	for i, c := range cells {
		if i == 0 {
			parts[i] = h.El("th", h.At("scope", "row"), c)
			continue
		}
		parts[i] = h.El("td", c)
	}
	return h.El("tr", parts...)
}

// numeric is what stands in a column of numbers.
func numeric(text string) h.Node { return h.El("span", h.At("class", "number amount"), h.Text(text)) }

// amount is a number in a cell.
func amount(n int64) h.Node { return numeric(count(n)) }

func para(text string) h.Node        { return h.El("p", h.Text(text)) }
func link(to, text string) h.Node    { return h.El("a", h.At("href", to), h.Text(text)) }
func heading(text string) h.Node     { return h.El("h2", h.Text(text)) }
func code(text string) h.Node        { return h.El("code", h.Text(text)) }
func minor(text string) h.Node       { return h.El("span", h.At("class", "minor"), h.Text(text)) }
func section(parts ...h.Part) h.Node { return h.El("section", parts...) }
func tag(class, text string) h.Node  { return h.El("span", h.At("class", "tag "+class), h.Text(text)) }
func number(n int) string            { return strconv.Itoa(n) }

// nothing is said where there is nothing to show, with what to do about it.
func nothing(says string, do ...h.Part) h.Node {
	return h.El("div", h.At("class", "nothing"), para(says), h.El("p", do...))
}
