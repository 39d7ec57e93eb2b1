package app

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"learnloop.dev/events"
	"learnloop.dev/learn/outcomes"
	"learnloop.dev/schemas"

	"github.com/go-json-experiment/json"
	"go.uber.org/zap"
)

// builtIn are the templates of plans that come with the product.
//
//go:embed templates/*.yaml
var builtIn embed.FS

// templatesDir is the folder, within the data folder, in which users put templates of
// their own. One with the name of a built-in one takes its place.
const templatesDir = "templates"

// shipped reads the built-in templates, and those of the user. A file of the user's
// that is no template is passed over, and logged.
func (l *Loop) shipped() ([]outcomes.Template, error) {
	list, err := readTemplates(builtIn, templatesDir, outcomes.BuiltIn, nil)
	if err != nil {
		return nil, err
	}
	folder := filepath.Join(l.config.Data, templatesDir)
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return list, nil
	}
	own, err := readTemplates(os.DirFS(folder), ".", outcomes.Folder, func(name string, err error) {
		l.log.Warn("template not read", zap.String("file", name), zap.Error(err))
	})
	return replaced(list, own), err
}

// replaced are the templates of the list, and others in the place of those of their names.
func replaced(list, others []outcomes.Template) []outcomes.Template {
	at := map[string]int{}
	for i, t := range list {
		at[t.ID] = i
	}
	for _, t := range others {
		if i, known := at[t.ID]; known {
			list[i] = t
			continue
		}
		at[t.ID] = len(list)
		list = append(list, t)
	}
	return list
}

// readTemplates reads the YAML files of a folder. A nil complain makes what is wrong
// with one an error.
func readTemplates(from fs.FS, dir, source string, complain func(file string, err error)) (list []outcomes.Template, err error) {
	files, err := fs.ReadDir(from, dir)
	if err != nil {
		return nil, fmt.Errorf("list templates: %w", err)
	}
	for _, f := range files {
		if ext := path.Ext(f.Name()); f.IsDir() || ext != ".yaml" && ext != ".yml" {
			continue
		}
		data, err := fs.ReadFile(from, path.Join(dir, f.Name()))
		if err == nil {
			var t outcomes.Template
			if t, err = ReadTemplate(data); err == nil {
				t.Source = source
				list = append(list, t.Rated())
				continue
			}
		}
		if complain == nil {
			return nil, fmt.Errorf("read template %s: %w", f.Name(), err)
		}
		complain(f.Name(), err)
	}
	return list, nil
}

// ReadTemplate reads one template of YAML, or JSON, and holds it to the schema of those that come as
// events, and to what a plan has to be.
func ReadTemplate(data []byte) (t outcomes.Template, err error) {
	values, err := yamlParser{}.Unmarshal(data)
	if err != nil {
		return t, errors.New("not the YAML of a template")
	}
	doc, err := json.Marshal(values, json.Deterministic(true))
	if err != nil {
		return t, errors.New("not the YAML of a template")
	}
	if broken, _ := schemas.Check(string(events.TemplateAdded.Kind), doc); len(broken) > 0 {
		return t, fmt.Errorf("at %s: want %s", broken[0].Pointer, broken[0].Expected)
	}
	var file struct {
		Name     string          `json:"name"`
		Keywords events.Tags     `json:"keywords"`
		Plan     []outcomes.Step `json:"plan"`
	}
	if err := json.Unmarshal(doc, &file, json.RejectUnknownMembers(true)); err != nil {
		return t, errors.New("a step has id, description, model_tier, verification_tier and depends_on, and nothing else")
	}
	t = outcomes.Template{
		Kind: outcomes.KindTemplate, ID: slug(file.Name), Schema: "dev.learnloop.context.template.v1", Name: file.Name,
		Keywords: file.Keywords, Plan: file.Plan,
	}
	return t, outcomes.CheckPlan(file.Plan)
}

// slug is the id of a template in a file: its name in lower case, hyphens for spaces.
func slug(name string) string { return strings.Join(strings.Fields(strings.ToLower(name)), "-") }
