package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"learnloop.dev/learn/outcomes"

	"go.uber.org/zap"
)

func TestBuiltInTemplatesAreSoundAndCoverTheUsualGoals(t *testing.T) {
	list, err := readTemplates(builtIn, templatesDir, outcomes.BuiltIn, nil)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, template := range list {
		seen[template.ID] = true
		if len(template.Keywords) == 0 || template.Prompt == "" || template.Source != outcomes.BuiltIn {
			t.Errorf("%+v", template)
		}
	}
	for _, id := range []string{
		"code-refactoring", "bug-fix", "new-feature", "add-tests", "migration", "dependency-upgrade", "documentation", "data-processing",
	} {
		if !seen[id] {
			t.Errorf("there is no template %s", id)
		}
	}
}

func TestAUsersTemplatesJoinTheBuiltInOnesAndBadFilesArePassedOver(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, templatesDir)
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"mine.yaml":   "name: Bug fix\nplan:\n  - id: ask-ada\n",
		"other.yml":   "name: Release\nkeywords: ship\nplan:\n  - id: tag\n  - id: push\n    depends_on: [tag]\n",
		"cycle.yaml":  "name: c\nplan:\n  - id: a\n    depends_on: [b]\n  - id: b\n    depends_on: [a]\n",
		"noname.yaml": "plan:\n  - id: a\n",
		"extra.yaml":  "name: e\nplan:\n  - id: a\n    colour: red\n",
		"broken.yaml": "name: [\n",
		"notes.txt":   "nothing",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	l := &Loop{config: Config{Data: dir}, log: zap.NewNop()}
	list, err := l.shipped()
	if err != nil {
		t.Fatal(err)
	}
	var own []string
	for _, template := range list {
		if template.Source == outcomes.Folder {
			own = append(own, template.ID+":"+template.Plan[0].ID)
		}
	}
	if got := strings.Join(own, " "); got != "bug-fix:ask-ada release:tag" {
		t.Errorf("the user's are %s", got)
	}
}
