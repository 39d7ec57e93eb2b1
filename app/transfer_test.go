package app_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"learnloop.dev/api"
	"learnloop.dev/app"
	"learnloop.dev/bus"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/nats-io/nats.go/micro"
)

// taught is a loop that has learned one pattern of a rule.
func taught(t *testing.T) *agent {
	t.Helper()
	a := meet(t, t.TempDir())
	for i := range 12 {
		a.publish(t, structured(event(fmt.Sprint(i), fixType, fix("wordy"))))
	}
	a.drained(t)
	a.reflected(t, 12)
	return a
}

// exported is what a loop hands over: without statistics, which say when they were asked for.
func (a *agent) exported(t *testing.T) string {
	t.Helper()
	status, body := a.ask(t, "GET /api/export?include_statistics=false", a.operator(t))
	if status != 200 {
		t.Fatalf("%d %s", status, body)
	}
	return string(body)
}

// imports brings an export in, and returns the status with the answer.
func (a *agent) imports(t *testing.T, query, doc string) (int, string) {
	t.Helper()
	m := a.operator(t)
	m.header["Content-Type"], m.body = "application/json", doc
	status, body := a.ask(t, "POST /api/import"+query, m)
	return status, string(body)
}

func TestWhatWasLearnedTravelsOverHTTPAndCountsOnce(t *testing.T) {
	doc, b := taught(t).exported(t), meet(t, t.TempDir())
	dry := `"decisions":12,"new":1,"replaced":0,"unchanged":0,"older":0}`
	if status, body := b.imports(t, "?dry_run=true", doc); status != 200 || !strings.Contains(body, `"imported":false`) || !strings.Contains(body, dry) {
		t.Fatalf("%d %s", status, body)
	}
	if n := b.total(t); n != 0 {
		t.Errorf("a dry run left %d", n)
	}
	for range 2 {
		if status, body := b.imports(t, "", doc); status != 200 || !strings.Contains(body, `"imported":true`) {
			t.Fatalf("%d %s", status, body)
		}
		if n := b.total(t); n != 12 {
			t.Errorf("%d decisions count", n)
		}
	}
	if logged := b.log.read(); !strings.Contains(logged, "learning data imported") || strings.Contains(logged, "was done") {
		t.Errorf("the log: %s", logged)
	}
}

func TestAnImportThatIsNotWholeChangesNothing(t *testing.T) {
	a := taught(t)
	doc, b := a.exported(t), meet(t, t.TempDir())
	if !strings.Contains(a.log.read(), `"learning data exported"`) {
		t.Error("the export is not logged")
	}
	before := b.facts(t, ">")
	for name, c := range map[string]struct {
		doc    string
		status int
	}{
		"truncated":       {doc[:len(doc)-9], 422},
		"tampered":        {strings.Replace(doc, `"accepted":12`, `"accepted":13`, 1), 422},
		"without its sum": {strings.Replace(doc, `"checksum":`, `"chequesum":`, 1), 422},
		"of the future":   {resealed(t, doc, `"version":"1.0"`, `"version":"9.0"`), 422},
		"from tomorrow":   {resealed(t, doc, `"exported_at":"20`, `"exported_at":"29`), 422},
		"no JSON":         {"wordy", 422},
		"nothing":         {"", 400},
		"of 9 MiB":        {`{"checksum":"` + strings.Repeat("x", 9<<20), 413},
	} {
		status, body := b.imports(t, "", c.doc)
		if status != c.status || !strings.Contains(body, `"type":"https://learnloop.dev/problems/`) {
			t.Errorf("%s: %d %s", name, status, body)
		}
		if strings.Contains(body, "was done") {
			t.Errorf("%s: quotes the export: %s", name, body)
		}
	}
	if after := b.facts(t, ">"); after != before || b.total(t) != 0 {
		t.Errorf("%d facts are in the log, %d were", after, before)
	}
	if n := len(b.living.letters(t)); n != 0 {
		t.Errorf("%d dead letters", n)
	}
}

// resealed is an export with a part replaced, under a checksum that is right.
func resealed(t *testing.T, doc, old, with string) string {
	t.Helper()
	changed := jsontext.Value(strings.Replace(doc, old, with, 1))
	if string(changed) == doc {
		t.Fatalf("%s is not in %s", old, doc)
	}
	if err := changed.Canonicalize(); err != nil {
		t.Fatal(err)
	}
	begin := bytes.Index(changed, []byte(`"checksum":"`)) + len(`"checksum":"`)
	end := begin + bytes.IndexByte(changed[begin:], '"')
	bare := append(bytes.Clone(changed[:begin-len(`"checksum":"`)]), changed[end+2:]...)
	sum := sha256.Sum256(bare)
	return string(changed[:begin]) + hex.EncodeToString(sum[:]) + string(changed[end:])
}

// gigabyte is a body of a thousand megabytes, and counts what is read of it.
type gigabyte struct{ read atomic.Int64 }

func (g *gigabyte) Read(p []byte) (int, error) {
	if g.read.Load() >= 1<<30 {
		return 0, io.EOF
	}
	for i := range p {
		p[i] = ' '
	}
	g.read.Add(int64(len(p)))
	return len(p), nil
}

func TestAGigabyteIsRefusedBeforeItIsRead(t *testing.T) {
	a := meet(t, t.TempDir())
	for _, declared := range []int64{1 << 30, -1} {
		body := new(gigabyte)
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, a.Addresses().HTTP+"/api/import", body)
		if err != nil {
			t.Fatal(err)
		}
		r.ContentLength = declared
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+a.token(t))
		client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: patience}
		if res, err := client.Do(r); err == nil { // else the connection was cut while it was sent
			if res.StatusCode != http.StatusRequestEntityTooLarge {
				t.Errorf("%d", res.StatusCode)
			}
			_ = res.Body.Close()
		}
		if n := body.read.Load(); n > 64<<20 { // the client may still be sending
			t.Errorf("%d bytes were sent", n)
		}
	}
	if n := a.facts(t, ">"); n > a.facts(t, "control.>") {
		t.Errorf("%d facts are in the log", n)
	}
}

func TestBothDoorsExportAndImportTheSame(t *testing.T) {
	a := taught(t)
	doc, b := a.exported(t), meet(t, t.TempDir())
	m, err := a.living.nc.RequestWithContext(t.Context(), "learn.svc.export", []byte(`{"include_statistics":false}`))
	if err != nil {
		t.Fatal(err)
	}
	var over, page struct {
		Source   string
		Patterns []jsontext.Value
		Version  string
	}
	decode(t, []byte(doc), &over)
	decode(t, m.Data, &page)
	if over.Source != page.Source || over.Version != page.Version || len(page.Patterns) != 1 || len(over.Patterns) != 1 ||
		canonical(t, over.Patterns[0]) != canonical(t, page.Patterns[0]) {
		t.Errorf("NATS %s\nHTTP %s", m.Data, doc)
	}
	for name, doc := range map[string]string{"whole": doc, "cut": doc[:40], "none": "{}"} {
		asked := []byte(doc)
		if name != "cut" {
			asked = []byte(strings.TrimSuffix(strings.TrimSpace(doc), "}") + `,"dry_run":true}`)
			asked = bytes.Replace(asked, []byte("{,"), []byte("{"), 1)
		}
		m, err := b.living.nc.RequestWithContext(t.Context(), "learn.svc.import", asked)
		if err != nil {
			t.Fatal(err)
		}
		status, body := b.imports(t, "?dry_run=true", doc)
		if string(m.Data) != body || (m.Header.Get(micro.ErrorCodeHeader) == "") != (status == 200) {
			t.Errorf("%s: NATS %s\nHTTP %d %s", name, m.Data, status, body)
		}
	}
}

func TestWhereStagesRunApartWhatWasLearnedIsImported(t *testing.T) {
	doc := taught(t).exported(t)
	creds, url := elsewhere(t)
	nc, err := bus.Connect(url, creds, "test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	l := &living{nc: nc, client: api.NewClient(nc)}
	for _, role := range []app.Role{app.Ingest, app.Analyzer, app.Injector} {
		runRole(t, role, []string{"data=" + t.TempDir(), "server=" + url, "creds=" + creds, "http=127.0.0.1:0", "clock.ticks=false"})
	}
	var done api.Importing
	if err := l.client.Call(t.Context(), "import", jsontext.Value(doc), &done); err != nil {
		t.Fatal(err)
	}
	if !done.Imported || done.New != 1 || done.Decisions != 12 {
		t.Errorf("%+v", done)
	}
	if n := l.statistics(t)["total_feedback"]; n != 12.0 {
		t.Errorf("%v decisions count", n)
	}
}

func canonical(t *testing.T, v jsontext.Value) string {
	t.Helper()
	if err := v.Canonicalize(); err != nil {
		t.Fatal(err)
	}
	return string(v)
}

func TestPeopleRemarksAndOriginalTextsLeaveOnlyWhenTheyAreAskedForAndAllowed(t *testing.T) {
	const remark, original = "nobody talks like that", "ask project nightingale to utilize it"
	for mode, allowed := range map[string]bool{"pattern": false, "full": true} {
		a := meet(t, t.TempDir(), "privacy.text_mode="+mode)
		for i := range 12 {
			a.publish(t, structured(event(fmt.Sprint(i), fixType, fix("wordy", `"accepted"`, `"rejected","user_id":"u-77","user_comment":`+quoted(remark),
				`"was done"`, quoted(original), `"did"`, `"ask project nightingale to use it"`))))
		}
		a.drained(t)
		a.reflected(t, 12)
		for query, wants := range map[string]struct{ people, whole bool }{
			"":                     {},
			"?anonymize_all=false": {people: true},
			"?include_original_text=true&include_statistics=false": {whole: true},
		} {
			status, body := a.ask(t, "GET /api/export"+query, a.operator(t))
			doc := string(body)
			if wants.whole && !allowed {
				if status != http.StatusForbidden || strings.Contains(doc, "nightingale") {
					t.Errorf("%s%s: %d %s", mode, query, status, doc)
				}
				continue
			}
			people, said, whole := strings.Contains(doc, `"by_user":{"p`), strings.Contains(doc, remark), strings.Contains(doc, "nightingale")
			if status != http.StatusOK || people != wants.people || said != wants.people || whole != wants.whole {
				t.Errorf("%s%s: %d, people %t, original text %t: %s", mode, query, status, people, whole, doc)
			}
		}
	}
}
