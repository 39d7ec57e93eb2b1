package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"learnloop.dev/app"
)

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func TestAFolderIsExaminedFromOutside(t *testing.T) {
	const key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n"
	for name, c := range map[string]struct {
		furnish func(dir string)
		about   string
		want    app.Verdict
		says    string
	}{
		"new":                  {func(string) {}, "master key", app.Fine, "none yet"},
		"in order":             {func(dir string) { write(t, dir+"/master.key", key, 0o600) }, "master key", app.Fine, "whole"},
		"key lost":             {func(dir string) { write(t, dir+"/nats/jetstream/x", "", 0o600) }, "master key", app.Faulty, "missing"},
		"key of others":        {func(dir string) { write(t, dir+"/master.key", key, 0o644) }, "master key", app.Faulty, "read by others"},
		"no key":               {func(dir string) { write(t, dir+"/master.key", "?", 0o600) }, "master key", app.Faulty, "not a key"},
		"short key":            {func(dir string) { write(t, dir+"/master.key", "AAEC\n", 0o600) }, "master key", app.Faulty, "needs 32"},
		"token of others":      {func(dir string) { write(t, dir+"/admin.token", "x", 0o640) }, "other keys", app.Faulty, "read by others"},
		"credential no longer": {func(dir string) { write(t, dir+"/admin.creds", "x", 0o600) }, "other keys", app.Faulty, "admin.creds"},
	} {
		dir := t.TempDir()
		c.furnish(dir)
		before := listing(t, dir)
		f := findingOn(t, app.ExamineFolder(dir), c.about)
		if f.Verdict != c.want || !strings.Contains(f.Found, c.says) || (f.Verdict != app.Fine) != (f.Do != "") {
			t.Errorf("%s: %+v, want %s with %q", name, f, c.want, c.says)
		}
		if after := listing(t, dir); after != before {
			t.Errorf("%s: the folder held %s, and after a look at it %s", name, before, after)
		}
	}
}

func TestWhatIsNoFolderIsToldOfAndNothingElse(t *testing.T) {
	dir := t.TempDir()
	write(t, dir+"/file", "", 0o600)
	for path, want := range map[string]app.Verdict{dir + "/none": app.Worrying, dir + "/file": app.Faulty} {
		if found := app.ExamineFolder(path); len(found) != 1 || found[0].Verdict != want || found[0].Do == "" {
			t.Errorf("%s: %+v", path, found)
		}
	}
}

func findingOn(t *testing.T, all []app.Finding, about string) app.Finding {
	t.Helper()
	for _, f := range all {
		if f.About == about {
			return f
		}
	}
	t.Fatalf("nothing about %s in %+v", about, all)
	return app.Finding{}
}

// listing names the files of a folder.
func listing(t *testing.T, dir string) string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		names = append(names, strings.TrimPrefix(path, dir))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(names, " ")
}
