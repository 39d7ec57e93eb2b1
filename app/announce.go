package app

import (
	"context"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/pipeline"
	"learnloop.dev/pipeline/effect"
	"learnloop.dev/store"
)

// announcer names the consumer that all processes share.
const announcer = "announcer"

// atOnce is how many samples are on their way to who listens.
const atOnce = 1000

// openAnnounce tells which samples were stored.
func (l *Loop) openAnnounce(context.Context) error {
	samples := bus.NewFacts(l.js, bus.Sharing{Name: announcer, Filter: pipeline.Log + "*." + string(events.SampleCaptured.Kind),
		Wait: effect.Telling, AtOnce: atOnce})
	l.onClose(func() error { samples.Close(); return nil })
	l.run("announce", effect.Announcer{Samples: samples, Standings: l.standings, Notices: bus.NewNotices(l.nc),
		Now: time.Now, Observe: l.observer(), Every: tellEvery}.Run)
	return nil
}

// standings looks in the state how log entries stand.
func (l *Loop) standings(entries []effect.Place) (list []effect.Standing, err error) {
	list = make([]effect.Standing, len(entries))
	return list, l.state.View(func(v *store.View) error {
		for i, e := range entries {
			list[i] = standing(v.Partition(e.Partition), e)
		}
		return nil
	})
}

func standing(p store.Frozen, e effect.Place) effect.Standing {
	if p.Cursor() < e.Seq {
		return effect.Unfolded
	}
	if rec, known := p.Record(e.Record); known && rec.Header().Seq == e.Seq {
		return effect.Counting
	}
	return effect.Idle
}
