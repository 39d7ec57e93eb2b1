package app

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"learnloop.dev/access"
	"learnloop.dev/bus"
	"learnloop.dev/learn"

	"github.com/go-json-experiment/json"
	"go.uber.org/zap"
)

// tokenKeys are the keys of the settings bucket under which tokens stand.
const tokenKeys = "$KV." + learn.Settings + ".token.*"

// openTokens reads the tokens there are, and follows what becomes of them in whichever
// process.
func (l *Loop) openTokens(ctx context.Context) error {
	stream := "KV_" + learn.Settings
	last, err := bus.Last(ctx, l.js, stream)
	if err != nil {
		return err
	}
	entries, err := bus.LastPerSubject(ctx, l.js, stream, tokenKeys)
	if err != nil {
		return fmt.Errorf("read tokens: %w", err)
	}
	for _, e := range entries {
		l.heedToken(e)
	}
	log := bus.ReadLog(l.js, stream, last+1, tokenKeys)
	l.onClose(func() error { log.Close(); return nil })
	l.run("tokens", func(ctx context.Context) error {
		for ctx.Err() == nil {
			entries, err := log.Next(ctx)
			if err != nil && ctx.Err() == nil {
				return fmt.Errorf("follow tokens: %w", err)
			}
			for _, e := range entries {
				l.heedToken(e)
			}
		}
		return nil
	})
	l.run("purged tokens", func(ctx context.Context) error {
		tick := time.NewTicker(missEvery)
		defer tick.Stop()
		var missed []string
		for {
			select {
			case <-ctx.Done():
				return nil
			case <-tick.C:
			}
			now, err := l.missTokens(ctx, missed)
			if missed = now; err != nil && ctx.Err() == nil {
				l.log.Warn("tokens not compared with their bucket", zap.Error(err))
			}
		}
	})
	return nil
}

// missEvery is how often tokens are looked for that went without a word: who purges a
// bucket leaves nothing that tells of it.
const missEvery = time.Minute

// missTokens strikes tokens that the bucket does not have, and did not have when they were
// missed before: a replica may be behind by a moment. It returns those that are missed now.
// A token is written there before it is entered here.
func (l *Loop) missTokens(ctx context.Context, before []string) (missed []string, err error) {
	known := l.tokens.All()
	if len(known) == 0 {
		return nil, nil
	}
	entries, err := bus.LastPerSubject(ctx, l.js, "KV_"+learn.Settings, tokenKeys)
	if err != nil {
		return before, err
	}
	there := map[string]bool{}
	for _, e := range entries {
		there[idOfToken(e.Subject)] = true
	}
	for _, t := range known {
		switch {
		case there[t.ID]:
		case slices.Contains(before, t.ID):
			l.tokens.Strike(t.ID)
		default:
			missed = append(missed, t.ID)
		}
	}
	return missed, nil
}

func idOfToken(subject string) string { return subject[strings.LastIndexByte(subject, '.')+1:] }

// heedToken enters a token, or strikes one that somebody deleted.
func (l *Loop) heedToken(e bus.Entry) {
	id := idOfToken(e.Subject)
	if len(e.Header["KV-Operation"]) > 0 {
		l.tokens.Strike(id)
		return
	}
	var t access.Token
	if err := json.Unmarshal(e.Data, &t); err != nil || t.ID != id {
		l.log.Warn("token cannot be read and opens nothing", zap.String("id", id))
		return
	}
	l.tokens.Enter(t)
}
