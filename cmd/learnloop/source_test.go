package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"learnloop.dev/app"
)

// read returns the lines of a source, "too long" for those that are.
func readAll(t *testing.T, sh *shell, name string) (lines []string, err error) {
	t.Helper()
	src, err := sh.openSource(name, func(int) {})
	if err != nil {
		return nil, err
	}
	defer src.close()
	for {
		line, err := src.next()
		switch {
		case errors.Is(err, io.EOF):
			return lines, nil
		case errors.Is(err, errLongLine):
			lines = append(lines, "too long")
			continue
		case err != nil:
			return lines, err
		}
		lines = append(lines, string(line))
	}
}

func TestLinesComeOneByOneWhateverTheFileLooksLike(t *testing.T) {
	for text, want := range map[string][]string{
		"":                      nil,
		"\n\n \r\n":             nil,
		"a\nb\n":                {"a", "b"},
		"a\r\n\n  b  ":          {"a", "b"},
		"\xef\xbb\xbf{}\n":      {"{}"},
		strings.Repeat("x", 10): {"xxxxxxxxxx"},
	} {
		got, err := readAll(t, &shell{in: strings.NewReader(text)}, "-")
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q gives %q (%v), want %q", text, got, err, want)
		}
	}
}

func TestALineThatIsTooLongIsSkippedAndTheNextIsRead(t *testing.T) {
	for name, text := range map[string]string{
		"in the middle": "a\n" + strings.Repeat("x", longestLine+1) + "\nb\n",
		"at the end":    "a\nb\n" + strings.Repeat("x", longestLine+readSize),
	} {
		got, err := readAll(t, &shell{in: strings.NewReader(text)}, "-")
		slices.Sort(got)
		if want := []string{"a", "b", "too long"}; err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %d lines, %v", name, len(got), err)
		}
	}
	long := strings.Repeat("x", readSize*3)
	got, err := readAll(t, &shell{in: strings.NewReader(long + "\nb")}, "-")
	if err != nil || len(got) != 2 || got[0] != long || got[1] != "b" {
		t.Errorf("a line longer than the buffer is not whole: %d lines, %v", len(got), err)
	}
}

func TestCompressedFilesAreKnownByTheirContent(t *testing.T) {
	var packed bytes.Buffer
	for _, part := range []string{"a\nb", "c\nd\n"} { // gzip files may be joined
		w := gzip.NewWriter(&packed)
		_, _ = io.WriteString(w, part)
		_ = w.Close()
	}
	name := filepath.Join(t.TempDir(), "no-suffix")
	if err := os.WriteFile(name, packed.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := readAll(t, &shell{}, name)
	if want := []string{"a", "bc", "d"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q (%v), want %q", got, err, want)
	}
	if _, err := readAll(t, &shell{in: bytes.NewReader(packed.Bytes()[:20])}, "-"); err == nil {
		t.Error("a file that ends in the middle passes for whole")
	}
}

func TestWhatEndsTooEarlyIsSentAsFarAsItGoesAndTold(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	for i := range 20_000 {
		_, _ = fmt.Fprintf(w, `{"id":"%d-%x"}`+"\n", i, i*i*2654435761)
	}
	_ = w.Close()
	half := packed.Bytes()[:packed.Len()/2]
	src, err := (&shell{in: bytes.NewReader(half)}).openSource("-", func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	box := &shelf{}
	s := &shipment{inbox: box, pack: newPacker("R"), note: func(int) {}}
	err = s.addAll(t.Context(), src)
	want := fmt.Sprintf("ends too early; %d events were sent before", s.sent)
	if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(app.HintOf(err), "get the file again") {
		t.Errorf("told %v, hint %q", err, app.HintOf(err))
	}
	if s.sent < 5_000 || s.sent != src.lines.number-1 || s.events != 0 {
		t.Errorf("%d sent, %d waiting, line %d", s.sent, s.events, src.lines.number)
	}
	for _, size := range []int{5, 12} { // inside what gzip files begin with
		if _, err := readAll(t, &shell{in: bytes.NewReader(half[:size])}, "-"); err == nil || !strings.Contains(err.Error(), "ends too early") {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}

func TestWhatIsPackedAnotherWayIsNotSentLineByLine(t *testing.T) {
	for begin, how := range map[string]string{"\x28\xb5\x2f\xfd\x04\n\n": "zstd", "PK\x03\x04\n\n": "zip", "BZh91AY": "bzip2"} {
		_, err := readAll(t, &shell{in: strings.NewReader(begin)}, "-")
		if err == nil || !strings.Contains(err.Error(), how) || app.HintOf(err) == "" {
			t.Errorf("%s: %v", how, err)
		}
	}
}
