package bus

import (
	stdjson "encoding/json" //nolint:depguard // the server reads with it, names in any case
	"slices"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
)

func FuzzTheWatchDeskOrdersNothingButWatches(f *testing.F) {
	for _, config := range []string{
		`{"name":"w","deliver_subject":"_INBOX.a","filter_subject":"$KV.learn_contexts.rule.>","ack_policy":"none"}`,
		`{"filter_subjects":["$KV.learn_contexts.a","$KV.learn_contexts.b"],"idle_heartbeat":5000000000,"flow_control":true}`,
		`{"durable_name":"x"}`, `{"DELIVER_SUBJECT":"learn.in.x"}`, `{"deliver_subject":"learn.in.x","deliver_\u0073ubject":"_INBOX.a"}`,
		`{"deliver_subject":"_INBOX.a","filter_subject":"learn.in.>"}`, `{"inactive_threshold":-1}`, `null`,
	} {
		f.Add([]byte(`{"stream_name":"KV_learn_contexts","config":` + config + `}`))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		request, err := readOrder(raw)
		if err != nil {
			return
		}
		var o server.CreateConsumerRequest
		if err := stdjson.Unmarshal(request.body, &o); err != nil {
			return // the server refuses it too
		}
		c := o.Config
		bucket := strings.TrimPrefix(o.Stream, "KV_")
		if !slices.Contains(openBuckets(), bucket) || c.Durable != "" || !c.MemoryStorage || c.Replicas != 1 ||
			c.InactiveThreshold <= 0 || c.InactiveThreshold > idleWatch {
			t.Errorf("%s", request.body)
		}
		if c.DeliverSubject != "" && !strings.HasPrefix(c.DeliverSubject, deliverPrefix) {
			t.Errorf("delivers to %s", c.DeliverSubject)
		}
		for _, filter := range append(c.FilterSubjects, c.FilterSubject) {
			if filter != "" && !strings.HasPrefix(filter, "$KV."+bucket+".") {
				t.Errorf("filters %s", filter)
			}
		}
		if !server.IsValidSubject(request.subject) && server.IsValidSubject(c.FilterSubject) {
			t.Errorf("asks on %q", request.subject)
		}
	})
}

func FuzzSubjectsThatPassAreSubjects(f *testing.F) {
	for _, s := range []string{"learn.ev.0.feedback.fix", "a..b", "a.*", "a b", "$KV.learn_contexts.rule.=3A", "é"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if validSubject(s) && !server.IsValidPublishSubject(s) {
			t.Errorf("%q", s)
		}
	})
}
