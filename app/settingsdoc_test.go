package app

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// documented lists how the rows of all settings begin: key, default, variable.
func documented(t *testing.T, prefix string, v reflect.Value) (rows []string) {
	t.Helper()
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() {
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Type.Kind() == reflect.Struct {
			rows = append(rows, documented(t, prefix+name+".", v.Field(i))...)
			continue
		}
		value, err := json.Marshal(v.Field(i).Interface())
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, fmt.Sprintf("| `%s` | `%s` | `%s` |", prefix+name, value, variable(t, prefix+name)))
	}
	return rows
}

// variable is the environment variable of a setting.
func variable(t *testing.T, key string) string {
	t.Helper()
	name := environmentPrefix + strings.ReplaceAll(strings.ToUpper(key), ".", "__")
	if read, _ := fromEnvironment(name, "x"); read != key {
		t.Errorf("%s is read as %q, not as %s", name, read, key)
	}
	return name
}

func TestEverySettingIsDocumentedWithItsDefaultAndItsVariable(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "settings.md"))
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	for line := range strings.Lines(string(text)) {
		if cells := strings.SplitAfterN(line, "|", 5); len(cells) == 5 && strings.HasPrefix(line, "| `") {
			if strings.TrimSpace(strings.Trim(cells[4], "|\n ")) == "" {
				t.Errorf("nothing is said about %s", cells[1])
			}
			have = append(have, strings.Join(cells[:4], ""))
		}
	}
	want := documented(t, "", reflect.ValueOf(Default()))
	for _, row := range want {
		if !slices.Contains(have, row) {
			t.Errorf("docs/settings.md lacks\n%s", row)
		}
	}
	for _, row := range have {
		if !slices.Contains(want, row) {
			t.Errorf("docs/settings.md has what is not so:\n%s", row)
		}
	}
	for name := range historic {
		if name != implicitTwin && !strings.Contains(string(text), "`"+name+"`") {
			t.Errorf("docs/settings.md lacks %s", name)
		}
	}
}
