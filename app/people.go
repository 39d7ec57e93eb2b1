package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"learnloop.dev/api"
	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/pipeline/ingest"
	"learnloop.dev/privacy"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/zap"
)

// openLabels opens the names people are shown under, where the master key is and
// people are shown. History hears of a key that it has not heard of: the first
// one, and one that was made just before a crash.
func (l *Loop) openLabels(ctx context.Context) error {
	if !l.role.is(Ingest) {
		return nil
	}
	told, err := l.toldLabels(ctx)
	if err != nil {
		return err
	}
	if l.kept(told) {
		l.log.Warn("people's shown names are kept by another ingest, or lost", zap.String("hint", keepHint))
		return nil
	}
	var fresh bool
	if l.labels, fresh, err = openLabels(l.config.Data, l.keys, time.Now); err != nil {
		return err
	}
	observe := l.observer()
	l.run("pseudonyms", func(ctx context.Context) error {
		return l.labels.run(ctx, func(err error) { observe.Retried("destroy a former key of pseudonyms", err) })
	})
	ring := l.labels.generations()
	switch {
	case told == l.keys.LabelID(ring[0].Secret):
		return nil
	case told != "" && fresh:
		l.log.Warn("the keys of pseudonyms were gone: people are shown under new names", zap.String("file", l.labels.path))
	}
	return l.tellLabels(ctx, ring)
}

const keepHint = "put back pseudonyms.key if it was lost; if it is gone for good, start one ingest with --set pseudonyms.anew=true"

// kept reports whether another ingest keeps the names people are shown under: one
// that has the file. Only one may, or they would show two names.
func (l *Loop) kept(told string) bool {
	if l.role == Everything || told == "" || l.config.Pseudonyms.Anew {
		return false
	}
	_, err := os.Stat(filepath.Join(l.config.Data, labelsFile))
	return errors.Is(err, fs.ErrNotExist)
}

// labelsKey is where the settings bucket names the key of labels in use.
const labelsKey = "pseudonyms"

// toldLabels is the key that the bucket names, "" for none.
func (l *Loop) toldLabels(ctx context.Context) (id string, err error) {
	bucket, err := l.js.KeyValue(ctx, learn.Settings)
	if err != nil {
		return "", fmt.Errorf("open bucket %s: %w", learn.Settings, err)
	}
	entry, err := bucket.Get(ctx, labelsKey)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read settings %s: %w", labelsKey, err)
	}
	var told api.Rotation
	_ = json.Unmarshal(entry.Value(), &told) // what is not ours is told anew
	return told.KeyID, nil
}

// tellLabels puts into the log which key is in use, and never the key. One key
// is one fact, however often it is told.
func (l *Loop) tellLabels(ctx context.Context, ring []privacy.Generation) error {
	now := l.rotation(ring)
	value, err := learn.Canonical(now)
	if err != nil {
		return err
	}
	return l.door.Control(ctx, ingest.Order{
		ID: "pseudonyms/" + now.KeyID, Kind: events.ControlSettings.Kind, At: now.Since,
		Payload: &events.SettingsChanged{Key: labelsKey, Value: value, Actor: ring[0].By},
	})
}

// rotation describes generations, without their secrets.
func (l *Loop) rotation(ring []privacy.Generation) *api.Rotation {
	out := &api.Rotation{KeyID: l.keys.LabelID(ring[0].Secret), Since: ring[0].Since, Former: []api.FormerKey{}}
	for _, g := range ring[1:] {
		out.Former = append(out.Former, api.FormerKey{KeyID: l.keys.LabelID(g.Secret), Until: g.Until})
	}
	return out
}

// rotate shows people under new names from now on. When the log does not take
// the news, the next start tells it.
func (l *Loop) rotate(ctx context.Context, o api.RotateOrder) (*api.Rotation, error) {
	window := l.authority.policy.Load().Privacy.AliasWindow
	if o.Window != nil {
		window = *o.Window
	}
	before := l.nameplates.known(people{l})
	ring, err := l.labels.rotate(o.Actor, time.Duration(window)*time.Second)
	if err != nil {
		return nil, fmt.Errorf("rotate the key of pseudonyms: %w", err)
	}
	if err := l.nameplates.move(ctx, before, people{l}); err != nil {
		return nil, fmt.Errorf("move the contexts of people to their new names: %w", err)
	}
	l.log.Info("key of pseudonyms rotated", zap.String("key", l.keys.LabelID(ring[0].Secret)), zap.Int("former", len(ring)-1))
	if err := l.tellLabels(ctx, ring); err != nil {
		return nil, fmt.Errorf("tell that the key of pseudonyms was rotated: %w", err)
	}
	return l.rotation(ring), nil
}

// people are the names of people, as a process knows them that holds the keys.
type people struct{ loop *Loop }

// people knows the names of people: from the keys, or by asking who has them.
func (l *Loop) people() api.People {
	if l.labels != nil {
		return people{l}
	}
	return api.NewSteward(l.nc)
}

// Show returns the labels of stored names.
func (p people) Show(_ context.Context, names []string) ([]string, error) {
	labels, shown := p.loop.labels.shown.Load(), make([]string, len(names))
	for i, name := range names {
		shown[i] = labels.Show(name)
	}
	return shown, nil
}

// Find is the stored name behind a label, or that of a raw user id.
func (p people) Find(_ context.Context, user string) (api.Found, error) {
	if name, known := p.loop.labels.shown.Load().Find(user, p.loop.labels.now()); known {
		return api.Found{Name: name, Shown: true}, nil
	}
	if !p.loop.authority.policy.Load().Privacy.AnonymizeUsers {
		return api.Found{Name: user}, nil
	}
	return api.Found{Name: p.loop.keys.Pseudonym(privacy.Users, user)}, nil
}

// knownBy lists all that a person may be known by: what becomes of the raw user id,
// names that were found besides, and every label of these.
func (p people) knownBy(_ context.Context, user string, names []string) (api.Known, error) {
	known := ingest.KnownBy(p.loop.keys, user)
	stored := slices.Compact(slices.Sorted(slices.Values(slices.Concat(known.Names, names))))
	all := slices.Clone(stored)
	for _, name := range stored {
		all = append(all, p.loop.labels.shown.Load().Aliases(name)...)
	}
	return api.Known{Subjects: known.Subjects, Names: all}, nil
}

// absent are the people who are left out of what is shared, by keyed hash.
func absent(p *ingest.Policy) (people []string) {
	for person, choice := range p.Choices {
		if !choice.ParticipateInTeamLearning {
			people = append(people, person)
		}
	}
	slices.Sort(people)
	return people
}
