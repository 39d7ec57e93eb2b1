// Package markup writes HTML in which nobody's text can become markup: documents are
// made of values, and only the program names elements and attributes.
package markup

import (
	"bytes"
	"strings"
)

// Part is what an element is made of: a Node within it, or an Attr on it.
type Part interface{ join(e *element) }

// Node is a piece of a document. The zero value is nothing.
type Node struct{ html string }

// Attr is an attribute of an element. The zero value is none.
type Attr struct{ name, value string }

// tag and label are names that stand in the program's text: what comes from outside
// is no constant, and does not compile in their place.
type (
	tag   string
	label string
)

// element is one that is being written.
type element struct{ attrs, inner bytes.Buffer }

func (n Node) join(e *element) { e.inner.WriteString(n.html) }

func (a Attr) join(e *element) {
	if a.name == "" {
		return
	}
	e.attrs.WriteByte(' ')
	e.attrs.WriteString(a.name)
	e.attrs.WriteString(`="`)
	e.attrs.WriteString(a.value)
	e.attrs.WriteByte('"')
}

// El returns an element with its attributes and what is in it. It panics for an
// element that could run or hide something: the programmer is wrong.
func El(name tag, parts ...Part) Node {
	if strings.Trim(string(name), "abcdefghijklmnopqrstuvwxyz123456") != "" || refused(name) {
		panic("markup: no element " + string(name))
	}
	var e element
	for _, p := range parts {
		if p != nil {
			p.join(&e)
		}
	}
	if isVoid(name) {
		return Node{"<" + string(name) + e.attrs.String() + ">"}
	}
	if name == "script" && e.inner.Len() > 0 {
		panic("markup: a script stands in a file of its own")
	}
	return Node{"<" + string(name) + e.attrs.String() + ">" + e.inner.String() + "</" + string(name) + ">"}
}

// refused are elements that take text as something else, or load what others wrote.
func refused(name tag) bool {
	switch name {
	case "style", "iframe", "object", "embed", "base", "template", "noscript", "xmp", "plaintext", "frame", "math", "foreignobject":
		return true
	}
	return false
}

func isVoid(name tag) bool {
	switch name {
	case "br", "hr", "img", "input", "link", "meta", "wbr":
		return true
	}
	return false
}

// At returns an attribute; addresses lead to this site or to another over HTTP, and
// nowhere else. It panics for an attribute that holds a program: the programmer is wrong.
func At(name label, value string) Attr {
	switch {
	case strings.HasPrefix(string(name), "on"), name == "style", name == "srcdoc", strings.Trim(string(name), attributeLetters) != "":
		panic("markup: no attribute " + string(name))
	case leads(name):
		value = address(value)
	}
	return Attr{string(name), escape(value)}
}

const attributeLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-0123456789"

// Flag returns an attribute that is there or not.
func Flag(name label, is bool) Attr {
	if !is {
		return Attr{}
	}
	return At(name, "")
}

// leads reports whether the value of an attribute is an address.
func leads(name label) bool {
	switch name {
	case "href", "src", "action", "formaction":
		return true
	}
	return false
}

// nowhere is where addresses lead that must not be followed.
const nowhere = "about:invalid"

// address lets through what stays on this site, and HTTP. Browsers drop control
// characters and take a backslash for a slash.
func address(value string) string {
	if strings.ContainsFunc(value, func(r rune) bool { return r <= ' ' || r == '\\' || r == 0x7f }) {
		return nowhere
	}
	switch {
	case strings.HasPrefix(value, "//"):
		return nowhere
	case strings.HasPrefix(value, "/"), strings.HasPrefix(value, "#"), strings.HasPrefix(value, "?"):
		return value
	case strings.HasPrefix(value, "https://"), strings.HasPrefix(value, "http://"):
		return value
	}
	return nowhere
}

// Text returns text as it is, whatever stands in it.
func Text(s string) Node { return Node{escape(s)} }

// Join returns pieces one after the other.
func Join(nodes ...Node) Node {
	var b strings.Builder
	for _, n := range nodes {
		b.WriteString(n.html)
	}
	return Node{b.String()}
}

// Empty reports whether a node is nothing.
func (n Node) Empty() bool { return n.html == "" }

// Document returns a whole page with what stands in its html element.
func Document(parts ...Part) []byte {
	return []byte("<!doctype html>" + El("html", parts...).html)
}

var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;", "\x00", "\uFFFD", "\r", "&#13;")

// escape makes text of any bytes.
func escape(s string) string { return escapes.Replace(strings.ToValidUTF8(s, "\uFFFD")) }
