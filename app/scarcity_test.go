package app

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// rulesWith makes the loop render contexts of so many rules with so many samples.
func rulesWith(l *Loop, rules, samples int) {
	for i := range rules {
		l.logContext(fmt.Sprintf("rule.r%d", i), fmt.Appendf(nil,
			`{"rule_id":"r%d","sample_count":%d,"has_sufficient_decisions":%t}`, i, samples, samples >= 10))
	}
}

func TestOfEachRuleTooFewSamplesAreToldOnce(t *testing.T) {
	core, seen := observer.New(zap.WarnLevel)
	log := zap.New(core)
	l := Loop{log: log, scarcity: newScarcity(log, false)}
	for samples := 1; samples < 10; samples++ {
		rulesWith(&l, 3, samples)
	}
	rulesWith(&l, 3, 10)
	rulesWith(&l, 3, 9)
	if seen.Len() != 3 {
		t.Errorf("%d warnings of 3 rules", seen.Len())
	}
}

func TestAPersonReadsOneLineAboutAllRules(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		core, seen := observer.New(zap.WarnLevel)
		log := zap.New(core)
		l := Loop{log: log, scarcity: newScarcity(log, true)}
		ctx, cancel := context.WithCancel(t.Context())
		go func() { _ = l.scarcity.run(ctx) }()
		defer cancel()

		rulesWith(&l, 61, 1)
		rulesWith(&l, 3, 10)          // enough now
		l.logContext("rule.r60", nil) // deleted
		<-time.After(soonest)
		synctest.Wait()
		if seen.Len() != 1 || seen.All()[0].ContextMap()["rules"] != int64(57) {
			t.Fatalf("%+v", seen.All())
		}
		rulesWith(&l, 60, 2)
		<-time.After(time.Hour)
		if seen.Len() != 1 {
			t.Errorf("rules that were told of are told of again: %+v", seen.All())
		}
		l.logContext("rule.new", []byte(`{"rule_id":"new","sample_count":1}`))
		<-time.After(2 * soonest)
		synctest.Wait()
		if seen.Len() != 2 {
			t.Errorf("a rule that came later is not told of: %+v", seen.All())
		}
	})
}

func TestNobodyAttendsToAFile(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	nowhere, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer nowhere.Close()
	if attended(f) || attended(nowhere) {
		t.Error("a file is taken for a terminal")
	}
}
