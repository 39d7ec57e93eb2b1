package inject

import (
	"slices"
	"testing"

	"learnloop.dev/bus"
	"learnloop.dev/kv"
	"learnloop.dev/learn"
	"learnloop.dev/pipeline"
)

func TestBucketsHaveTheSameNamesForModelsAndForGenerators(t *testing.T) {
	models := []string{learn.Contexts, learn.Entries, learn.Settings, learn.Owners}
	generators := []string{kv.Contexts, kv.Learnings, kv.Settings, kv.Owners}
	if !slices.Equal(models, generators) {
		t.Errorf("models put into %v, generators read %v", models, generators)
	}
}

func TestStreamsTakeWhatTheStagesPublish(t *testing.T) {
	js := loop(t)
	for name, want := range map[string][]string{
		bus.InboxStream:    {pipeline.In + ">"},
		bus.EventsStream:   {pipeline.Log + ">"},
		bus.InsightsStream: {pipeline.Known + ">", pipeline.Marks + "*"},
	} {
		s, err := js.Stream(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.CachedInfo().Config.Subjects; !slices.Equal(got, want) {
			t.Errorf("%s takes %v, want %v", name, got, want)
		}
	}
}
