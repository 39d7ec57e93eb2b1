package arch_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"learnloop.dev/internal/arch"
)

const root = "../.."

func TestTheHouseKeepsItsLaws(t *testing.T) {
	tree, err := arch.Load(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, law := range arch.Laws() {
		t.Run(law.Name, func(t *testing.T) {
			for _, v := range law.Break(tree, arch.Learnloop()) {
				t.Error(v)
			}
		})
	}
}

func TestEveryVendorStandsInAnADR(t *testing.T) {
	adrs := decisions(t)
	for module := range arch.Learnloop().Owners {
		if !strings.Contains(adrs, "`"+module+"`") {
			t.Errorf("%s has an owner and no line in docs/adr: say what we would otherwise write by hand", module)
		}
	}
}

// decisions returns the text of every ADR.
func decisions(t *testing.T) string {
	t.Helper()
	names, err := filepath.Glob(root + "/docs/adr/[0-9]*.md")
	if err != nil || len(names) == 0 {
		t.Fatalf("no ADRs: %v", err)
	}
	var all strings.Builder
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(src)
	}
	return all.String()
}
