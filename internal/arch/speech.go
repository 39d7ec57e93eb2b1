package arch

import (
	"fmt"
	"go/ast"
	"slices"
)

// speech finds payload text on its way into a log line, an error or a panic, and
// log fields that print whatever they are given.
func (in *inspection) speech() {
	for _, f := range in.tree.Files {
		if in.house.exempt(f) {
			continue
		}
		for vendor, says := range in.house.Speakers {
			f.uses(vendor, func(use *ast.SelectorExpr) {
				if slices.Contains(says.Never, use.Sel.Name) {
					in.at(f, use.Pos(), use.Sel.Name, use.Sel.Name+" prints whatever it is given: name the one value that is meant")
				}
			})
		}
		ast.Inspect(f.Syntax, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && in.speaks(f, call) {
				in.listen(f, call)
			}
			return true
		})
	}
}

// speaks reports whether what a call is given can come out somewhere.
func (in *inspection) speaks(f *File, call *ast.CallExpr) bool {
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		return fun.Name == "panic"
	case *ast.SelectorExpr:
		id, ok := fun.X.(*ast.Ident)
		if !ok {
			return false
		}
		for vendor, says := range in.house.Speakers {
			if local := f.calledAs(vendor); local != "" && id.Name == local {
				return len(says.Only) == 0 || slices.Contains(says.Only, fun.Sel.Name)
			}
		}
	}
	return false
}

// listen reports arguments that are payload text, as they are or as strings.
func (in *inspection) listen(f *File, call *ast.CallExpr) {
	for _, arg := range call.Args {
		if conv, ok := arg.(*ast.CallExpr); ok && len(conv.Args) == 1 {
			if id, ok := conv.Fun.(*ast.Ident); ok && id.Name == "string" {
				arg = conv.Args[0]
			}
		}
		if star, ok := arg.(*ast.StarExpr); ok {
			arg = star.X
		}
		if sel, ok := arg.(*ast.SelectorExpr); ok && slices.Contains(in.house.Payload, sel.Sel.Name) {
			in.at(f, arg.Pos(), sel.Sel.Name, fmt.Sprintf("%s may be payload text: say which record it is, not what is in it", sel.Sel.Name))
		}
	}
}
