package kv_test

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"learnloop.dev/kv"
)

func put(tb testing.TB, values jetstream.KeyValue, key, prompt string) {
	tb.Helper()
	if _, err := values.Put(tb.Context(), key, value(prompt)); err != nil {
		tb.Fatal(err)
	}
}

func TestAReaderKnowsTheWholeBucketWhenItIsReturned(t *testing.T) {
	nc := start(t).connect()
	values := bucket(t, nc, false)
	for i := range 500 {
		put(t, values, kv.Key("rule", strconv.Itoa(i)), fmt.Sprint("prompt ", i))
	}
	if err := values.Delete(t.Context(), "rule.7"); err != nil {
		t.Fatal(err)
	}
	r := read(t, nc)
	for i := range 500 {
		want := fmt.Sprint("prompt ", i)
		if i == 7 {
			want = ""
		}
		if got := r.Prompt("rule", strconv.Itoa(i)); got != want {
			t.Fatalf("rule %d says %q, want %q", i, got, want)
		}
	}
	if n := len(slices.Collect(r.All("rule."))); n != 499 {
		t.Fatalf("%d contexts, want 499", n)
	}
}

func TestAContextCarriesWhatIsKnownBesideIt(t *testing.T) {
	nc := start(t).connect()
	values := bucket(t, nc, false)
	r := read(t, nc)
	_, err := write(t, r).Put(t.Context(), []kv.Entry{{
		Key: "rule.a", Value: value("A"), Insight: 42, Header: nats.Header{"Traceparent": {"00-1"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, r, "rule.a", says("A"))
	c, _ := r.Get("rule.a")
	if c.Insight != 42 || c.Header.Get("Traceparent") != "00-1" || len(c.Header) != 1 || c.Changed.IsZero() {
		t.Fatalf("got %+v", c)
	}
	if e, err := values.Get(t.Context(), "rule.a"); err != nil || e.Revision() != c.Revision {
		t.Fatalf("revision %d, want that of %v, %v", c.Revision, e, err)
	}
}

func TestAValueWithoutAPromptHasNone(t *testing.T) {
	nc := start(t).connect()
	values := bucket(t, nc, false)
	for key, v := range map[string]string{"rule.a": `{"kind":"rule"}`, "rule.b": "no json", "rule.c": ""} {
		if _, err := values.PutString(t.Context(), key, v); err != nil {
			t.Fatal(err)
		}
	}
	r := read(t, nc)
	for _, key := range []string{"rule.a", "rule.b", "rule.c"} {
		if c, ok := r.Get(key); !ok || c.Prompt != "" {
			t.Errorf("%s: %+v %t", key, c, ok)
		}
	}
}

func TestAReaderFollowsEveryChange(t *testing.T) {
	nc := start(t).connect()
	values := bucket(t, nc, false)
	r := read(t, nc)
	put(t, values, "rule.a", "one")
	eventually(t, r, "rule.a", says("one"))
	put(t, values, "rule.a", "two")
	eventually(t, r, "rule.a", says("two"))
	if err := values.Delete(t.Context(), "rule.a"); err != nil {
		t.Fatal(err)
	}
	eventually(t, r, "rule.a", gone)
	put(t, values, "rule.a", "three")
	eventually(t, r, "rule.a", says("three"))
	if err := values.Purge(t.Context(), "rule.a"); err != nil {
		t.Fatal(err)
	}
	eventually(t, r, "rule.a", gone)
}

func TestAReaderThatHasCaughtUpKnowsWhatTheBucketHeld(t *testing.T) {
	nc := start(t).connect()
	values := bucket(t, nc, false)
	r := read(t, nc)
	rules, others := read(t, nc, "rule.>"), read(t, nc, "task.>", "user.>")
	current := func(r *kv.Reader) {
		t.Helper()
		if err := r.CatchUp(within(t)); err != nil {
			t.Fatal(err)
		}
	}
	current(r) // of an empty bucket
	for i := range 200 {
		want := fmt.Sprint("prompt ", i)
		put(t, values, "rule.a", want)
		current(r)
		if got := r.Prompt("rule", "a"); got != want {
			t.Fatalf("it says %q, want %q", got, want)
		}
	}
	current(rules)
	current(others)
	put(t, values, "rule.b", "b")
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	s, err := js.Stream(t.Context(), "KV_"+kv.Contexts)
	if err == nil {
		err = s.Purge(t.Context(), jetstream.WithPurgeSubject("$KV."+kv.Contexts+".rule.b")) // no entry has the last number any more
	}
	if err != nil {
		t.Fatal(err)
	}
	current(r)
	current(rules)
	r.Close()
	put(t, values, "rule.c", "c")
	if err := r.CatchUp(within(t)); err == nil {
		t.Error("a closed reader has caught up")
	}
}

func TestAReaderCatchesUpWithDeletionsOfWhatItNeverKnew(t *testing.T) {
	nc := start(t).connect()
	values := bucket(t, nc, false)
	r := read(t, nc)
	for i := range 200 {
		if err := values.Delete(t.Context(), kv.Key("rule", strconv.Itoa(i))); err != nil {
			t.Fatal(err)
		}
		if err := r.CatchUp(within(t)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAReaderWithoutItsServerIsNotLive(t *testing.T) {
	b := start(t)
	nc := b.connect()
	bucket(t, nc, false)
	r := read(t, nc)
	if !r.Live() {
		t.Error("loaded, and not live")
	}
	gone := nc.StatusChanged(nats.RECONNECTING)
	b.down()
	<-gone
	for r.Live() { // until it has heard of it, too
		runtime.Gosched()
	}
}

func TestAFilteredReaderKeepsOnlyItsKeys(t *testing.T) {
	nc := start(t).connect()
	values := bucket(t, nc, false)
	for _, key := range []string{"rule.a", "rule.b", "task.t", "user.u"} {
		put(t, values, key, key)
	}
	for want, keys := range map[string][]string{
		"rule.a rule.b":        {"rule.>"},
		"task.t":               {"task.t"},
		"rule.a rule.b user.u": {"rule.>", "user.u"},
	} {
		got := map[string]bool{}
		for c := range read(t, nc, keys...).All("") {
			got[c.Key] = true
		}
		if s := strings.Join(slices.Sorted(maps.Keys(got)), " "); s != want {
			t.Errorf("%q keeps %q, want %q", keys, s, want)
		}
	}
}

func TestAMissingBucketIsNamed(t *testing.T) {
	nc := start(t).connect()
	_, err := kv.NewReader(within(t), nc, kv.ReaderOptions{Bucket: "nowhere"})
	if err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Fatalf("got %v", err)
	}
}

func TestAnEndedContextEndsTheWaitForAServer(t *testing.T) {
	b := start(t)
	nc := b.connect()
	b.down()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := kv.NewReader(ctx, nc, kv.ReaderOptions{}); err == nil {
		t.Fatal("a reader without a server")
	}
}

func TestAReaderAnswersWhileTheServerIsAwayAndCatchesUp(t *testing.T) {
	b := start(t)
	values := bucket(t, b.connect(), false)
	for _, key := range []string{"rule.kept", "rule.changed", "rule.deleted", "rule.purged"} {
		put(t, values, key, "before")
	}
	nc := b.connect(nats.ReconnectWait(time.Hour)) // it comes back when the test says so
	r := read(t, nc)
	b.down()
	if got := r.Prompt("rule", "kept"); got != "before" {
		t.Fatalf("got %q while the server is away", got)
	}

	b.up()
	other := b.connect()
	values = reopen(t, other)
	put(t, values, "rule.changed", "after")
	put(t, values, "rule.new", "after")
	if err := values.Delete(t.Context(), "rule.deleted"); err != nil {
		t.Fatal(err)
	}
	purge(t, other, "rule.purged")
	if got := r.Prompt("rule", "changed"); got != "before" {
		t.Fatalf("got %q over no connection", got)
	}
	if err := nc.ForceReconnect(); err != nil {
		t.Fatal(err)
	}
	eventually(t, r, "rule.changed", says("after"))
	eventually(t, r, "rule.new", says("after"))
	eventually(t, r, "rule.deleted", gone)
	eventually(t, r, "rule.purged", gone)
	put(t, values, "rule.live", "again")
	eventually(t, r, "rule.live", says("again"))
	if got := r.Prompt("rule", "kept"); got != "before" {
		t.Fatalf("got %q after the server came back", got)
	}
}

// purge removes a key without leaving a trace.
func purge(tb testing.TB, nc *nats.Conn, key string) {
	tb.Helper()
	js, err := jetstream.New(nc)
	if err != nil {
		tb.Fatal(err)
	}
	stream, err := js.Stream(tb.Context(), "KV_"+kv.Contexts)
	if err != nil {
		tb.Fatal(err)
	}
	if err := stream.Purge(tb.Context(), jetstream.WithPurgeSubject("$KV."+kv.Contexts+"."+key)); err != nil {
		tb.Fatal(err)
	}
}

func TestAReplacedBucketIsBelieved(t *testing.T) {
	b := start(t)
	nc := b.connect()
	values := bucket(t, nc, false)
	for range 10 {
		put(t, values, "rule.a", "old")
	}
	put(t, values, "rule.b", "old")
	r := read(t, b.connect())

	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	if err := js.DeleteKeyValue(t.Context(), kv.Contexts); err != nil {
		t.Fatal(err)
	}
	put(t, bucket(t, nc, false), "rule.a", "new")
	b.down()
	b.up()
	eventually(t, r, "rule.a", says("new"))
	eventually(t, r, "rule.b", gone)
}

func TestAnAnonymousReaderNeedsOnlyReadPermissions(t *testing.T) {
	api := "$JS.API."
	anonymous := &server.User{Username: "anonymous", Password: "p", Permissions: &server.Permissions{
		Publish: &server.SubjectPermission{Allow: []string{
			api + "STREAM.INFO.KV_" + kv.Contexts,
			api + "CONSUMER.CREATE.KV_" + kv.Contexts + ".>",
			"$JS.FC.KV_" + kv.Contexts + ".>",
		}},
		Subscribe: &server.SubjectPermission{Allow: []string{"_INBOX.>"}},
	}}
	b := start(t, &server.User{Username: "admin", Password: "p"}, anonymous)
	values := bucket(t, b.connect(nats.UserInfo("admin", "p")), false)
	large := strings.Repeat("x", 500_000) // the server waits for flow control after 2 MB
	for i := range 20 {
		put(t, values, fmt.Sprint("rule.", i), large)
	}
	var refused []error
	nc := b.connect(nats.UserInfo("anonymous", "p"), nats.ErrorHandler(
		func(_ *nats.Conn, _ *nats.Subscription, err error) { refused = append(refused, err) }))
	r := read(t, nc)
	if n := len(slices.Collect(r.All(""))); n != 20 {
		t.Fatalf("%d contexts, want 20", n)
	}
	put(t, values, "rule.new", "new")
	eventually(t, r, "rule.new", says("new"))
	r.Close()
	nc.Close()
	if len(refused) > 0 {
		t.Fatalf("refused: %v", refused)
	}
}

func BenchmarkGet(b *testing.B) {
	nc := start(b).connect()
	values := bucket(b, nc, false)
	keys := make([]string, 1000)
	for i := range keys {
		keys[i] = kv.Key("rule", fmt.Sprint("some/rule.", i))
		put(b, values, keys[i], strings.Repeat("Prefer the active voice. ", 20))
	}
	r := read(b, nc)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if c, ok := r.Get(keys[i%len(keys)]); !ok || c.Prompt == "" {
			b.Fatal("nothing known")
		}
		i++
	}
}
