package events

import (
	"bufio"
	"cmp"
	"os"
	"path/filepath"
	"testing"
)

func TestTheSampleDataIsAccepted(t *testing.T) {
	dir := cmp.Or(os.Getenv("LEARNLOOP_TESTDATA"), filepath.Join("..", "..", "shared", "data"))
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("no sample data: set LEARNLOOP_TESTDATA to its folder")
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) { acceptFile(t, name) })
	}
}

// acceptFile reads a file of structured events, one a line, by type and by schema.
func acceptFile(t *testing.T, name string) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	slow := 0
	for n := 1; lines.Scan(); n++ {
		env := one(t, nil, lines.Text())
		spec, _ := Lookup(env.Kind)
		if _, r := Decode(spec, env.Data); r.Refused() {
			t.Errorf("line %d: %v", n, r)
		}
		if wrong := Validate(spec, env.Data); wrong != nil {
			t.Errorf("line %d: %v", n, wrong)
		}
		if _, isHot := spec.NewPayload().(checked); isHot && !quick(spec, env.Data) {
			slow++
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if slow > 0 {
		t.Errorf("%d events of hot kinds needed their schema", slow)
	}
}
