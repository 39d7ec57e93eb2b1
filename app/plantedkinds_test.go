package app_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"learnloop.dev/events"
	"learnloop.dev/schemas"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"
)

// example is an example of a kind, in which texts can be planted.
type example struct {
	spec events.Spec
	text string
}

// examples are those of the schemas of all kinds that agents may publish, or else of
// those of operators; the first of each kind is given the texts that it lacks.
func examples(t *testing.T, control bool) (list []example) {
	t.Helper()
	for spec := range events.All() {
		if spec.Name().Control() != control {
			continue
		}
		data, _ := schemas.Kind(string(spec.Name()))
		var schema struct {
			Properties map[string]any   `json:"properties"`
			Examples   []map[string]any `json:"examples"`
		}
		if err := json.Unmarshal(data, &schema); err != nil || len(schema.Examples) == 0 {
			t.Fatalf("%s: %d examples, %v", spec.Name(), len(schema.Examples), err)
		}
		for i, e := range schema.Examples {
			if i == 0 {
				fill(spec, e, slices.Sorted(maps.Keys(schema.Properties)))
			}
			list = append(list, example{spec, written(e)})
		}
	}
	return list
}

// fill adds a text for every name that an example lacks and that takes one.
func fill(spec events.Spec, e map[string]any, names []string) {
	for _, name := range names {
		if _, there := e[name]; there {
			continue
		}
		e[name] = "a"
		if _, refusal := events.Decode(spec, []byte(written(e))); refusal.Refused() {
			delete(e, name)
		}
	}
}

func written(value any) string {
	text, err := json.Marshal(value, json.Deterministic(true))
	if err != nil {
		panic(err) // it was JSON before
	}
	return string(text)
}

// leaf visits every text of a value, keys of objects not included, and puts what
// visit returns in its place.
func leaf(value any, visit func(text string) string) any {
	switch v := value.(type) {
	case string:
		return visit(v)
	case []any:
		for i := range v {
			v[i] = leaf(v[i], visit)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			v[name] = leaf(v[name], visit)
		}
	}
	return value
}

// with is the example with a text in place of some of its texts, by their order.
func (e example) with(text string, at func(n int) bool) string {
	var value any
	if err := json.Unmarshal([]byte(e.text), &value); err != nil {
		panic(err) // it was JSON before
	}
	n := -1
	return written(leaf(value, func(was string) string {
		if n++; at(n) {
			return text
		}
		return was
	}))
}

// free lists the texts that may be anything: no times, no words of a list.
func (e example) free() (free []int) {
	count := 0
	e.with("", func(int) bool { count++; return false })
	for n := range count {
		planted := e.with("anything at all", func(m int) bool { return m == n })
		if _, refusal := events.Decode(e.spec, []byte(planted)); !refusal.Refused() {
			free = append(free, n)
		}
	}
	return free
}

// planted are a secret in every text of every kind: alone and within a sentence
// where anything may stand, and once where it may not, which is refused.
func planted(t *testing.T, s secret, control bool) (list []string) {
	t.Helper()
	for i, e := range examples(t, control) {
		free := e.free()
		isFree := func(n int) bool { return slices.Contains(free, n) }
		for j, text := range []string{s.text, "Please note " + s.text + " in your answer"} {
			list = append(list, event(fmt.Sprint(s.name, i, j), e.spec.Name().Type(), e.with(text, isFree)))
		}
		list = append(list, event(fmt.Sprint(s.name, i, "all"), e.spec.Name().Type(), e.with(s.text, func(int) bool { return true })))
	}
	return list
}

func TestWhatIsPlantedInAnyFieldOfAnyKindIsFoundNowhere(t *testing.T) {
	for name, pairs := range map[string][]string{"encrypted": {"privacy.text_mode=full"}, "in clear": {"privacy.text_mode=full", inClear}} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name == "encrypted" {
				t.Skip("short: in clear the same is searched, and more is found")
			}
			a := meet(t, t.TempDir(), pairs...)
			fixes := 0
			for _, s := range secrets {
				list := planted(t, s, false)
				a.publish(t, batch(list...))
				a.post(t, batch(list...))
				a.publishReserved(t, list)
				fixes++
			}
			a.drained(t)
			a.reflected(t, fixes)
			if kinds := a.kinds(t); len(kinds) < 21 {
				t.Errorf("the log has only %v", slices.Sorted(maps.Keys(kinds)))
			}
			a.combStreams(t)
			a.combState(t)
			a.combAnswers(t)
			a.stop()
			combFolder(t, a.data, name == "encrypted")
		})
	}
}

func TestWhatIsPlantedInOrdersOfOperatorsIsFoundNowhere(t *testing.T) {
	if testing.Short() {
		t.Skip("short: orders go to every partition")
	}
	a := meet(t, t.TempDir(), "privacy.text_mode=full", inClear)
	for _, s := range secrets {
		a.publishReserved(t, planted(t, s, true))
		a.publish(t, batch(s.events()...)) // so that there is something to look through
	}
	a.drained(t)
	kinds := map[string]bool{}
	a.everyMessage(t, func(stream, subject, _ string) {
		if parts := strings.SplitN(subject, ".", 4); stream == "LEARN_EVENTS" && strings.HasPrefix(parts[3], "control.") {
			kinds[parts[3]] = true
		}
	})
	if len(kinds) < 12 {
		t.Errorf("the log has only %v", slices.Sorted(maps.Keys(kinds)))
	}
	a.combStreams(t)
	a.combState(t)
	if names := found(a.log.read()); len(names) > 0 {
		t.Errorf("%v in the log", names)
	}
	a.stop()
	combFolder(t, a.data, false)
}

// publishReserved publishes what only operators may, each on its own subject.
func (l *living) publishReserved(t *testing.T, list []string) {
	t.Helper()
	for _, text := range list {
		var e struct {
			Type string `json:"type"`
		}
		if err := json.Unmarshal([]byte(text), &e); err != nil {
			t.Fatal(err)
		}
		kind, _ := events.KindOf(e.Type)
		if events.AllowedOn(events.InboxPrefix, kind) {
			continue
		}
		m := nats.NewMsg(kind.Subject())
		m.Header.Set("Content-Type", "application/cloudevents+json")
		m.Data = []byte(text)
		if _, err := l.js.PublishMsg(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
}

// kinds are those of agents in the log.
func (l *living) kinds(t *testing.T) map[string]bool {
	t.Helper()
	kinds := map[string]bool{}
	l.everyMessage(t, func(stream, subject, _ string) {
		if parts := strings.SplitN(subject, ".", 4); stream == "LEARN_EVENTS" && !strings.HasPrefix(parts[3], "control.") {
			kinds[parts[3]] = true
		}
	})
	return kinds
}

func TestEveryTextOfEveryKindIsPlanted(t *testing.T) {
	covered := map[string]bool{}
	for _, e := range append(examples(t, false), examples(t, true)...) {
		var top map[string]any
		if err := json.Unmarshal([]byte(e.text), &top); err != nil {
			t.Fatal(err)
		}
		for field := range top {
			covered[string(e.spec.Name())+"."+field] = true
		}
	}
	for spec := range events.All() {
		data, _ := schemas.Kind(string(spec.Name()))
		var schema struct {
			Properties map[string]any `json:"properties"`
		}
		if err := json.Unmarshal(data, &schema); err != nil {
			t.Fatal(err)
		}
		for field, property := range schema.Properties {
			about := fmt.Sprint(property)
			takesText := strings.Contains(about, "string") && !strings.Contains(about, "date-time") && !strings.Contains(about, "enum")
			if where := string(spec.Name()) + "." + field; takesText && !covered[where] {
				t.Errorf("no example has %s", where)
			}
		}
	}
}
