package arch

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// floors finds packages without a floor and imports that do not go down.
func (in *inspection) floors() {
	homeless := map[string]bool{}
	for _, f := range in.tree.Files {
		if _, ok := in.house.floor(f.Package); ok || homeless[f.Package] {
			continue
		}
		homeless[f.Package] = true
		in.at(f, f.Syntax.Package, "", fmt.Sprintf("package %s has no floor: give it one in internal/arch/house.go", f.Package))
	}
	for _, f := range in.tree.Files {
		if in.house.exempt(f) || homeless[f.Package] {
			continue
		}
		f.imports(func(spec *ast.ImportSpec, target string) {
			if why := in.house.climbs(f.Package, in.tree.local(target)); why != "" {
				in.at(f, spec.Pos(), "", why)
			}
		})
	}
}

// local returns a package's folder in this module, or "" for any other package.
func (t *Tree) local(target string) string {
	if target == t.Module {
		return "."
	}
	dir, ok := strings.CutPrefix(target, t.Module+"/")
	if !ok {
		return ""
	}
	return dir
}

// climbs says why one package may not import another, or "".
func (h House) climbs(from, to string) string {
	if to == "" {
		return ""
	}
	here, _ := h.floor(from)
	there, ok := h.floor(to)
	switch {
	case !ok:
		return fmt.Sprintf("imports %s, which has no floor: give it one in internal/arch/house.go", to)
	case slices.Contains(h.Support, to):
		return fmt.Sprintf("imports %s, which is for tests only", to)
	case there == here:
		return fmt.Sprintf("%s and %s live on floor %d: imports go down, never sideways", from, to, here)
	case there > here:
		return fmt.Sprintf("%s (floor %d) imports %s (floor %d): imports go down, never up", from, here, to, there)
	}
	return ""
}

// owners finds vendors that nobody owns, or that somebody else owns.
func (in *inspection) owners() {
	for _, f := range in.tree.Files {
		f.imports(func(spec *ast.ImportSpec, target string) {
			if !isVendor(target) || in.tree.local(target) != "" {
				return
			}
			module, allowed, ok := in.house.owner(target)
			switch {
			case !ok:
				in.at(f, spec.Pos(), target, fmt.Sprintf("%s needs an ADR and an owner in internal/arch/house.go", target))
			case in.house.exempt(f) || anyMatch(allowed, f.Package):
			case len(allowed) == 0:
				in.at(f, spec.Pos(), target, fmt.Sprintf("%s is for tests only", module))
			default:
				in.at(f, spec.Pos(), target, fmt.Sprintf("%s belongs to %s", module, strings.Join(allowed, ", ")))
			}
		})
	}
}

// isVendor reports whether an import path is outside the standard library.
func isVendor(target string) bool {
	first, _, _ := strings.Cut(target, "/")
	return strings.Contains(first, ".")
}

// purity finds what a pure package must not touch.
func (in *inspection) purity() {
	for _, f := range in.tree.Files {
		if in.house.exempt(f) || !anyMatch(in.house.Pure, f.Package) {
			continue
		}
		f.imports(func(spec *ast.ImportSpec, target string) {
			if impure(target) {
				in.at(f, spec.Pos(), target, fmt.Sprintf("%s is pure and must not import %s", f.Package, target))
			}
		})
		f.uses("time", func(use *ast.SelectorExpr) {
			if slices.Contains(clocks, use.Sel.Name) {
				in.at(f, use.Pos(), "time."+use.Sel.Name, fmt.Sprintf("%s is pure and must not use time.%s: time comes with the event", f.Package, use.Sel.Name))
			}
		})
	}
}

// clocks are the parts of package time that ask the machine.
var clocks = []string{
	"Now", "Since", "Until", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker", "Sleep",
	"Local", "LoadLocation",
}

// impure reports whether a standard package brings a clock, chance, a file, a
// socket, a logger, a lock or a context.
func impure(target string) bool {
	switch target {
	case "net/netip", "net/url":
		return false // they parse, they do not dial
	case "io/fs", "io/ioutil", "crypto/rand", "database/sql":
		return true
	}
	first, rest, _ := strings.Cut(target, "/")
	if first == "math" {
		return strings.HasPrefix(rest, "rand")
	}
	return slices.Contains([]string{"context", "os", "net", "sync", "log", "syscall", "plugin", "runtime"}, first)
}
