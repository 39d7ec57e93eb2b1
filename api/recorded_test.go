package api

import (
	"net/http"
	"testing"
)

func TestWhoTakesNothingInAnswersAllTheSame(t *testing.T) {
	h := build(t)
	for _, enabled := range []bool{true, false} {
		h.policy.Privacy.Enabled = enabled
		for line, body := range map[string]string{
			"POST /api/route":  `{"type":"lint","candidates":[{"model":"small","tier":1}]}`,
			"POST /api/inject": `{"task_id":"t","title":"mend the login"}`,
		} {
			var got struct {
				Recorded bool `json:"recorded"`
			}
			a := h.do(t, line, body, "Content-Type: application/json")
			if a.read(t, &got); a.status != http.StatusOK || got.Recorded != enabled {
				t.Errorf("%s with capture %t: %d, recorded %t", line, enabled, a.status, got.Recorded)
			}
		}
	}
}
