package kv

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestABatchCountsOnlyWhenAllOfItIsAcknowledged(t *testing.T) {
	for name, test := range map[string]struct {
		answer               string
		revision             uint64
		ok, fenced, tryAgain bool
	}{
		"whole":      {answer: `{"stream":"KV_x","seq":12,"batch":"b","count":3}`, revision: 12, ok: true},
		"in part":    {answer: `{"stream":"KV_x","seq":12,"count":1}`},
		"fenced":     {answer: `{"error":{"code":400,"err_code":10071,"description":"wrong last sequence: 5"}}`, fenced: true},
		"incomplete": {answer: `{"error":{"code":400,"err_code":10176,"description":"batch is incomplete"}}`, tryAgain: true},
		"refused":    {answer: `{"error":{"code":400,"err_code":10060,"description":"expected stream does not match"}}`},
		"no answer":  {answer: `not JSON`},
	} {
		t.Run(name, func(t *testing.T) {
			revision, err := committed([]byte(test.answer), 3)
			if revision != test.revision || (err == nil) != test.ok || conflict(err) != test.fenced || isUnfinished(err) != test.tryAgain {
				t.Errorf("revision %d, %v", revision, err)
			}
		})
	}
}

func TestAPauseEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := rest(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
