package arch

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strings"
)

// budgets finds functions, files, interfaces and parameter lists that have
// outgrown a reader: a name is missing.
func (in *inspection) budgets() {
	for _, f := range in.tree.Files {
		if limit := in.house.Limits.File; !f.Test && f.Lines > limit {
			in.line(f.Path, 1, "", fmt.Sprintf("the file has %d lines, %d at most", f.Lines, limit))
		}
		ast.Inspect(f.Syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				in.budgetFunc(f, n)
			case *ast.TypeSpec:
				in.budgetInterface(f, n)
			}
			return true
		})
	}
}

func (in *inspection) budgetFunc(f *File, fn *ast.FuncDecl) {
	name, limits := fn.Name.Name, in.house.Limits
	lines := in.tree.fset.Position(fn.End()).Line - in.tree.fset.Position(fn.Pos()).Line + 1
	if lines > limits.Func {
		in.at(f, fn.Pos(), name, fmt.Sprintf("%s has %d lines, %d at most", name, lines, limits.Func))
	}
	if n := fn.Type.Params.NumFields(); n > limits.Params {
		in.at(f, fn.Pos(), name, fmt.Sprintf("%s has %d parameters, %d at most", name, n, limits.Params))
	}
}

func (in *inspection) budgetInterface(f *File, spec *ast.TypeSpec) {
	face, ok := spec.Type.(*ast.InterfaceType)
	if !ok {
		return
	}
	name, limit := spec.Name.Name, in.house.Limits.Methods
	if n := face.Methods.NumFields(); n > limit {
		in.at(f, spec.Pos(), name, fmt.Sprintf("interface %s has %d methods, %d at most", name, n, limit))
	}
}

// names finds packages whose names say nothing about what they provide.
func (in *inspection) names() {
	seen := map[string]bool{}
	for _, f := range in.tree.Files {
		if seen[f.Package] {
			continue
		}
		seen[f.Package] = true
		parts := append(strings.Split(f.Package, "/"), strings.TrimSuffix(f.Syntax.Name.Name, "_test"))
		for _, part := range slices.Compact(parts) {
			if slices.Contains(in.house.Empty, part) {
				in.at(f, f.Syntax.Package, "", fmt.Sprintf("a package called %s says nothing: name what it provides", part))
			}
		}
	}
}

// startup finds init functions, and mains that do more than hand over to app.
func (in *inspection) startup() {
	for _, f := range in.tree.Files {
		for _, decl := range f.Syntax.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Recv != nil {
				continue
			}
			if fn.Name.Name == "init" {
				in.at(f, fn.Pos(), "init", "no init functions: say it where it is used")
			}
			if fn.Name.Name == "main" && path.Dir(f.Package) == "cmd" && f.Lines > in.house.Limits.Main {
				in.at(f, fn.Pos(), "main", fmt.Sprintf("the main file has %d lines, %d at most: flags, then app", f.Lines, in.house.Limits.Main))
			}
		}
	}
}

// sleep finds time.Sleep, in tests too: wait for what you wait for.
func (in *inspection) sleep() {
	for _, f := range in.tree.Files {
		f.uses("time", func(use *ast.SelectorExpr) {
			if use.Sel.Name == "Sleep" {
				in.at(f, use.Pos(), "Sleep", "no time.Sleep: wait for what you are waiting for")
			}
		})
	}
}

// goroutines finds what starts goroutines outside the packages that own them: go
// statements, and the Go of an errgroup or a wait group.
func (in *inspection) goroutines() {
	started := map[string]bool{}
	for _, f := range in.tree.Files {
		if in.house.exempt(f) {
			continue
		}
		f.starts(func(pos token.Pos) {
			if pattern, ok := in.house.starter(f.Package); ok {
				started[pattern] = true
				return
			}
			in.at(f, pos, "go", f.Package+" must not start goroutines: write a function that blocks, its caller decides")
		})
	}
	for pattern, reason := range in.house.Starters {
		if !started[pattern] || reason == "" {
			in.line(pattern, 1, "", "may start goroutines, but starts none or gives no reason: remove it")
		}
	}
}

// starts calls visit with each place in the file where a goroutine begins.
func (f *File) starts(visit func(token.Pos)) {
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			visit(n.Pos())
		case *ast.CallExpr:
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Go" && len(n.Args) == 1 {
				visit(n.Pos())
			}
		}
		return true
	})
}
