package deploy_test

import (
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"learnloop.dev/api"
	"learnloop.dev/app"
)

// attempts is how often two processes reach for one token.
const attempts = 20

func TestOfTwoInjectorsThatRedeemOneTokenOneSucceeds(t *testing.T) {
	p := build(t)
	p.opine(t, "anna", 6)
	dir := filepath.Join(p.folder, "twin")
	twin := p.launch(t, app.Injector, dir)
	t.Cleanup(func() { twin.end(t, app.Injector) })
	for range attempts {
		token := call[api.Clearing](t, p, "clear", map[string]any{"rules": []string{"rule1"}}).Confirm.Token
		body := `{"rules":["rule1"],"confirm":"` + token + `"}`
		doors := []func() (int, string){
			func() (int, string) { return p.post(t, "/api/clear", body) },
			func() (int, string) { return twin.post(t, filepath.Join(dir, "admin.token"), "/api/clear", body) },
		}
		statuses, said := make([]int, len(doors)), make([]string, len(doors))
		var all sync.WaitGroup
		for i, ask := range doors {
			all.Go(func() { statuses[i], said[i] = ask() })
		}
		all.Wait()
		won := 0
		for i, status := range statuses {
			switch {
			case status == http.StatusOK && strings.Contains(said[i], `"cleared":true`):
				won++
			case status != http.StatusUnprocessableEntity || !strings.Contains(said[i], `"/confirm"`):
				t.Errorf("%d %s", status, said[i])
			}
		}
		if won != 1 {
			t.Fatalf("%d of two redeemed one token: %v", won, said)
		}
	}
	if got := p.total(t); got != 4 {
		t.Errorf("%d decisions are left, want 4", got)
	}
}
