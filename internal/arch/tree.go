package arch

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// File is one parsed Go file.
type File struct {
	Path    string // slash-separated, relative to the tree's root
	Package string // its folder; "." for the root
	Test    bool   // named *_test.go
	Lines   int
	Syntax  *ast.File
}

// Tree is one Go module, parsed without its dependencies.
type Tree struct {
	Root   string
	Module string // from go.mod
	Files  []*File
	Texts  []string // every file that belongs to the repository, Go or not
	fset   *token.FileSet
}

// Load parses every Go file below root, whatever its build tags.
// Nested modules, hidden folders, testdata and what .gitignore lists stay out.
func Load(root string) (*Tree, error) {
	module, err := moduleName(root)
	if err != nil {
		return nil, err
	}
	ignored, err := readIgnored(root)
	if err != nil {
		return nil, err
	}
	t := &Tree{Root: root, Module: module, fset: token.NewFileSet()}
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		return t.visit(filepath.ToSlash(rel), d, ignored)
	})
	if err != nil {
		return nil, fmt.Errorf("load %s: %w", module, err)
	}
	return t, nil
}

func (t *Tree) visit(rel string, d fs.DirEntry, skip ignored) error {
	switch {
	case rel == ".":
		return nil
	case d.IsDir() && (d.Name() == ".git" || skip.dir(d.Name())):
		return fs.SkipDir
	case d.IsDir() || !d.Type().IsRegular() || skip.file(d.Name()):
		return nil
	}
	t.Texts = append(t.Texts, rel)
	if path.Ext(rel) != ".go" || t.outside(path.Dir(rel)) {
		return nil
	}
	return t.parse(rel)
}

// outside reports whether Go leaves the folder out of this module's packages.
func (t *Tree) outside(dir string) bool {
	for ; dir != "."; dir = path.Dir(dir) {
		base := path.Base(dir)
		if base == "testdata" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") {
			return true
		}
		if _, err := os.Stat(filepath.Join(t.Root, dir, "go.mod")); err == nil {
			return true
		}
	}
	return false
}

func (t *Tree) parse(rel string) error {
	src, err := os.ReadFile(filepath.Join(t.Root, rel))
	if err != nil {
		return err
	}
	syntax, err := parser.ParseFile(t.fset, rel, src, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	t.Files = append(t.Files, &File{
		Path:    rel,
		Package: path.Dir(rel),
		Test:    strings.HasSuffix(rel, "_test.go"),
		Lines:   bytes.Count(src, []byte("\n")),
		Syntax:  syntax,
	})
	return nil
}

// imports calls visit with the path of each import of the file.
func (f *File) imports(visit func(spec *ast.ImportSpec, target string)) {
	for _, spec := range f.Syntax.Imports {
		if target, err := strconv.Unquote(spec.Path.Value); err == nil {
			visit(spec, target)
		}
	}
}

// calledAs returns the local name of an imported package, or "".
func (f *File) calledAs(target string) string {
	local := ""
	f.imports(func(spec *ast.ImportSpec, p string) {
		switch {
		case p != target:
		case spec.Name != nil:
			local = spec.Name.Name
		default:
			local = path.Base(target)
		}
	})
	return local
}

// uses calls visit with each use of pkg.Name in the file, pkg given by its import path.
func (f *File) uses(target string, visit func(use *ast.SelectorExpr)) {
	local := f.calledAs(target)
	if local == "" {
		return
	}
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && id.Name == local {
				visit(sel)
			}
		}
		return true
	})
}

func moduleName(root string) (string, error) {
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return "", fmt.Errorf("name the module: %w", err)
	}
	for line := range strings.Lines(string(mod)) {
		if name, ok := strings.CutPrefix(line, "module "); ok {
			return strings.TrimSpace(name), nil
		}
	}
	return "", fmt.Errorf("name the module: no module line in %s", filepath.Join(root, "go.mod"))
}
