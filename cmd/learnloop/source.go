package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"

	"learnloop.dev/app"
)

// stdin is how a person names the standard input.
const stdin = "-"

// source is a file of events, plain or compressed, read once from the beginning.
type source struct {
	name  string
	file  io.Closer
	lines *lineReader
	unzip *gzip.Reader // nil for plain text
}

// openSource opens a file, or stdin; what is compressed shows by its content.
// read is told how many bytes of the file were read.
func (sh *shell) openSource(name string, read func(n int)) (*source, error) {
	raw, file := sh.in, io.NopCloser(nil)
	if name != stdin {
		f, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("open events: %w", err)
		}
		raw, file = f, f
	}
	s := &source{name: name, file: file}
	in := bufio.NewReaderSize(counted{raw, read}, readSize)
	magic, err := in.Peek(longestMagic)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, errors.Join(fmt.Errorf("read %s: %w", name, err), file.Close())
	}
	if !bytes.Equal(magic[:min(len(magic), 2)], []byte{0x1f, 0x8b}) {
		if how := packing(magic); how != "" {
			return nil, errors.Join(app.WithHint(fmt.Errorf("read %s: it is packed with %s, and only gzip is read", name, how),
				"unpack it, or have it unpacked into: learnloop replay -"), file.Close())
		}
		s.lines = &lineReader{in: in}
		return s, nil
	}
	if s.unzip, err = gzip.NewReader(in); err != nil {
		return nil, errors.Join(s.cut(err), file.Close())
	}
	s.lines = &lineReader{in: bufio.NewReaderSize(s.unzip, readSize)}
	return s, nil
}

// readAll opens files, or stdin, one after the other and has each read by take, which is
// told which one it is. read is told how many bytes were read.
func (sh *shell) readAll(files []string, read func(n int), take func(n int, src *source) error) error {
	for n, name := range files {
		src, err := sh.openSource(name, read)
		if err != nil {
			return err
		}
		if err := errors.Join(take(n, src), src.close()); err != nil {
			return err
		}
	}
	return nil
}

const (
	readSize      = 1 << 20
	byteOrderMark = "\ufeff" // what some editors begin a file with
)

// all yields every line that is not blank, or why there is none: behind errLongLine
// others follow. A line stays valid until the next one.
func (s *source) all() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for {
			line, err := s.next()
			if errors.Is(err, io.EOF) || !yield(line, err) || err != nil && !errors.Is(err, errLongLine) {
				return
			}
		}
	}
}

// next returns the next line that is not blank, until io.EOF. It stays valid
// until the next call.
func (s *source) next() (line []byte, err error) {
	for len(line) == 0 && err == nil {
		line, err = s.lines.next()
		line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte(byteOrderMark)))
	}
	switch {
	case err == nil, errors.Is(err, io.EOF), errors.Is(err, errLongLine):
		return line, err
	}
	return nil, s.cut(err)
}

// cut says where a file could not be read any further.
func (s *source) cut(err error) error {
	at := s.name
	if s.lines != nil {
		at = fmt.Sprintf("%s line %d", s.name, s.lines.number)
	}
	if s.unzip == nil && s.lines != nil {
		return fmt.Errorf("read %s: %w", at, err)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("the compressed file ends too early")
	}
	return app.WithHint(fmt.Errorf("read %s: %w", at, err), "get the file again and replay all of it: what was sent before counts once")
}

// The first bytes of files that are packed in ways that are not read.
var packings = map[string]string{"\x28\xb5\x2f\xfd": "zstd", "\xfd7zXZ\x00": "xz", "BZh": "bzip2", "PK\x03\x04": "zip", "7z\xbc\xaf": "7-Zip"}

const longestMagic = 6 // bytes

// packing names how a file is packed by its first bytes, "" when it is not.
func packing(magic []byte) string {
	for begin, name := range packings {
		if bytes.HasPrefix(magic, []byte(begin)) {
			return name
		}
	}
	return ""
}

func (s *source) close() error {
	if err := s.file.Close(); err != nil {
		return fmt.Errorf("close %s: %w", s.name, err)
	}
	return nil
}

// counted tells how much is read.
type counted struct {
	io.Reader
	read func(n int)
}

func (c counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.read(n)
	return n, err
}

// longestLine is a little less than the largest message that a loop takes.
const longestLine = 8<<20 - 64<<10

var errLongLine = errors.New("the line is too long")

// lineReader cuts a stream into lines and keeps at most one in memory.
type lineReader struct {
	in     *bufio.Reader
	number int    // of the line returned last, from 1
	rest   []byte // of a line longer than the buffer
}

// line is the number of the line returned last, from 1.
func (r *lineReader) line() int32 { return int32(min(r.number, math.MaxInt32)) }

// next returns a line; one of more than longestLine bytes is skipped with errLongLine.
func (r *lineReader) next() ([]byte, error) {
	r.number++
	r.rest = r.rest[:0]
	for {
		piece, err := r.in.ReadSlice('\n')
		switch {
		case err == nil && len(r.rest) == 0:
			return piece, nil
		case errors.Is(err, bufio.ErrBufferFull) && len(r.rest)+len(piece) <= longestLine:
			r.rest = append(r.rest, piece...)
			continue
		case errors.Is(err, bufio.ErrBufferFull):
			return nil, r.skip()
		}
		r.rest = append(r.rest, piece...)
		switch {
		case len(r.rest) > longestLine:
			return nil, errLongLine
		case errors.Is(err, io.EOF) && len(r.rest) > 0:
			err = nil // the last line may lack its end
		}
		return r.rest, err
	}
}

// skip reads to the end of a line that is too long.
func (r *lineReader) skip() error {
	for {
		_, err := r.in.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err == nil, errors.Is(err, io.EOF):
			return errLongLine
		default:
			return err
		}
	}
}
