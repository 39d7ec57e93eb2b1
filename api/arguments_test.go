package api

import (
	"testing"

	"github.com/go-json-experiment/json"
)

func TestEveryOperationCanReadItsArguments(t *testing.T) {
	h := build(t, func(d *Deps) { d.Importer, d.Installation = Steward{}, nil })
	var all Registry
	h.api.registerTransfer(&all)
	for _, e := range append(h.api.registry.entries, all.entries...) {
		if e.name == "events.publish" { // takes a message as it is, and no argument beside it
			continue
		}
		if err := json.Unmarshal([]byte(`{}`), e.empty(), json.RejectUnknownMembers(true)); err != nil {
			t.Errorf("%s: %v", e.name, err)
		}
	}
}
