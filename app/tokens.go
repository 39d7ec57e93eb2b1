package app

import (
	"context"
	"fmt"
	"strings"

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
	return nil
}

// heedToken enters a token, or strikes one that somebody deleted.
func (l *Loop) heedToken(e bus.Entry) {
	id := e.Subject[strings.LastIndexByte(e.Subject, '.')+1:]
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
