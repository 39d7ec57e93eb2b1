package deploy_test

import (
	"maps"
	"slices"
	"testing"
)

// publishing are subjects that matter, and which roles may publish on them.
var publishing = map[string][]string{
	"learn.in.feedback.fix":                                                       {"agent", "stranger", "operator"},
	"learn.in.control.settings.changed":                                           {"operator"},
	"learn.in.control.data.cleared":                                               {"operator"},
	"learn.in.control.derived":                                                    {"analyzer", "operator"},
	"learn.in.learning.reviewed":                                                  {"injector", "operator"},
	"learn.in.learning.superseded":                                                {"injector", "operator"},
	"learn.in.feedback.learning":                                                  {"injector", "agent", "stranger", "operator"},
	"learn.in.task.output":                                                        {"injector", "agent", "stranger", "operator"},
	"learn.in.route.chosen":                                                       {"injector", "agent", "stranger", "operator"},
	"learn.in.template.added":                                                     {"injector", "agent", "stranger", "operator"},
	"learn.in.injection.recorded":                                                 {"injector", "agent", "stranger", "operator"},
	"learn.ev.0.feedback.fix":                                                     {"ingest", "analyzer", "operator"},
	"learn.know.0.rules.rule.r":                                                   {"analyzer", "operator"},
	"learn.at.0":                                                                  {"analyzer", "operator"},
	"learn.dlq.ingest.schema":                                                     {"ingest", "analyzer", "operator"},
	"learn.out.context.changed":                                                   {"injector", "operator"},
	"learn.out.sample.captured":                                                   {"analyzer", "injector", "operator"},
	"learn.out.replay.judged.r.p":                                                 {"ingest", "injector", "operator"},
	"$KV.learn_contexts.rule.r":                                                   {"injector", "operator"},
	"$KV.learn_settings.privacy":                                                  {"injector", "operator"},
	"$KV.learn_settings.trying.1":                                                 {"ingest", "injector", "operator"},
	"$KV.learn_owners.x":                                                          {"ingest", "operator"},
	"$JS.API.CONSUMER.CREATE.LEARN_INBOX.ingest":                                  {"ingest"},
	"$JS.API.CONSUMER.CREATE.LEARN_INBOX.spy":                                     {"ingest"},
	"$JS.API.CONSUMER.CREATE.LEARN_INBOX.spy.>":                                   {},
	"$JS.API.CONSUMER.DURABLE.CREATE.LEARN_INBOX.spy":                             {},
	"$JS.API.CONSUMER.MSG.NEXT.LEARN_INBOX.ingest":                                {"ingest"},
	"$JS.API.CONSUMER.DELETE.LEARN_INBOX.spy":                                     {"ingest", "operator"},
	"$JS.API.STREAM.MSG.DELETE.LEARN_INBOX":                                       {"ingest", "operator"},
	"$JS.ACK.LEARN_INBOX.ingest.1.1.1.1.0":                                        {"ingest"},
	"$JS.API.STREAM.MSG.GET.LEARN_INBOX":                                          {},
	"$JS.API.DIRECT.GET.LEARN_INBOX":                                              {},
	"$JS.API.STREAM.SNAPSHOT.LEARN_INBOX":                                         {},
	"$JS.API.STREAM.PURGE.LEARN_INBOX":                                            {"ingest", "operator"},
	"$JS.API.STREAM.CREATE.LEARN_EVENTS":                                          {"ingest", "operator"},
	"$JS.API.STREAM.CREATE.MIRROR":                                                {"operator"},
	"$JS.API.STREAM.DELETE.LEARN_EVENTS":                                          {"operator"},
	"$JS.API.STREAM.PURGE.LEARN_EVENTS":                                           {"analyzer", "operator"},
	"$JS.API.STREAM.MSG.DELETE.LEARN_EVENTS":                                      {"analyzer", "operator"},
	"$JS.API.CONSUMER.CREATE.LEARN_EVENTS.x":                                      {"analyzer", "operator"},
	"$JS.API.CONSUMER.CREATE.LEARN_INSIGHTS.injector":                             {"analyzer", "injector", "operator"},
	"$JS.API.DIRECT.GET.LEARN_EVENTS":                                             {"ingest", "analyzer", "operator"},
	"$JS.API.DIRECT.GET.LEARN_DLQ":                                                {"injector", "operator"},
	"$JS.API.DIRECT.GET.KV_learn_owners":                                          {"ingest", "operator"},
	"$JS.API.DIRECT.GET.KV_learn_settings":                                        {"ingest", "analyzer", "injector", "operator"},
	"$JS.API.CONSUMER.MSG.NEXT.KV_learn_settings.c":                               {"ingest", "analyzer", "injector", "operator"},
	"$JS.API.CONSUMER.INFO.KV_learn_settings.c":                                   {"ingest", "analyzer", "injector", "operator"},
	"$JS.API.STREAM.PURGE.KV_learn_settings":                                      {"ingest", "injector", "operator"},
	"$JS.API.STREAM.PURGE.KV_learn_contexts":                                      {"injector", "operator"},
	"$JS.API.STREAM.PURGE.KV_learn_learnings":                                     {"injector", "operator"},
	"$JS.API.STREAM.PURGE.KV_learn_owners":                                        {"ingest", "operator"},
	"$JS.API.STREAM.MSG.DELETE.LEARN_INSIGHTS":                                    {"analyzer", "operator"},
	"$JS.API.STREAM.MSG.DELETE.LEARN_DLQ":                                         {"injector", "operator"},
	"$JS.API.STREAM.MSG.DELETE.LEARN_OUT":                                         {"injector", "operator"},
	"$JS.API.STREAM.NAMES":                                                        {"injector", "operator"},
	"$JS.API.CONSUMER.CREATE.LEARN_DLQ.x":                                         {"injector", "operator"},
	"$JS.API.CONSUMER.CREATE.LEARN_OUT.x":                                         {"injector", "operator"},
	"$JS.API.CONSUMER.CREATE.KV_learn_owners.x":                                   {"ingest", "operator"},
	"$JS.API.CONSUMER.CREATE.KV_learn_owners.x.y":                                 {"operator"},
	"$JS.API.CONSUMER.CREATE.LEARN_EVENTS.x.learn.ev.0.control.subject.forgotten": {"ingest", "analyzer", "operator"},
	"$JS.API.CONSUMER.CREATE.LEARN_EVENTS.x.learn.ev.0.control.settings.changed":  {"ingest", "analyzer", "operator"},
	"$JS.API.CONSUMER.CREATE.LEARN_EVENTS.x.learn.ev.0.feedback.fix":              {"analyzer", "operator"},
	"$JS.API.DIRECT.GET.KV_learn_contexts.$KV.learn_contexts.rule.r":              {"injector", "generator", "stranger", "operator"},
	"$JS.API.DIRECT.GET.KV_learn_learnings.$KV.learn_learnings.l":                 {"injector", "generator", "stranger", "operator"},
	"$JS.API.STREAM.INFO.KV_learn_learnings":                                      {"ingest", "analyzer", "injector", "generator", "stranger", "operator"},
	"$KV.learn_learnings.l":                                                       {"injector", "operator"},
	"learn.svc.changes":                                                           {"generator", "stranger", "operator"},
	"learn.svc.contexts.get":                                                      {"generator", "stranger", "operator"},
	"learn.svc.learnings.get":                                                     {"generator", "stranger", "operator"},
	"learn.svc.learnings.search":                                                  {"generator", "stranger", "operator"},
	"learn.svc.inject":                                                            {"generator", "stranger", "operator"},
	"learn.svc.learnings.lift":                                                    {"generator", "stranger", "operator"},
	"learn.svc.samples.metrics":                                                   {"generator", "stranger", "operator"},
	"learn.svc.samples.export":                                                    {"operator"},
	"learn.svc.learnings.feedback":                                                {"stranger", "operator"},
	"learn.svc.learnings.archive":                                                 {"operator"},
	"learn.svc.route":                                                             {"generator", "stranger", "operator"},
	"learn.svc.prompt":                                                            {"generator", "stranger", "operator"},
	"learn.svc.rerank":                                                            {"generator", "stranger", "operator"},
	"learn.svc.calibrate":                                                         {"generator", "stranger", "operator"},
	"learn.svc.templates.match":                                                   {"generator", "stranger", "operator"},
	"learn.svc.templates.add":                                                     {"stranger", "operator"},
	"learn.svc.experiments.assign":                                                {"generator", "stranger", "operator"},
	"learn.svc.experiments.create":                                                {"operator"},
	"learn.in.control.experiment.decided":                                         {"injector", "operator"},
	"learn.svc.patterns.list":                                                     {"generator", "stranger", "operator"},
	"learn.svc.templates.delete":                                                  {"operator"},
	"learn.svc.patterns.delete":                                                   {"operator"},
	"learn.svc.feedback.add":                                                      {"stranger", "operator"},
	"learn.svc.feedback.stats":                                                    {"generator", "stranger", "operator"},
	"learn.svc.feedback.daily":                                                    {"generator", "stranger", "operator"},
	"learn.svc.feedback.exchange":                                                 {"generator", "stranger", "operator"},
	"learn.svc.preferences.get":                                                   {"operator"},
	"learn.svc.preferences.correct":                                               {"operator"},
	"learn.svc.preferences.delete":                                                {"operator"},
	"learn.svc.reset":                                                             {"operator"},
	"learn.svc.dlq.list":                                                          {"operator"},
	"learn.svc.status":                                                            {"operator"},
	"_LL.ask":                                                                     {"injector", "operator"},
	"_LL.order.show":                                                              {"injector", "operator"},
	"_LL.order.known":                                                             {"injector", "operator"},
	"_LL.order.rotate":                                                            {"injector", "operator"},
	"_LL.order.govern":                                                            {"injector", "operator"},
	"_LL.order.choose":                                                            {"injector", "operator"},
	"_LL.order.ends":                                                              {"injector", "operator"},
	"_LL.order.search":                                                            {"injector", "operator"},
	"_LL.order.import":                                                            {"injector", "operator"},
	"learn.svc.statistics.daily":                                                  {"generator", "stranger", "operator"},
	"learn.svc.export":                                                            {"operator"},
	"learn.svc.import":                                                            {"operator"},
	"_LL.order.control.data.cleared":                                              {"injector", "operator"},
	"_LL.order.control.subject.forgotten":                                         {"injector", "operator"},
	"_LL.order.control.data.expired":                                              {"analyzer", "operator"},
	"_LL.order.control.prior":                                                     {"analyzer", "operator"},
	"_LL.order.control.data.reset":                                                {"injector", "operator"},
	"_LL.order.control.pattern.deleted":                                           {"injector", "operator"},
	"_LL.order.control.experiment.changed":                                        {"injector", "operator"},
	"$JS.API.CONSUMER.CREATE.LEARN_EVENTS.x.learn.ev.0.control.experiment.changed": {"ingest", "analyzer", "operator"},
	"_LL.order.control.preference.corrected":                                       {"injector", "operator"},
	"_LL.order.control.data.imported":                                              {"operator"},
	"_LL.ingest.x":                                                                 {"operator"},
	"_LL.analyzer.x":                                                               {"ingest", "operator"},
	"_LL.injector.x":                                                               {"ingest", "analyzer", "operator"},
	"_LL.deliver.x":                                                                {"operator"},
}

// listening is the same for subscriptions. What is denied to operators is left
// out of what they hear through a wildcard.
var listening = map[string][]string{
	">":                        {"operator"},
	"learn.>":                  {"operator"},
	"learn.in.>":               {},
	"learn.in.*.fix":           {},
	"learn.ev.>":               {"operator"},
	"learn.out.>":              {"operator"},
	"learn.dlq.>":              {"operator"},
	"$KV.learn_contexts.>":     {"operator"},
	"learn.svc.>":              {"injector", "operator"},
	"learn.know.*.learnings.>": {"injector", "operator"},
	"learn.know.>":             {"operator"},
	"_LL.ingest.>":             {"ingest"},
	"_LL.analyzer.>":           {"analyzer", "operator"},
	"_LL.injector.>":           {"injector", "operator"},
	"_LL.ask":                  {"analyzer", "operator"},
	"_LL.order.>":              {"ingest"},
	"_LL.>":                    {"operator"},
	"_INBOX.>":                 {"agent", "generator", "stranger", "operator"},
}

func TestEachRoleMayDoItsWorkAndNothingElse(t *testing.T) {
	s := run(t, "single.conf")
	for _, role := range slices.Concat(keyed, passwords) {
		t.Run(role, func(t *testing.T) {
			c := s.connect(t, role)
			for _, subject := range slices.Sorted(maps.Keys(publishing)) {
				if got, want := c.may(t, subject), slices.Contains(publishing[subject], role); got != want {
					t.Errorf("may publish on %s: %v, want %v", subject, got, want)
				}
			}
			for _, subject := range slices.Sorted(maps.Keys(listening)) {
				if got, want := c.mayHear(t, subject), slices.Contains(listening[subject], role); got != want {
					t.Errorf("may listen to %s: %v, want %v", subject, got, want)
				}
			}
		})
	}
}
