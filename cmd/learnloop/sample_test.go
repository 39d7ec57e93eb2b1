package main

import (
	"bufio"
	"bytes"
	"strings"
	"testing"

	"learnloop.dev/events"
)

func TestTheSampleIsInventedAndSaysSo(t *testing.T) {
	var total, bad int
	ids, rules := map[string]int{}, map[string]bool{}
	for lines := bufio.NewScanner(bytes.NewReader(sample)); lines.Scan(); total++ {
		items := events.Unpack(map[string][]string{"Content-Type": {events.ContentStructured}}, lines.Bytes())
		if len(items) != 1 || items[0].Refused() {
			t.Fatalf("line %d is no event", total+1)
		}
		e := items[0].Envelope
		if e.Source != "/demo/invented" {
			t.Errorf("%s is from %s", e.ID, e.Source)
		}
		ids[e.ID]++
		spec, _ := events.Lookup(e.Kind)
		payload, refusal := events.Decode(spec, e.Data)
		if refusal.Refused() {
			bad++
			continue
		}
		rules[string(payload.(*events.FixFeedback).RuleID)] = true
	}
	if total < 200 || len(rules) < 5 || bad != 1 || len(ids) == total {
		t.Errorf("%d events, %d rules, %d bad, %d distinct", total, len(rules), bad, len(ids))
	}
	if remark := remarkSent(); !strings.Contains(remark, "@example.com") || !strings.Contains(remark, "4111 1111 1111 1111") {
		t.Errorf("the personal detail is %q", remark)
	}
	if first, second := parts(); len(first) < 200 || len(second) < 10 {
		t.Errorf("the story has %d and %d events", len(first), len(second))
	}
}
