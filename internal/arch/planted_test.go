package arch_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"learnloop.dev/internal/arch"
)

// plantedHouse is a small house with small budgets; what breaks it says so on
// its own line in testdata/planted, as "breaks: law law".
func plantedHouse() arch.House {
	return arch.House{
		Floors: map[string]int{
			"low": 0, "mid": 1, "beside": 1, "high": 2, "mid/*": 1, "support": 1, "cmd/*": 3,
		},
		Support:  []string{"support"},
		Owners:   map[string][]string{"vendor.one/v2": {"high"}, "vendor.tests": nil},
		Pure:     []string{"low"},
		Starters: map[string]string{"high": "planted"},
		Empty:    []string{"util"},
		Speakers: map[string]arch.Speaker{"fmt": {Only: []string{"Errorf"}}, "vendor.one/v2/part": {Never: []string{"Anything"}}},
		Payload:  []string{"Words"},
		Limits:   arch.Limits{Func: 6, File: 30, Main: 8, Methods: 2, Params: 2},
		Exceptions: []arch.Exception{
			{Law: "purity", Where: "low/excused.go", Reason: "planted"},
			{Law: "budgets", Where: "low/excused.go#lost", Reason: "planted"},
		},
	}
}

func TestEveryPlantedViolationIsCaughtAndNothingElse(t *testing.T) {
	tree := load(t, "testdata/planted")
	found := map[string]bool{}
	for _, v := range breaks(tree, plantedHouse()) {
		found[fmt.Sprintf("%s:%d: %s", v.File, v.Line, v.Law)] = true
	}
	planted := marks(t, tree)
	if len(planted) == 0 {
		t.Fatal("nothing is planted")
	}
	for place := range planted {
		if !found[place] {
			t.Errorf("not caught: %s", place)
		}
	}
	for place := range found {
		if !planted[place] {
			t.Errorf("caught, but not planted: %s", place)
		}
	}
}

func TestEveryLawHasAPlantedViolation(t *testing.T) {
	tree := load(t, "testdata/planted")
	planted := strings.Join(slices.Collect(maps.Keys(marks(t, tree))), "\n") + "\n"
	for _, law := range arch.Laws() {
		if law.Name != "text" && !strings.Contains(planted, ": "+law.Name+"\n") {
			t.Errorf("nothing planted breaks %s", law.Name)
		}
	}
}

func TestAMachinePathIsFoundOnlyWhereAPathBegins(t *testing.T) {
	root := t.TempDir()
	machine, host := "/wo"+"rk/main", "https://registry.npmjs"+".org/x"
	write(t, root, "go.mod", "module text.example\n")
	write(t, root, ".gitignore", "# mine\nbuilt/\n*.log\n")
	write(t, root, "notes.md", "fine: home"+machine+"\nbad: "+machine+"\n")
	write(t, root, "lock.json", `{"resolved":"`+host+`"}`)
	write(t, root, "built/out.txt", machine)
	write(t, root, "run.log", machine)
	write(t, root, "picture.bin", "\x00"+machine)

	var got []string
	for _, v := range breaks(load(t, root), arch.House{}) {
		got = append(got, fmt.Sprintf("%s:%d: %s", v.File, v.Line, v.Law))
	}
	if want := []string{"lock.json:1: text", "notes.md:2: text"}; !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

func TestAnExceptionThatExcusesNothingIsAViolation(t *testing.T) {
	house := plantedHouse()
	house.Exceptions = append(house.Exceptions,
		arch.Exception{Law: "sleep", Where: "high/high.go", Reason: "once needed"},
		arch.Exception{Law: "startup", Where: "cmd/tool/main.go#init"})
	stale := 0
	for _, v := range breaks(load(t, "testdata/planted"), house) {
		if strings.Contains(v.Text, "excuses nothing") || strings.Contains(v.Text, "gives no reason") {
			stale++
		}
	}
	if stale != 2 {
		t.Errorf("%d exceptions were called out, want 2", stale)
	}
}

func TestAPackageThatMayStartGoroutinesSaysWhyAndDoes(t *testing.T) {
	house := plantedHouse()
	house.Starters = map[string]string{"high": "", "mid": "once needed"}
	var named []string
	for _, v := range breaks(load(t, "testdata/planted"), house) {
		if strings.Contains(v.Text, "may start goroutines, but") {
			named = append(named, v.File)
		}
	}
	if slices.Sort(named); !slices.Equal(named, []string{"high", "mid"}) {
		t.Errorf("%v are called out, want high and mid", named)
	}
}

func load(t *testing.T, root string) *arch.Tree {
	t.Helper()
	tree, err := arch.Load(root)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// breaks applies every law.
func breaks(tree *arch.Tree, house arch.House) []arch.Violation {
	var found []arch.Violation
	for _, law := range arch.Laws() {
		found = append(found, law.Break(tree, house)...)
	}
	return found
}

// marks returns "file:line: law" for everything that is planted.
func marks(t *testing.T, tree *arch.Tree) map[string]bool {
	t.Helper()
	planted := map[string]bool{}
	for _, f := range tree.Files {
		src, err := os.ReadFile(filepath.Join(tree.Root, f.Path))
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(src), "\n") {
			_, laws, _ := strings.Cut(line, "// breaks: ")
			for law := range strings.FieldsSeq(laws) {
				planted[fmt.Sprintf("%s:%d: %s", f.Path, i+1, law)] = true
			}
		}
	}
	return planted
}

func write(t *testing.T, root, name, text string) {
	t.Helper()
	file := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
