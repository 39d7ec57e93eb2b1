package api

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"learnloop.dev/access"
	"learnloop.dev/kv"
	"learnloop.dev/learn"

	"github.com/go-json-experiment/json"
)

// listener reads server-sent events.
type listener struct {
	lines *bufio.Reader
	close context.CancelFunc
}

// listen opens a stream of changes; it has begun when listen returns.
func (h *house) listen(tb testing.TB, query string, headers ...string) (l listener, begun string) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), 20*time.Second)
	tb.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, h.web.URL+"/api/changes"+query, http.NoBody)
	if err != nil {
		tb.Fatal(err)
	}
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		req.Header.Set(name, value)
	}
	res, err := h.web.Client().Do(req)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = res.Body.Close() })
	if res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != mediaEvents {
		tb.Fatalf("%d %s", res.StatusCode, res.Header.Get("Content-Type"))
	}
	l = listener{bufio.NewReader(res.Body), cancel}
	return l, l.next(tb)["id"]
}

// next returns the fields of the next event.
func (l listener) next(tb testing.TB) map[string]string {
	tb.Helper()
	fields := map[string]string{}
	for {
		line, err := l.lines.ReadString('\n')
		if err != nil {
			tb.Fatal(err)
		}
		name, value, found := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		if !found && len(fields) > 0 {
			return fields
		}
		fields[name] = value
	}
}

// told reads the data of the next event.
func (l listener) told(tb testing.TB) (name, id string, out ChangedKeys) {
	tb.Helper()
	e := l.next(tb)
	if err := json.Unmarshal([]byte(e["data"]), &out); err != nil {
		tb.Fatalf("%v in %v", err, e)
	}
	return e["event"], e["id"], out
}

func TestAListenerHearsWhatChangesAndGoesOnWhereItWas(t *testing.T) {
	h := build(t)
	h.put(t, "rule", "before", passive)
	l, begun := h.listen(t, "")
	h.put(t, "rule", "passive/voice", passive)
	name, id, first := l.told(t)
	if name != "contexts" || len(first.Changes) != 1 || first.Changes[0] != (Changed{kv.Key("rule", "passive/voice"), "rule", "passive/voice", false}) {
		t.Fatalf("%s %+v", name, first)
	}
	l.close()
	h.set(t, learn.Entries, kv.EntryKey("learn_a"), "{}")
	again, _ := h.listen(t, "", "Last-Event-ID: "+id)
	if name, _, next := again.told(t); name != "learnings" || len(next.Changes) != 1 || next.Changes[0].ID != "learn_a" {
		t.Errorf("%s %+v", name, next)
	}
	whole, _ := h.listen(t, "?topics=contexts&after="+begun)
	if name, _, all := whole.told(t); name != "contexts" || len(all.Changes) != 1 {
		t.Errorf("%s %+v", name, all)
	}
}

func TestOnlyOperatorsHearOfSettingsAndDeadLetters(t *testing.T) {
	h := build(t)
	stranger, open := h.listen(t, "")
	operator, all := h.listen(t, "", asAdmin)
	if strings.Contains(open, "settings") || strings.Contains(open, "dead_letters") || !strings.Contains(all, "dead_letters:0") {
		t.Errorf("%q and %q", open, all)
	}
	h.set(t, learn.Settings, "reflected.1", "7") // a marker: nobody hears of it
	h.set(t, learn.Settings, "privacy", "{}")
	if name, _, got := operator.told(t); name != "settings" || len(got.Changes) != 1 || got.Changes[0].Key != "privacy" {
		t.Errorf("%s %+v", name, got)
	}
	h.do(t, "POST /v1/events", `{}`, structured)
	if name, _, got := operator.told(t); name != "dead_letters" || got.Changes[0] != (Changed{Key: "1", Kind: "malformed"}) {
		t.Errorf("%s %+v", name, got)
	}
	h.put(t, "rule", "passive", passive)
	if name, _, got := stranger.told(t); name != "contexts" {
		t.Errorf("%s %+v", name, got)
	}
}

func TestWithoutALicenceNobodyHearsOfRules(t *testing.T) {
	h := build(t)
	h.policy.Entitled = false
	l, _ := h.listen(t, "")
	h.put(t, "rule", "passive", passive)
	h.put(t, "task", "coding", "{}")
	if _, _, got := l.told(t); len(got.Changes) != 1 || got.Changes[0].Kind != "task" {
		t.Errorf("%+v", got)
	}
}

func TestOneAnswerTellsTheTopicsThatChanged(t *testing.T) {
	h := build(t)
	const plain = "Accept: application/json"
	var first, second Changes
	h.get(t, "/api/changes", plain).read(t, &first)
	h.put(t, "rule", "passive", passive)
	h.get(t, "/api/changes?after="+first.Next, plain).read(t, &second)
	if len(first.Changed) > 0 || fmt.Sprint(second.Changed) != "[contexts]" || second.Next == first.Next {
		t.Errorf("%+v, then %+v", first, second)
	}
	var over Changes
	if err := NewClient(h.nc).Call(t.Context(), "changes", map[string]any{"after": first.Next}, &over); err != nil || fmt.Sprint(over.Changed) != "[contexts]" {
		t.Errorf("%+v %v", over, err)
	}
	for _, after := range []string{"x", "contexts", "contexts:-1", "contexts:1,,"} {
		if p := h.get(t, "/api/changes?after="+after, plain).problem(t); p.Status != 422 || p.Errors[0].Pointer != "/after" {
			t.Errorf("%s: %+v", after, p)
		}
	}
}

func TestListenersEndWhenTheLoopDoes(t *testing.T) {
	h := build(t)
	l, _ := h.listen(t, "")
	h.api.Drain()
	if rest, err := io.ReadAll(l.lines); err != nil || len(rest) > 0 {
		t.Errorf("%q %v", rest, err)
	}
}

func TestOneListenerTooManyIsToldToComeLater(t *testing.T) {
	h := build(t)
	for range mostListening {
		if _, begun := h.listen(t, ""); begun == "" {
			t.Fatal("there are fewer places")
		}
	}
	if got := h.get(t, "/api/changes"); got.status != 200 || got.body != "retry: 10000\n\n" {
		t.Errorf("%d %q", got.status, got.body)
	}
}

func TestNobodyShutsOthersOutByListening(t *testing.T) {
	book := &access.Book{}
	h := build(t, func(d *Deps) { d.Entrance.Tokens, d.Entrance.Proxied = book, true })
	reader := tokenOf(book, access.Read)
	heard := 0
	for range mostListeners { // of one address
		if _, begun := h.listen(t, "", "X-Forwarded-For: 192.0.2.1"); begun != "" {
			heard++
		}
	}
	if heard != mostListening {
		t.Errorf("one address has %d places", heard)
	}
	if _, begun := h.listen(t, "", reader); begun == "" {
		t.Error("who has a token finds no place beside one address")
	}
	for i := range mostListeners { // of many
		if _, begun := h.listen(t, "", fmt.Sprintf("X-Forwarded-For: 192.0.2.%d", i+2)); begun != "" {
			heard++
		}
	}
	if heard+1 != placesForAnybody {
		t.Errorf("%d listen", heard+1)
	}
	if _, begun := h.listen(t, "", asAdmin); begun == "" {
		t.Error("the operator finds no place")
	}
}

func TestWhoHasGoneLeavesAPlace(t *testing.T) {
	var l listeners
	var last func()
	for range mostListening {
		last, _ = l.enter("a", true)
	}
	if _, ok := l.enter("a", true); ok {
		t.Error("there is a place too many")
	}
	last()
	again, ok := l.enter("a", true)
	if !ok {
		t.Fatal("the place is not free")
	}
	again()
	for range mostListening - 1 {
		l.leave("a")
	}
	if l.all != 0 || len(l.each) > 0 {
		t.Errorf("%d are left, %v", l.all, l.each)
	}
}

func TestASlowListenerIsToldNoMoreThanOneEventHolds(t *testing.T) {
	var keys ChangedKeys
	for i := range 3 * mostTold {
		keys.add(Changed{Key: fmt.Sprint(i % (2 * mostTold))})
	}
	keys.add(Changed{Key: "0", Gone: true})
	if len(keys.Changes) != mostTold || !keys.More || !keys.Changes[0].Gone {
		t.Errorf("%d changes, more: %t", len(keys.Changes), keys.More)
	}
}

func TestAListenerOutlivesTheTimeForARequest(t *testing.T) {
	h := build(t)
	h.web.Close()
	h.web = httptest.NewUnstartedServer(h.api.Handler())
	h.web.Config.ReadTimeout = 50 * time.Millisecond
	h.web.Start()
	t.Cleanup(h.web.Close)
	l, _ := h.listen(t, "")
	time.AfterFunc(200*time.Millisecond, func() { h.put(t, "rule", "late", passive) })
	if _, _, got := l.told(t); got.Changes[0].ID != "late" {
		t.Errorf("%+v", got)
	}
}
