package ingest

import (
	"reflect"
	"testing"

	"learnloop.dev/events"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestTheTaskThatIsHandedOverIsTheOneThatIsStored(t *testing.T) {
	g, whole := gate(t, defaults()), cmp.Exporter(func(reflect.Type) bool { return true })
	odd := jsontext.Value(`{"task_id":7,"goal":" Ask jane.roe@example.com \u2028 \ud83d\ude00","status":"cancelled",
		"timestamp":"2024-02-29T23:59:59.123456789+14:00",
		"subtasks":[{"id":"a","success":null,"duration_seconds":0.1234567890123456789,"depends_on":[],"failure_reasons":["x"]},
			{"id":"a","success":false,"tokens_used":99999999999}],
		"corrections":[{"tags":"one","instruction":"be brief"},{"instruction":"","tags":[]}],"template":"t","user_id":"u"}`)
	for _, data := range append(examples(t, events.TaskFinished.Kind), odd) {
		env := envelope("1", string(data))
		env.Kind = events.TaskFinished.Kind
		v, err := g.Admit(env.Kind.Subject(), env)
		if err != nil || len(v.Messages) != 2 {
			t.Fatalf("%v, %+v", err, v.Refusal)
		}
		for _, m := range v.Messages {
			stored, err := events.TaskFinished.ReadFact(m.Data)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(m.Value, stored, whole, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("handed over (-) and stored (+) differ:\n%s", diff)
			}
		}
	}
}
