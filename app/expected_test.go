package app_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"learnloop.dev/kv"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go/jetstream"
)

// fixFiles are the files of real rule feedback with aggregates that somebody
// else computed.
var fixFiles = []string{"golint_cli", "r3_system_edits", "ua_gec_train", "mlqe_pe_dev"}

func TestTheRunningSystemGivesTheExpectedFigures(t *testing.T) {
	for _, name := range fixFiles {
		for _, mode := range []string{"full", "pattern"} {
			t.Run(name+"/"+mode, func(t *testing.T) {
				events := lines(t, testdata(t, name+".jsonl"))
				want := expected(t, name)
				l, _ := start(t, t.TempDir(), "privacy.text_mode="+mode, "clock.ticks=false")
				l.publish(t, events)
				l.reflected(t, len(events))
				comparison{t, mode != "full"}.values("fix_feedback", l.statistics(t)["fix_feedback"], want["fix_feedback"])
			})
		}
	}
}

func TestLearningsAreThoseThatOthersCounted(t *testing.T) {
	const name = "dcs_coia_aime2024"
	events, want := lines(t, testdata(t, name+".jsonl")), expected(t, name)
	dir := t.TempDir()
	settings := []string{"extraction.enabled=false", "clock.ticks=false"}
	l, stop := start(t, dir, settings...)
	l.publish(t, events)
	l.reflected(t, len(events))
	check := func(l *living) {
		t.Helper()
		c := comparison{t, false}
		c.values("coia", l.statistics(t)["coia"], lacking(want["coia"], "note"))
		c.values("coia.learnings", l.learnings(t), want["coia"].(map[string]any)["learnings"])
	}
	check(l)
	l.publish(t, events)
	l.reflected(t, 2*len(events))
	check(l)
	stop()
	if err := os.RemoveAll(filepath.Join(dir, "state")); err != nil {
		t.Fatal(err)
	}
	again, _ := start(t, dir, settings...)
	again.reflected(t, 0)
	check(again)
}

func TestSamplesAreThoseThatOthersCounted(t *testing.T) {
	for _, name := range []string{"mplp_r3", "tau1"} {
		t.Run(name, func(t *testing.T) {
			events, want := lines(t, testdata(t, name+".jsonl")), expected(t, name)
			l, _ := start(t, t.TempDir(), "clock.ticks=false")
			for times := 1; times <= 2; times++ {
				l.publish(t, events)
				l.reflected(t, times*len(events))
				block := l.statistics(t)["mplp"]
				comparison{t, false}.values("mplp", block, want["mplp"])
				comparison{t, false}.values("expected", want["mplp"], block)
			}
		})
	}
}

// taskFiles are the files of real tasks with aggregates that somebody else computed.
var taskFiles = []string{"tau1", "autogpt_bench_early", "aider_polyglot_sample"}

func TestTaskOutcomesAreThoseThatOthersCounted(t *testing.T) {
	for _, name := range taskFiles {
		t.Run(name, func(t *testing.T) {
			events, want := lines(t, testdata(t, name+".jsonl")), expected(t, name)
			l, _ := start(t, t.TempDir(), "privacy.text_mode=full", "clock.ticks=false")
			var once map[string]string
			for times := 1; times <= 2; times++ {
				l.publish(t, events)
				l.reflected(t, times*factsIn(events))
				c, is := comparison{t, false}, l.statistics(t)
				c.values("task_outcome", is["task_outcome"], want["task_outcome"])
				if said, some := want["user_corrections"]; some {
					c.values("user_corrections", is["user_corrections"], said)
				}
				if times == 1 {
					once = l.contexts(t)
				}
			}
			differ(t, "after a second replay", l.contexts(t), once)
		})
	}
}

func TestExperimentsAreThoseThatOthersCompared(t *testing.T) {
	for _, name := range []string{"dcs_ab_aime2024", "realhumaneval_chat_dev"} {
		t.Run(name, func(t *testing.T) {
			events, want := lines(t, testdata(t, name+".jsonl")), expected(t, name)["ab"].(map[string]any)
			l, _ := start(t, t.TempDir(), "clock.ticks=false")
			for range 2 {
				l.publish(t, events)
				l.reflected(t, len(events))
				comparison{t, false}.values("ab", l.statistics(t)["ab"], want)
			}
			contexts := l.contexts(t)
			for experiment, v := range want {
				is, block := contextOf(t, contexts, "experiment", experiment), v.(map[string]any)
				c := comparison{t, false}
				for _, field := range []string{"control_n", "treatment_n", "control_mean", "treatment_mean", "difference"} {
					c.values(experiment+"."+field, is[field], block[field])
				}
				c.values(experiment+".effect_size", is["effect_size"], block["effect_size_relative"])
				c.values(experiment+".fixed_sample_p_value", is["fixed_sample_p_value"], block["p_value_welch"])
				c.values(experiment+".recommendation", is["recommendation"], "continue_test")
			}
		})
	}
}

// contextOf is the context of an id, of those in the bucket.
func contextOf(t *testing.T, contexts map[string]string, kind, id string) (v map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(contexts[kv.Key(kind, id)]), &v); err != nil {
		t.Fatalf("%s %s: %v", kind, id, err)
	}
	return v
}

func TestConversationsAreThoseThatOthersCounted(t *testing.T) {
	const name = "realhumaneval_chat_dev"
	events, want := lines(t, testdata(t, name+".jsonl")), expected(t, name)
	l, _ := start(t, t.TempDir(), "clock.ticks=false")
	var once map[string]string
	for times := 1; times <= 2; times++ {
		l.publish(t, events)
		l.reflected(t, times*len(events))
		c, is := comparison{t, false}, l.statistics(t)
		c.values("conversation", is["conversation"], lacking(want["conversation"], "exchange_copy_rate_by_topic"))
		c.values("user_corrections", is["user_corrections"], want["user_corrections"])
		people := maps.Clone(l.contexts(t))
		maps.DeleteFunc(people, func(key, _ string) bool { return !strings.HasPrefix(key, "user.") })
		if len(people) != 34 {
			t.Errorf("%d people have a context, want 34", len(people))
		}
		if times == 2 {
			differ(t, "after a second replay", people, once)
		}
		once = people
	}
}

// factsIn counts the facts that the log holds of some events: two of each task.
func factsIn(events [][]byte) (n int) {
	for _, e := range events {
		if n++; bytes.Contains(e, []byte(`"dev.learnloop.task.finished.v1"`)) {
			n++
		}
	}
	return n
}

// lacking is an object without some members.
func lacking(object any, names ...string) map[string]any {
	left := maps.Clone(object.(map[string]any))
	for _, name := range names {
		delete(left, name)
	}
	return left
}

// learnings are the published ones by id, in the fields of the expectation.
func (l *living) learnings(t *testing.T) any {
	t.Helper()
	var list struct {
		Learnings []map[string]any `json:"learnings"`
	}
	if err := l.client.Call(t.Context(), "learnings.list", map[string]any{"limit": 1000}, &list); err != nil {
		t.Fatal(err)
	}
	by := map[string]any{}
	for _, entry := range list.Learnings {
		entry["final_confidence"] = entry["confidence"]
		by[entry["id"].(string)] = entry
	}
	return by
}

func TestReplayingTwiceAndFoldingFromNothingChangeNothing(t *testing.T) {
	events := lines(t, testdata(t, "golint_cli.jsonl"))
	dir := t.TempDir()
	l, stop := start(t, dir, "clock.ticks=false")
	l.publish(t, events)
	l.reflected(t, len(events))
	once := l.contexts(t)
	l.publish(t, events)
	l.reflected(t, 2*len(events))
	differ(t, "after a second replay", l.contexts(t), once)
	l.forgetContexts(t)
	stop()
	if err := os.RemoveAll(filepath.Join(dir, "state")); err != nil {
		t.Fatal(err)
	}
	again, _ := start(t, dir, "clock.ticks=false")
	again.reflected(t, 0)
	differ(t, "after folding the log from nothing", again.contexts(t), once)
}

// forgetContexts empties the bucket of contexts and forgets what it reflected,
// so that everything has to be known and rendered anew.
func (l *living) forgetContexts(t *testing.T) {
	t.Helper()
	for stream, subject := range map[string]string{
		"KV_learn_contexts": "$KV.learn_contexts.>", "KV_learn_settings": "$KV.learn_settings.reflected.>",
		"LEARN_INSIGHTS": ">",
	} {
		s, err := l.js.Stream(t.Context(), stream)
		if err == nil {
			err = s.Purge(t.Context(), jetstream.WithPurgeSubject(subject))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// expected reads the independently computed aggregates of a file.
func expected(t *testing.T, name string) map[string]any {
	t.Helper()
	return readJSON(t, testdata(t, filepath.Join("expected", name+".json")))
}

func readJSON(t *testing.T, path string) (v map[string]any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, &v)
	}
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// statistics asks for the statistics of everything.
func (l *living) statistics(t *testing.T) (v map[string]any) {
	t.Helper()
	if err := l.client.Call(t.Context(), "statistics.get", map[string]any{}, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// contexts reads every context, by key.
func (l *living) contexts(t *testing.T) map[string]string {
	t.Helper()
	bucket, err := l.js.KeyValue(t.Context(), "learn_contexts")
	if err != nil {
		t.Fatal(err)
	}
	keys, err := bucket.Keys(t.Context())
	if err != nil && !errors.Is(err, jetstream.ErrNoKeysFound) {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, k := range keys {
		e, err := bucket.Get(t.Context(), k)
		if err != nil {
			t.Fatal(err)
		}
		all[k] = string(e.Value())
	}
	return all
}

// reflected waits until the log holds, or held, at least n facts that agents sent and
// the contexts reflect all of the log.
func (l *living) reflected(t *testing.T, n int) {
	t.Helper()
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, errors.New("the contexts did not catch up with the log"))
	defer cancel()
	bucket, err := l.js.KeyValue(ctx, "learn_settings")
	if err != nil {
		t.Fatal(err)
	}
	watch, err := bucket.Watch(ctx, "reflected.*")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = watch.Stop() }()
	reached := map[string]string{}
	for {
		select {
		case <-ctx.Done():
			t.Fatal(context.Cause(ctx))
		case e := <-watch.Updates():
			if e != nil {
				reached[e.Key()] = string(e.Value())
			}
		}
		if l.caughtUp(t, n, reached) {
			return
		}
	}
}

// caughtUp compares the last entries of every partition with what is reflected.
func (l *living) caughtUp(t *testing.T, n int, reached map[string]string) bool {
	t.Helper()
	stream, err := l.js.Stream(t.Context(), "LEARN_EVENTS")
	if err != nil {
		t.Fatal(err)
	}
	info, err := stream.Info(t.Context(), jetstream.WithSubjectFilter("learn.ev.>"))
	if err != nil {
		t.Fatal(err)
	}
	facts := info.State.NumDeleted + int(info.State.FirstSeq) - 1 // gone: beaten or delivered again
	for subject, count := range info.State.Subjects {
		if !strings.Contains(subject, ".control.") {
			facts += int(count)
		}
		last, err := stream.GetLastMsgForSubject(t.Context(), subject)
		if errors.Is(err, jetstream.ErrMsgNotFound) { // it was deleted meanwhile: beaten, or delivered again
			return l.caughtUp(t, n, reached)
		}
		if err != nil {
			t.Fatal(err)
		}
		partition := strings.Split(subject, ".")[2]
		var at uint64
		_, _ = fmt.Sscan(reached["reflected."+partition], &at)
		if at < last.Sequence {
			return false
		}
	}
	return facts >= n
}

// comparison holds what came out against what was expected, to the six digits
// the expectation has. People appear as pseudonyms: only their counts are
// compared. Masked texts are not compared, and order ties differently.
type comparison struct {
	*testing.T
	masked bool
}

func (c comparison) values(path string, got, want any) {
	c.Helper()
	switch w := want.(type) {
	case map[string]any:
		c.objects(path, got, w)
	case []any:
		c.lists(path, got, w)
	case float64:
		if g, ok := got.(float64); !ok || math.Abs(g-w) > 1e-6 {
			c.Errorf("%s: got %v, want %v", path, got, w)
		}
	default:
		text := strings.HasSuffix(path, ".original") || strings.HasSuffix(path, ".suggested")
		if got != want && (!c.masked || !text) && (!strings.HasSuffix(path, ".title") || !redacted(got)) {
			c.Errorf("%s: got %v, want %v", path, got, want)
		}
	}
}

// redacted reports whether a title lost somebody's name on its way in: a theorem may
// bear one.
func redacted(got any) bool {
	text, ok := got.(string)
	return ok && strings.Contains(text, "[PERSON_")
}

func (c comparison) objects(path string, got any, want map[string]any) {
	c.Helper()
	g, ok := got.(map[string]any)
	switch {
	case !ok:
		c.Errorf("%s: got %T, want an object", path, got)
	case path == "fix_feedback.by_user":
		if a, b := counts(g), counts(want); !slices.Equal(a, b) {
			c.Errorf("%s: counts %v, want %v", path, a, b)
		}
	default:
		for k := range want {
			c.values(path+"."+k, g[k], want[k])
		}
	}
}

func (c comparison) lists(path string, got any, want []any) {
	c.Helper()
	g, ok := got.([]any)
	if !ok || len(g) != len(want) {
		c.Errorf("%s: got %v, want %d items", path, got, len(want))
		return
	}
	if strings.HasPrefix(path, "fix_feedback.top_rejection_comments.") || path == "task_outcome.top_failure_reasons" {
		c.comments(path, g, want)
		return
	}
	if c.masked && (strings.HasSuffix(path, ".accepted") || strings.HasSuffix(path, ".rejected")) {
		g, want = byCounts(g), byCounts(want)
	}
	for i := range want {
		c.values(fmt.Sprintf("%s[%d]", path, i), g[i], want[i])
	}
}

// comments compares [text, count] pairs. Where several comments have one count,
// the expectation has them in order of appearance and we by text, so that only
// the counts must agree.
func (c comparison) comments(path string, got, want []any) {
	c.Helper()
	times := map[any]int{}
	for _, w := range want {
		times[w.([]any)[1]]++
	}
	for i := range want {
		g, w := got[i].([]any), want[i].([]any)
		c.values(fmt.Sprintf("%s[%d].count", path, i), g[1], w[1])
		last := w[1] == want[len(want)-1].([]any)[1] // others may have it too
		if times[w[1]] == 1 && !last {
			c.values(fmt.Sprintf("%s[%d].text", path, i), g[0], w[0])
		}
	}
}

// byCounts orders patterns by their numbers alone.
func byCounts(list []any) []any {
	key := func(v any) string {
		m, _ := v.(map[string]any)
		return fmt.Sprintf("%09v %09v %09v %.6f", m["accept_count"], m["reject_count"], m["n"], m["success_rate"])
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b any) int { return strings.Compare(key(a), key(b)) })
	return list
}

func counts(m map[string]any) (n []int) {
	for _, v := range m {
		f, _ := v.(float64)
		n = append(n, int(f))
	}
	slices.Sort(n)
	return n
}

func differ(t *testing.T, when string, got, want map[string]string) {
	t.Helper()
	for k, v := range want {
		if got[k] != v {
			t.Errorf("%s, %s is\n%s\nwant\n%s", when, k, got[k], v)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s there are %d contexts, want %d", when, len(got), len(want))
	}
}

// drained waits until the inbox is empty: its messages are handled and purged.
func (l *living) drained(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeoutCause(t.Context(), 2*time.Minute, errors.New("the inbox was not emptied"))
	defer cancel()
	for {
		stream, err := l.js.Stream(ctx, "LEARN_INBOX")
		if err != nil {
			t.Fatal(context.Cause(ctx), err)
		}
		if stream.CachedInfo().State.Msgs == 0 {
			return
		}
	}
}
