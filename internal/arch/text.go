package arch

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// foreign lists what a repository must not mention. The words are cut in two
// so that this file does not break its own law.
func foreign() []string {
	return []string{
		"/wo" + "rk/", "/ro" + "ot/", "/fa" + "rm/", "/tmp/bash" + "_jobs",
		"proxy.golang" + ".org", "sum.golang" + ".org",
		"registry.npmjs" + ".org", "registry.yarnpkg" + ".com",
		"deb.debian" + ".org", "files.pythonhosted" + ".org",
	}
}

// text finds machine paths and package-registry hosts in any file.
func (in *inspection) text() {
	words := foreign()
	for _, rel := range in.tree.Texts {
		src, err := os.ReadFile(filepath.Join(in.tree.Root, rel))
		if err != nil {
			in.line(rel, 1, "", "cannot be read: "+err.Error())
			continue
		}
		if bytes.IndexByte(src[:min(len(src), 8000)], 0) < 0 {
			in.scan(rel, string(src), words)
		}
	}
}

func (in *inspection) scan(rel, src string, words []string) {
	n := 0
	for line := range strings.Lines(src) {
		n++
		for _, w := range words {
			if mentions(line, w) {
				in.line(rel, n, "", fmt.Sprintf("mentions %s: a path of one machine or a package registry; say it without", w))
			}
		}
	}
}

// mentions reports whether a line holds the word; a path counts only where it
// begins, so that a/work/b is somebody's folder and not the machine's.
func mentions(line, word string) bool {
	for {
		i := strings.Index(line, word)
		if i < 0 {
			return false
		}
		if word[0] != '/' || i == 0 || !strings.ContainsRune(pathRunes, rune(line[i-1])) {
			return true
		}
		line = line[i+1:]
	}
}

const pathRunes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.~}/"

// ignored is what .gitignore lists: names, or globs of names.
type ignored struct{ dirs, files []string }

func (g ignored) dir(name string) bool  { return anyMatch(g.dirs, name) }
func (g ignored) file(name string) bool { return anyMatch(g.files, name) }

// readIgnored understands the lines our .gitignore uses: a glob for a file's
// name, or with a slash at the end for a folder's. A tree without one ignores nothing.
func readIgnored(root string) (ignored, error) {
	src, err := os.ReadFile(filepath.Join(root, ".gitignore"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return ignored{}, fmt.Errorf("read what is ignored: %w", err)
	}
	var g ignored
	for line := range strings.Lines(string(src)) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "/")
		dir, isDir := strings.CutSuffix(line, "/")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case isDir:
			g.dirs = append(g.dirs, dir)
		default:
			g.files = append(g.files, line)
		}
	}
	return g, nil
}

// anyMatch reports whether one of the globs matches the name.
func anyMatch(globs []string, name string) bool {
	for _, glob := range globs {
		if ok, err := path.Match(glob, name); err == nil && ok {
			return true
		}
	}
	return false
}
