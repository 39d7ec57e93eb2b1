package arch

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"
)

// fusion finds products of floating-point numbers that are added to something at once.
// On some processors Go makes one operation of that, which rounds once instead of twice:
// the same log would come to other numbers there. A conversion keeps them apart.
func (in *inspection) fusion() {
	w := &workshop{tree: in.tree, known: map[string]*types.Package{}, std: importer.ForCompiler(token.NewFileSet(), "source", nil)}
	seen := map[string]bool{}
	for _, f := range in.tree.Files {
		if seen[f.Package] || in.house.exempt(f) || !anyMatch(in.house.Pure, f.Package) {
			continue
		}
		seen[f.Package] = true
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
		w.check(f.Package, info)
		for _, file := range w.files(f.Package) {
			in.fused(file, info)
		}
	}
}

// fused reports the products of a file.
func (in *inspection) fused(f *File, info *types.Info) {
	report := func(e ast.Expr) {
		if product(e, info) {
			in.at(f, e.Pos(), "", "the product may be fused with the sum on other processors: write float64(x*y)")
		}
	}
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op == token.ADD || n.Op == token.SUB {
				report(n.X)
				report(n.Y)
			}
		case *ast.AssignStmt:
			if n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN {
				report(n.Rhs[0])
			}
		}
		return true
	})
}

// product reports whether an expression multiplies floating-point numbers that are not
// known when the program is built.
func product(e ast.Expr, info *types.Info) bool {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if u, negated := ast.Unparen(e).(*ast.UnaryExpr); negated && u.Op == token.SUB {
		b, ok = ast.Unparen(u.X).(*ast.BinaryExpr)
	}
	if !ok || b.Op != token.MUL {
		return false
	}
	t := info.Types[b]
	if t.Type == nil || t.Value != nil {
		return false
	}
	basic, ok := t.Type.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsFloat != 0
}

// workshop finds out the types of a tree's expressions, as far as they follow from the
// tree and from package math; what others declare stays unknown.
type workshop struct {
	tree  *Tree
	known map[string]*types.Package
	std   types.Importer
}

// files are those of a package, without tests.
func (w *workshop) files(pkg string) (all []*File) {
	for _, f := range w.tree.Files {
		if f.Package == pkg && !f.Test {
			all = append(all, f)
		}
	}
	return all
}

func (w *workshop) check(pkg string, info *types.Info) *types.Package {
	var files []*ast.File
	for _, f := range w.files(pkg) {
		files = append(files, f.Syntax)
	}
	config := types.Config{Importer: w, Error: func(error) {}, FakeImportC: true}
	checked, _ := config.Check(path.Join(w.tree.Module, pkg), w.tree.fset, files, info) // what cannot be known stays unknown
	return checked
}

// Import is for the type checker.
func (w *workshop) Import(name string) (*types.Package, error) {
	if p, ok := w.known[name]; ok {
		return p, nil
	}
	if name == "math" {
		p, err := w.std.Import(name)
		if err != nil {
			return nil, fmt.Errorf("import %s: %w", name, err)
		}
		w.known[name] = p
		return p, nil
	}
	p := types.NewPackage(name, path.Base(name))
	w.known[name] = p
	if inside, ok := strings.CutPrefix(name, w.tree.Module+"/"); ok && slices.ContainsFunc(w.tree.Files, func(f *File) bool { return f.Package == inside }) {
		p = w.check(inside, nil)
		w.known[name] = p
	}
	p.MarkComplete()
	return p, nil
}
