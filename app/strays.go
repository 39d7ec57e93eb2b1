package app

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"learnloop.dev/bus"
	"learnloop.dev/kv"
	"learnloop.dev/learn"
	"learnloop.dev/learn/all"
	"learnloop.dev/pipeline"
	"learnloop.dev/pipeline/analyze"
	"learnloop.dev/pipeline/inject"
	"learnloop.dev/store"

	"github.com/go-json-experiment/json"
)

// dropStrays takes back what is told of keys of which nothing is known.
//
// Our server keeps the last message of each subject. What a newer one replaced it has
// not forgotten on disk for minutes, and whoever kills it meanwhile may find the older
// one again where the newer was deleted: that of a person who was forgotten. The state
// knows better (ADR 0054).
func (l *Loop) dropStrays(ctx context.Context) error {
	if l.server == nil || l.labels == nil {
		return nil
	}
	told, err := bus.LastPerSubject(ctx, l.js, bus.InsightsStream, l.suspects())
	if err != nil {
		return fmt.Errorf("find what is told: %w", err)
	}
	folded, err := analyze.Versions(l.state)
	if err != nil {
		return err
	}
	s := strays{known: map[string]bool{}}
	for _, m := range all.Models() {
		if folded[m.Name] == m.Version { // else its rows are yet to be made
			s.models = append(s.models, m)
		}
	}
	if err := l.state.View(func(v *store.View) error { return s.sort(v, told) }); err != nil {
		return err
	}
	if err := bus.EraseMsgs(ctx, l.js, bus.InsightsStream, s.people); err != nil {
		return err
	}
	if err := l.takeBack(ctx, s.others); err != nil {
		return err
	}
	return l.dropContexts(ctx, s.known)
}

// takeBack publishes insights that say that nothing is known, and that the markers before
// them do not tell how far the contexts are any more.
func (l *Loop) takeBack(ctx context.Context, insights []bus.Message) error {
	if len(insights) == 0 {
		return nil
	}
	msgs := slices.Clone(insights)
	for p := range l.layout.Partitions {
		data, err := json.Marshal(pipeline.Mark{Partition: p})
		if err != nil {
			return fmt.Errorf("encode marker of partition %d: %w", p, err)
		}
		msgs = append(msgs, bus.Message{Subject: pipeline.MarkSubject(p), Data: data})
	}
	if _, err := bus.NewSender(l.nc, bus.InsightsStream).Send(ctx, msgs); err != nil {
		return fmt.Errorf("take back %d insights: %w", len(insights), err)
	}
	return nil
}

// takeBackPositions removes what was told of how far the contexts are, when our server
// was killed: it may have lost contexts that it had not written, and have found insights
// again. It is told anew once all insights were rendered again.
func (l *Loop) takeBackPositions(ctx context.Context) error {
	if !l.killed {
		return nil
	}
	bucket := bus.NewBucket(l.js, learn.Settings)
	cells, err := bucket.Find(ctx, inject.Positions)
	for _, c := range cells {
		err = cmp.Or(err, bucket.Remove(ctx, c))
	}
	if err != nil {
		return fmt.Errorf("take back how far the contexts are: %w", err)
	}
	return nil
}

// suspects are the insights that may be strays: those about people, and all when the
// server was killed.
func (l *Loop) suspects() string {
	if l.killed {
		return pipeline.Known + ">"
	}
	return pipeline.KnowPeople
}

// strays are insights that the state does not bear out.
type strays struct {
	models []learn.Model   // whose rows are there
	people []bus.Entry     // about people: they go
	others []bus.Message   // that take back those about other keys
	known  map[string]bool // the stored names of people of whom something is known
}

func (s *strays) sort(v *store.View, told []bus.Entry) error {
	for _, e := range told {
		var in pipeline.Insight
		if err := json.Unmarshal(e.Data, &in); err != nil {
			return fmt.Errorf("read insight %d: %w", e.Seq, err)
		}
		person, is := in.Kind == learn.KindPerson, s.stray(v, in)
		switch {
		case is && person:
			s.people = append(s.people, e)
		case person:
			s.known[in.ID] = true
		case is && in.Value != nil:
			in.Value = nil
			data, err := json.Marshal(in)
			if err != nil {
				return fmt.Errorf("encode insight of %s: %w", in.Model, err)
			}
			s.others = append(s.others, bus.Message{Subject: e.Subject, Data: data})
		}
	}
	return nil
}

// stray reports whether the state has come as far as an insight, and knows nothing of
// what it is about.
func (s *strays) stray(v *store.View, in pipeline.Insight) bool {
	part := v.Partition(in.Partition)
	if in.At > part.Cursor() {
		return false
	}
	for _, m := range s.models {
		if m.Name == in.Model {
			_, known := m.Know(part, in.Key())
			return !known
		}
	}
	return false
}

// dropContexts deletes contexts of people who are shown under no name that is known.
func (l *Loop) dropContexts(ctx context.Context, known map[string]bool) error {
	const stream, subjects = "KV_" + learn.Contexts, "$KV." + learn.Contexts + "."
	told, err := bus.LastPerSubject(ctx, l.js, stream, subjects+learn.KindPerson+".*")
	if err != nil {
		return fmt.Errorf("find contexts of people: %w", err)
	}
	shown := map[string]bool{}
	for name := range known {
		shown[l.labels.shown.Load().Show(name)] = true
	}
	var gone []bus.Entry
	for _, e := range told {
		_, id, ok := kv.ParseKey(e.Subject[len(subjects):])
		if ok && len(e.Data) > 0 && !shown[id] && !l.labels.shown.Load().Former(id) {
			gone = append(gone, e)
		}
	}
	return bus.EraseMsgs(ctx, l.js, stream, gone)
}
