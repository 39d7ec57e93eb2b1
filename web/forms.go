package web

import h "learnloop.dev/web/markup"

// The kinds of contexts that pages follow.
const (
	kindRule       = "rule"
	kindTask       = "task"
	kindTemplate   = "template"
	kindExperiment = "experiment"
	kindUser       = "user"
)

// option is one of several values.
type option struct{ value, name string }

// input is a control of a form.
type input interface{ control() h.Node }

// field is a line to search for.
type field struct{ name, label, value string }

func (f field) control() h.Node {
	return h.El("p", h.El("label", h.At("for", f.name), h.Text(f.label)),
		h.El("input", h.At("type", "search"), h.At("id", f.name), h.At("name", f.name), h.At("value", f.value), h.At("autocomplete", "off")))
}

// choice is one of several.
type choice struct {
	name, label, value string
	options            []option
}

func (c choice) control() h.Node {
	parts := []h.Part{h.At("id", c.name), h.At("name", c.name)}
	for _, o := range c.options {
		parts = append(parts, h.El("option", h.At("value", o.value), h.Flag("selected", o.value == c.value), h.Text(o.name)))
	}
	return h.El("p", h.El("label", h.At("for", c.name), h.Text(c.label)), h.El("select", parts...))
}

// entry is a line to fill in; a long one has several.
type entry struct {
	name, label, value string
	long, required     bool
}

func (e entry) control() h.Node {
	name := h.El("label", h.At("for", e.name), h.Text(e.label))
	if e.long {
		return h.El("p", name, h.El("textarea", h.At("id", e.name), h.At("name", e.name), h.Flag("required", e.required), h.Text(e.value)))
	}
	return h.El("p", name, h.El("input", h.At("type", "text"), h.At("id", e.name), h.At("name", e.name), h.At("value", e.value),
		h.At("autocomplete", "off"), h.Flag("required", e.required)))
}

// searchForm asks for what a page shows.
func searchForm(to string, inputs ...input) h.Node {
	return ask("Show", to, inputs, h.At("role", "search"))
}

// ask is a form that leads to an address with what was entered.
func ask(does, to string, inputs []input, parts ...h.Part) h.Node {
	parts = append(parts, h.At("class", "search"), h.At("action", to))
	for _, in := range inputs {
		parts = append(parts, in.control())
	}
	return h.El("form", append(parts, h.El("p", h.El("button", h.Text(does))))...)
}

// hidden is a value that a form brings along.
type hidden struct{ name, value string }

func (f hidden) control() h.Node {
	return h.El("input", h.At("type", "hidden"), h.At("name", f.name), h.At("value", f.value))
}

// act is a form that does something.
func act(to, does, class string, inputs ...input) h.Node {
	parts := []h.Part{h.At("method", "post"), h.At("action", to)}
	for _, in := range inputs {
		parts = append(parts, in.control())
	}
	return h.El("form", append(parts, h.El("p", h.El("button", h.At("class", class), h.Text(does))))...)
}

// button is a form of one button.
func button(to, does, class string, inputs ...input) h.Node {
	parts := []h.Part{h.At("method", "post"), h.At("action", to), h.At("class", "line")}
	for _, in := range inputs {
		parts = append(parts, in.control())
	}
	return h.El("form", append(parts, h.El("button", h.At("class", class), h.Text(does)))...)
}

// fold is what opens when somebody wants it.
func fold(summary string, parts ...h.Part) h.Node {
	return h.El("details", append([]h.Part{h.El("summary", h.Text(summary))}, parts...)...)
}

// empty is said where a list has nothing: what to do, or that a search found nothing.
func empty(search, says string, do ...h.Part) h.Node {
	if search != "" {
		return nothing("Nothing here has “"+search+"” in it.", h.Text("Look for something else."))
	}
	return nothing(says, do...)
}

// facts are names with what stands for them.
func facts(list ...fact) h.Node {
	parts := []h.Part{h.At("class", "facts")}
	for _, f := range list {
		parts = append(parts, h.El("dt", h.Text(f.name)), h.El("dd", f.value))
	}
	return h.El("dl", parts...)
}

type fact struct {
	name  string
	value h.Node
}
