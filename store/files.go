package store

import (
	"io/fs"
	"os"
	"path/filepath"
)

// filesIn lists the files of a folder whose names fit a pattern, in the order of their
// names. The folder's own path is no pattern, whatever characters it holds.
func filesIn(dir, pattern string) ([]string, error) {
	files, err := fs.Glob(os.DirFS(dir), pattern)
	for i, name := range files {
		files[i] = filepath.Join(dir, name)
	}
	return files, err
}
