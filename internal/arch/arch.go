// Package arch holds the laws of the house: which package may import which,
// who owns a vendor, what a pure package must not touch, and how large a
// function may grow. Its tests apply them to the repository.
package arch

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"
	"strings"
)

// Violation is one place where a tree breaks a law.
type Violation struct {
	Law  string // name of the broken law
	File string // slash-separated, relative to the tree's root
	Line int    // 1 when the whole file is meant
	Text string // what is wrong and what to do instead
}

// String names the place, the law and what is wrong.
func (v Violation) String() string {
	return fmt.Sprintf("%s:%d: %s: %s", v.File, v.Line, v.Law, v.Text)
}

// Exception lets one place break one law.
type Exception struct {
	Law    string
	Where  string // a file, or file#Name for one declaration
	Reason string // why the law is wrong there; never empty
}

// Law is a rule with a name and a way to find what breaks it.
type Law struct {
	Name string
	find func(*inspection)
}

// Laws returns every law, in the order in which they are explained.
func Laws() []Law {
	return []Law{
		{"floors", (*inspection).floors},
		{"owners", (*inspection).owners},
		{"purity", (*inspection).purity},
		{"fusion", (*inspection).fusion},
		{"budgets", (*inspection).budgets},
		{"names", (*inspection).names},
		{"startup", (*inspection).startup},
		{"sleep", (*inspection).sleep},
		{"goroutines", (*inspection).goroutines},
		{"speech", (*inspection).speech},
		{"text", (*inspection).text},
	}
}

// Break lists what breaks the law in the tree, sorted by place.
// An exception that excuses nothing is itself a violation.
func (l Law) Break(t *Tree, h House) []Violation {
	in := &inspection{law: l.Name, tree: t, house: h, excused: map[Exception]bool{}}
	for _, e := range h.Exceptions {
		if e.Law == l.Name {
			in.excused[e] = false
		}
	}
	l.find(in)
	in.stale()
	slices.SortFunc(in.found, func(a, b Violation) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Text, b.Text))
	})
	return in.found
}

// inspection applies one law to one tree.
type inspection struct {
	law     string
	tree    *Tree
	house   House
	excused map[Exception]bool // true once it was needed
	found   []Violation
}

// at reports a violation by a declaration (or "" for none) at a position.
func (in *inspection) at(f *File, pos token.Pos, name, text string) {
	in.line(f.Path, in.tree.fset.Position(pos).Line, name, text)
}

func (in *inspection) line(file string, line int, name, text string) {
	for e := range in.excused {
		if e.Where == file || e.Where == file+"#"+name {
			in.excused[e] = true
			return
		}
	}
	in.found = append(in.found, Violation{in.law, file, line, text})
}

func (in *inspection) stale() {
	for e, needed := range in.excused {
		file, _, _ := strings.Cut(e.Where, "#")
		switch {
		case e.Reason == "":
			in.found = append(in.found, Violation{in.law, file, 1, "the exception for " + e.Where + " gives no reason"})
		case !needed:
			in.found = append(in.found, Violation{in.law, file, 1, "the exception for " + e.Where + " excuses nothing: remove it"})
		}
	}
}
