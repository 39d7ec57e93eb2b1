package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"learnloop.dev/api"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// sheets are pages of an export; every fourth sample is for validation.
func sheets() (list []api.ExportPage) {
	n := 0
	for page := range 5 {
		p := api.ExportPage{Family: fmt.Sprint("f", page/2), Next: fmt.Sprint(page+1, "@f")}
		for i := range 7 {
			p.Samples = append(p.Samples, jsontext.Value(fmt.Sprintf(`{"prompt":"p%d"}`, n)))
			if n%4 == 0 {
				p.Validation = append(p.Validation, i)
			}
			n++
		}
		list = append(list, p)
	}
	list[4].Next = ""
	return list
}

// written exports the pages, interrupted after some of them, and returns all files.
func written(t *testing.T, format string, interruptions ...int) map[string]string {
	t.Helper()
	order := export{out: filepath.Join(t.TempDir(), "set.json"), format: format, quality: "any", validation: .25}
	begin := func() *trainingSet {
		set, err := openSet(order)
		if err != nil {
			t.Fatal(err)
		}
		return set
	}
	set := begin()
	for i, page := range sheets() {
		if err := set.take(page); err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(interruptions, i) {
			continue
		}
		set.noted = time.Time{}
		if err := set.note(page.Next); err != nil {
			t.Fatal(err)
		}
		if err := set.take(sheets()[0]); err != nil { // was not noted: it must be gone
			t.Fatal(err)
		}
		if err := set.close(); err != nil {
			t.Fatal(err)
		}
		order.resume = true
		if set = begin(); set.manifest.Filters.After != page.Next {
			t.Errorf("goes on at %q, want %q", set.manifest.Filters.After, page.Next)
		}
	}
	set.manifest.CreatedAt = time.Time{}
	if err := set.end(); err != nil {
		t.Fatal(err)
	}
	if err := set.finish(); err != nil {
		t.Fatal(err)
	}
	if err := set.close(); err != nil {
		t.Fatal(err)
	}
	return filesOf(t, filepath.Dir(order.out))
}

func TestAnExportThatStoppedBetweenItsNamesIsFinished(t *testing.T) {
	for named := range 3 { // so many files had their names
		order := export{out: filepath.Join(t.TempDir(), "set.json"), format: "json", quality: "any", validation: .25}
		set, err := openSet(order)
		if err != nil {
			t.Fatal(err)
		}
		for _, page := range sheets() {
			if err := set.take(page); err != nil {
				t.Fatal(err)
			}
		}
		set.manifest.CreatedAt = time.Time{}
		if err := errors.Join(set.end(), set.close()); err != nil {
			t.Fatal(err)
		}
		for _, f := range set.manifest.Files[:named] {
			if err := os.Rename(set.place(f)+partial, set.place(f)); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := openSet(order); err == nil || !strings.Contains(err.Error(), "was begun") {
			t.Errorf("without --resume: %v", err)
		}
		order.resume = true
		again, err := openSet(order)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := again.fill(t.Context(), nil, &progress{}); err != nil { // nothing is left to ask for
			t.Fatal(err)
		}
		if diff := cmp.Diff(written(t, "json"), filesOf(t, filepath.Dir(order.out))); diff != "" {
			t.Errorf("%d files had their names:\n%s", named, diff)
		}
	}
}

func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = string(data)
	}
	return all
}

func TestAnExportThatIsTakenUpAgainIsTheSame(t *testing.T) {
	for _, format := range []string{"json", "jsonl"} {
		whole := written(t, format)
		if diff := cmp.Diff(whole, written(t, format, 0, 2, 3)); diff != "" {
			t.Errorf("%s: -whole +interrupted\n%s", format, diff)
		}
		var m manifest
		if err := json.Unmarshal([]byte(whole["set.json.manifest.json"]), &m); err != nil {
			t.Fatal(err)
		}
		if m.Samples != 35 || m.Files[0].Samples != 26 || m.Files[1].Samples != 9 || m.Families["f1"] != 14 || len(whole) != 3 {
			t.Errorf("%+v", m)
		}
	}
}

func TestAnExportWithOtherFiltersIsNotTakenUp(t *testing.T) {
	order := export{out: filepath.Join(t.TempDir(), "set.json"), format: "json", quality: "any"}
	set, err := openSet(order)
	if err != nil {
		t.Fatal(err)
	}
	if err := set.note("1@f"); err != nil {
		t.Fatal(err)
	}
	if err := set.close(); err != nil {
		t.Fatal(err)
	}
	if _, err := openSet(order); err == nil || !strings.Contains(err.Error(), "was begun") {
		t.Errorf("without --resume: %v", err)
	}
	order.resume, order.quality = true, "good"
	if _, err := openSet(order); err == nil || !strings.Contains(err.Error(), "other filters") {
		t.Errorf("with another quality: %v", err)
	}
}
