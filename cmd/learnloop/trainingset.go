package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"learnloop.dev/api"
	"learnloop.dev/app"
	"learnloop.dev/learn/samples"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// manifest says what a training set holds.
type manifest struct {
	Version   string         `json:"version"`
	CreatedAt time.Time      `json:"created_at"`
	Filters   api.ExportArgs `json:"filters"`
	Samples   int            `json:"sample_count"`
	Families  map[string]int `json:"by_family"`
	Files     []writtenFile  `json:"files"`
}

// writtenFile is one file of a training set, as far as it is written.
type writtenFile struct {
	Name    string `json:"name"`
	Split   string `json:"split,omitzero"` // train or validation
	Samples int    `json:"sample_count"`
	Bytes   int64  `json:"bytes"`
	SHA256  string `json:"sha256,omitzero"` // once it is whole
}

// trainingSet is a training set on its way to disk. What was written is noted now and
// then, so that another process can go on there.
type trainingSet struct {
	path     string // of the first file
	manifest manifest
	files    []*setFile
	noted    time.Time
}

const noteEvery = time.Second

func (t *trainingSet) manifestPath() string { return t.path + ".manifest.json" }
func (t *trainingSet) notePath() string     { return t.path + ".progress.json" }

// openSet begins a training set, or goes on with one.
func openSet(e export) (*trainingSet, error) {
	t := &trainingSet{path: e.out, manifest: manifest{
		Version: samples.DocumentVersion, CreatedAt: time.Now().UTC().Truncate(time.Second), Filters: e.args(), Families: map[string]int{},
		Files: []writtenFile{{Name: filepath.Base(e.out)}},
	}}
	if e.validation > 0 {
		ext := filepath.Ext(e.out)
		t.manifest.Files[0].Split = string(samples.Train)
		t.manifest.Files = append(t.manifest.Files, writtenFile{Split: string(samples.Validation),
			Name: strings.TrimSuffix(filepath.Base(e.out), ext) + ".validation" + ext})
	}
	begun, err := t.recall(e.resume)
	if err != nil || t.whole() {
		return t, err
	}
	for _, f := range t.manifest.Files {
		if _, err := os.Stat(t.place(f)); err == nil {
			return nil, app.WithHint(fmt.Errorf("export: %s is there already", f.Name), "remove it, or choose another --out")
		}
	}
	return t, t.open(begun, e.format != "json")
}

// whole reports whether everything is written, though perhaps not under its name.
func (t *trainingSet) whole() bool { return t.manifest.Files[0].SHA256 != "" }

// place is where a file stands when the set is finished.
func (t *trainingSet) place(f writtenFile) string { return filepath.Join(filepath.Dir(t.path), f.Name) }

// recall reads what was noted, and reports whether there was anything.
func (t *trainingSet) recall(resume bool) (begun bool, err error) {
	data, err := os.ReadFile(t.notePath())
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("export: %w", err)
	}
	if !resume {
		return false, app.WithHint(fmt.Errorf("export: one to %s was begun", t.path),
			"go on with --resume, or remove "+t.notePath())
	}
	var noted manifest
	if err := json.Unmarshal(data, &noted); err != nil {
		return false, fmt.Errorf("export: read %s: %w", t.notePath(), err)
	}
	want := t.manifest.Filters
	want.After = noted.Filters.After
	if !alike(want, noted.Filters) {
		return false, app.WithHint(fmt.Errorf("export: the one to %s was begun with other filters", t.path),
			"give the same ones, or remove "+t.notePath())
	}
	t.manifest = noted
	return true, nil
}

// alike reports whether two orders are written down the same.
func alike(a, b api.ExportArgs) bool {
	one, errA := json.Marshal(a, json.Deterministic(true))
	other, errB := json.Marshal(b, json.Deterministic(true))
	return errA == nil && errB == nil && bytes.Equal(one, other)
}

func (t *trainingSet) open(begun, lines bool) error {
	for i := range t.manifest.Files {
		w := &t.manifest.Files[i]
		f := newSetFile(w, filepath.Dir(t.path), lines)
		if err := f.open(begun); err != nil {
			return errors.Join(fmt.Errorf("export: %w", err), t.close())
		}
		t.files = append(t.files, f)
	}
	return nil
}

// fill writes all samples, and at the end the manifest.
func (t *trainingSet) fill(ctx context.Context, l *loop, bar *progress) (m manifest, err error) {
	defer func() {
		if m = t.manifest; err != nil {
			err = errors.Join(err, t.abandon())
		} else {
			err = t.close()
		}
	}()
	if t.whole() {
		return m, t.finish()
	}
	err = l.pages(ctx, t.manifest.Filters, func(p api.ExportPage) error {
		if err := t.take(p); err != nil {
			return err
		}
		bar.known(t.manifest.Samples)
		return t.note(p.Next)
	})
	switch {
	case err != nil:
		return m, err
	case t.manifest.Samples == 0:
		return m, errNoSample
	}
	if err := t.end(); err != nil {
		return m, err
	}
	return m, t.finish()
}

// errNoSample is why there is no training set.
var errNoSample = app.WithHint(errors.New("export: no sample is chosen"),
	"learnloop samples metrics shows which there are; --min-quality any takes those without a label, too")

// take writes a page.
func (t *trainingSet) take(p api.ExportPage) error {
	sides := make([][]jsontext.Value, len(t.files))
	held := p.Validation
	for i, s := range p.Samples {
		side := 0
		if len(held) > 0 && held[0] == i {
			side, held = len(sides)-1, held[1:]
		}
		sides[side] = append(sides[side], s)
	}
	for i, f := range t.files {
		if err := f.add(sides[i]); err != nil {
			return fmt.Errorf("export: %w", err)
		}
	}
	t.manifest.Samples += len(p.Samples)
	if p.Family != "" {
		t.manifest.Families[p.Family] += len(p.Samples)
	}
	return nil
}

// note writes down how far it is, now and then.
func (t *trainingSet) note(next string) error {
	if next == "" || time.Since(t.noted) < noteEvery {
		return nil
	}
	t.noted = time.Now()
	for _, f := range t.files {
		if err := f.file.Sync(); err != nil {
			return fmt.Errorf("export: %w", err)
		}
	}
	t.manifest.Filters.After = next
	return t.write(t.notePath())
}

func (t *trainingSet) write(path string) error {
	data, err := json.Marshal(t.manifest, json.Deterministic(true), jsontext.WithIndent("  "))
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	if err := os.WriteFile(path+partial, append(data, '\n'), 0o600); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	if err := os.Rename(path+partial, path); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}

// end makes the files whole, and notes it: from here on they only need their names.
func (t *trainingSet) end() error {
	for _, f := range t.files {
		if err := f.end(); err != nil {
			return fmt.Errorf("export: %w", err)
		}
	}
	t.manifest.Filters.After = ""
	return t.write(t.notePath())
}

// finish gives whole files their names, those that have none yet, and leaves the
// manifest beside them.
func (t *trainingSet) finish() error {
	for _, f := range t.manifest.Files {
		err := os.Rename(t.place(f)+partial, t.place(f))
		if errors.Is(err, os.ErrNotExist) {
			_, err = os.Stat(t.place(f))
		}
		if err != nil {
			return fmt.Errorf("export: %w", err)
		}
	}
	if err := t.write(t.manifestPath()); err != nil {
		return err
	}
	if err := os.Remove(t.notePath()); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}

// abandon leaves what can be gone on with, and nothing else.
func (t *trainingSet) abandon() error {
	err := t.close()
	if _, noted := os.Stat(t.notePath()); !errors.Is(noted, os.ErrNotExist) {
		return err
	}
	for _, f := range t.files {
		if gone := os.Remove(f.path + partial); gone != nil && !errors.Is(gone, os.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return err
}

func (t *trainingSet) close() (err error) {
	for _, f := range t.files {
		if f.file != nil {
			err = errors.Join(err, f.file.Close())
		}
	}
	return err
}
