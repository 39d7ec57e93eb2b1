package settings_test

import (
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/learn/learntest"
	"learnloop.dev/learn/settings"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"
)

func TestScripts(t *testing.T) { learntest.Scripts(t, "testdata", settings.Model()) }

func TestAChangeThatArrivesLateDoesNotUndoALaterOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "changes")
		l := learntest.Loop{Models: []learn.Model{settings.Model()}, Partitions: 3}
		for _, i := range rapid.Permutation(numbers(n)).Draw(t, "order") {
			if err := l.Hear(changed(i)); err != nil {
				t.Fatal(err)
			}
		}
		contexts, err := l.Contexts()
		if err != nil {
			t.Fatal(err)
		}
		want := string(value(n - 1))
		if got := string(contexts["learn_settings privacy"]); got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
	})
}

func FuzzFold(f *testing.F) {
	learntest.Fuzz(f, settings.Model(), `{"key":"privacy","value":{"text_mode":"full"}}`, `{"key":"","value":null}`, `{"key":"x"}`)
}

func numbers(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

func at(i int) time.Time { return time.Date(2026, 1, 1, i, 0, 0, 0, time.UTC) }

func value(i int) jsontext.Value { return jsontext.Value{byte('0' + i)} }

func changed(i int) learntest.Event {
	return learntest.Event{
		Kind: events.ControlSettings.Kind,
		ID:   string(value(i)),
		Time: at(i),
		Data: jsontext.Value(`{"key":"privacy","value":` + string(value(i)) + `}`),
	}
}
