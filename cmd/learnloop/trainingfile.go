package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"

	"learnloop.dev/learn/samples"

	"github.com/go-json-experiment/json/jsontext"
)

// setFile is one of its files, under another name until it is whole.
type setFile struct {
	*writtenFile
	path string
	file *os.File
	sum  hash.Hash
	doc  samples.Document
}

func newSetFile(w *writtenFile, dir string, lines bool) *setFile {
	f := &setFile{writtenFile: w, path: filepath.Join(dir, w.Name), sum: sha256.New()}
	f.doc = samples.Document{W: f, Lines: lines, Count: w.Samples}
	return f
}

// Write writes to disk and into the sum.
func (f *setFile) Write(data []byte) (int, error) {
	n, err := f.file.Write(data)
	_, _ = f.sum.Write(data[:n]) // never fails
	f.Bytes += int64(n)
	return n, err
}

// open goes on behind what was noted, or begins.
func (f *setFile) open(begun bool) (err error) {
	if !begun {
		if f.file, err = os.OpenFile(f.path+partial, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600); err != nil {
			return err
		}
		return f.doc.Begin()
	}
	if f.file, err = os.OpenFile(f.path+partial, os.O_RDWR, 0); err != nil {
		return err
	}
	if n, err := io.Copy(f.sum, io.LimitReader(f.file, f.Bytes)); err != nil || n < f.Bytes {
		return errors.Join(fmt.Errorf("%s has %d bytes, and %d were noted", f.Name, n, f.Bytes), err)
	}
	return f.file.Truncate(f.Bytes)
}

// partial ends the name of a file that is not whole.
const partial = ".part"

// add writes samples.
func (f *setFile) add(list []jsontext.Value) error {
	err := f.doc.Write(list...)
	f.Samples = f.doc.Count
	return err
}

// end makes the file whole.
func (f *setFile) end() error {
	if err := f.doc.End(); err != nil {
		return err
	}
	f.SHA256 = hex.EncodeToString(f.sum.Sum(nil))
	return f.file.Sync()
}
