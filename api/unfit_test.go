package api

import "testing"

func TestWhatIsWrongWithArgumentsIsSaidAtItsPlace(t *testing.T) {
	h, _ := school(t)
	const every = "one of the arguments action, confidence, context, domain, id, idempotency_key, implication, observation, pattern_type, " +
		"source_outcome_id, source_task_id, tags, title, user_id"
	for _, c := range []struct{ line, body, pointer, expected string }{
		{"POST /api/learnings", `{"title":"t","context":"c","implication":"i","action":"a"}`, "/observation", "a value: it is required"},
		{"POST /api/learnings", `{"title":"t",` + coia + `,"titel":"t"}`, "/titel", every},
		{"POST /api/learnings", `{"title":"t",` + coia + `,"tags":7}`, "/tags", "a text, or an array of texts"},
		{"POST /api/learnings", `{"title":"t",` + coia + `,"pattern_type":"x"}`, "/pattern_type", "one of solution, gotcha, best-practice, constraint"},
		{"POST /api/learnings", `nonsense`, "/", "JSON: invalid character 'o' in literal null (expecting 'u') after offset 1"},
		{"GET /api/learnings/search", ``, "/q", "a value: it is required"},
		{"GET /api/learnings?limit=many", ``, "/limit", "integer"},
		{"GET /api/learnings?min_confidence=high", ``, "/min_confidence", "number"},
		{"GET /api/statistics?exclude_bulk=perhaps", ``, "/exclude_bulk", "boolean"},
		{"GET /api/statistics?from=yesterday", ``, "/from", "date-time as in RFC 3339: 2006-01-02T15:04:05Z"},
		{"GET /api/learnings/lift?titel=t", ``, "/titel", "one of the arguments id"},
	} {
		p := h.do(t, c.line, c.body).problem(t)
		if len(p.Errors) != 1 || p.Errors[0].Pointer != c.pointer || p.Errors[0].Expected != c.expected {
			t.Errorf("%s %s: %+v", c.line, c.body, p.Errors)
		}
	}
}

func TestAnotherContentTypeIsAnsweredWithOurs(t *testing.T) {
	h, _ := school(t)
	p := h.do(t, "POST /api/learnings", `{"title":"t",`+coia+`}`, "Content-Type: application/x-www-form-urlencoded").problem(t)
	if p.Status != 415 || p.Code != UnsupportedMedia || p.Hint != "send Content-Type: application/json" || len(p.Errors) > 0 {
		t.Errorf("%+v", p)
	}
}
