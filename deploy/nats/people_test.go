package deploy_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"learnloop.dev/api"
	"learnloop.dev/app"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"
)

// stageVar makes the test binary the command of the stage it names.
const stageVar = "LEARNLOOP_TEST_STAGE"

// plant is the three stages, each a process with a folder of its own, and an operator.
type plant struct {
	site
	folder   string
	stages   map[app.Role]*process
	operator client
	api      *api.Client
}

// process is one stage at work.
type process struct {
	*exec.Cmd
	said  *bytes.Buffer
	ready app.Addresses
}

var roles = []app.Role{app.Ingest, app.Analyzer, app.Injector}

func build(t *testing.T) *plant {
	t.Helper()
	p := &plant{site: run(t, "single.conf"), folder: t.TempDir(), stages: map[app.Role]*process{}}
	t.Cleanup(func() {
		for role := range p.stages {
			p.end(t, role)
		}
	})
	for _, role := range roles {
		p.begin(t, role)
	}
	p.operator = p.connect(t, "operator")
	p.api = api.NewClient(p.operator.Conn)
	return p
}

// dir is the folder of a stage.
func (p *plant) dir(role app.Role) string { return filepath.Join(p.folder, string(role)) }

// begin starts a stage in its folder.
func (p *plant) begin(t *testing.T, role app.Role) {
	t.Helper()
	p.stages[role] = p.launch(t, role, p.dir(role))
}

// launch starts a stage in any folder, and returns when it is ready.
func (p *plant) launch(t *testing.T, role app.Role, dir string) *process {
	t.Helper()
	told := dir + ".ready"
	args := []string{"--data", dir, "--server", p.url, "--creds", p.seeds[string(role)],
		"--http", "127.0.0.1:0", "--ready-file", told, "--log", "warn"}
	s := &process{Cmd: exec.CommandContext(context.WithoutCancel(t.Context()), os.Args[0], args...), said: new(bytes.Buffer)}
	s.Env, s.Stderr = append(os.Environ(), stageVar+"="+string(role)), s.said
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	p.await(t, func() bool {
		data, err := os.ReadFile(told)
		return err == nil && json.Unmarshal(data, &s.ready) == nil && s.ready.PID == s.Process.Pid
	})
	return s
}

// end asks a stage to stop.
func (p *plant) end(t *testing.T, role app.Role) {
	t.Helper()
	s := p.stages[role]
	delete(p.stages, role)
	s.end(t, role)
}

// end asks a process to stop.
func (s *process) end(t *testing.T, role app.Role) {
	t.Helper()
	if err := errors.Join(s.Process.Signal(os.Interrupt), s.Wait()); err != nil {
		t.Errorf("%s: %v", role, err)
	}
	s.checkSaid(t, role)
}

// kill ends a stage without notice.
func (p *plant) kill(t *testing.T, role app.Role) {
	t.Helper()
	s := p.stages[role]
	delete(p.stages, role)
	if err := s.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = s.Wait() // says that it was killed
	s.checkSaid(t, role)
}

// checkSaid looks for what the server refused the stage.
func (s *process) checkSaid(t *testing.T, role app.Role) {
	t.Helper()
	for line := range strings.Lines(s.said.String()) {
		if t.Logf("%s says %s", role, line); strings.Contains(strings.ToLower(line), "permissions violation") {
			t.Errorf("%s may not do its work: %s", role, line)
		}
	}
}

// call asks an operation as the operator.
func call[Out any](t *testing.T, p *plant, name string, args any) (out Out) {
	t.Helper()
	if err := p.api.Call(t.Context(), name, args, &out); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return out
}

// confirmed gives an order and confirms it.
func confirmed[Out any](t *testing.T, p *plant, name string, args map[string]any) Out {
	t.Helper()
	first := call[struct {
		Confirm api.Pledge `json:"confirm"`
	}](t, p, name, args)
	args["confirm"] = first.Confirm.Token
	return call[Out](t, p, name, args)
}

// opine publishes so many decisions of a person, and waits until they count.
func (p *plant) opine(t *testing.T, who string, n int) {
	t.Helper()
	before, agent := p.total(t), p.connect(t, "agent")
	for i := range n {
		agent.report(t, "feedback.fix", fmt.Sprint(who, "-", i), fmt.Sprintf(
			`{"suggestion_id":"s","deviation_id":"d","rule_id":"rule%d","category":"style","decision":"accepted",
			"original_text":"was done","suggested_text":"did","user_id":%q}`, i%3, who))
	}
	p.await(t, func() bool { return p.total(t) == before+n })
}

// total is how many decisions count.
func (p *plant) total(t *testing.T) int {
	t.Helper()
	s := call[struct {
		Total int `json:"total_feedback"`
	}](t, p, "statistics.get", nil)
	return s.Total
}

// patience is how long something may take.
const patience = 60 * time.Second

// await asks until something is so.
func (p *plant) await(t *testing.T, so func() bool) {
	t.Helper()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for late := time.After(patience); !so(); {
		select {
		case <-look.C:
		case <-late:
			t.Fatal("it never was so")
		}
	}
}

func TestAPersonIsForgottenWhereStagesRunApart(t *testing.T) {
	p := build(t)
	p.opine(t, "anna", 6)
	p.opine(t, "ben", 3)
	f := confirmed[api.Forgetting](t, p, "forget", map[string]any{"user": "anna"})
	if f.Report == nil || f.Report.Scan.Found != 0 || f.Report.Scan.Messages == 0 || f.Report.Scan.Keys == 0 || len(f.Report.Scan.Skipped) > 0 {
		t.Fatalf("%+v, report %+v", f, f.Report)
	}
	if f.Records != 6 || p.total(t) != 3 {
		t.Errorf("%d went, %d are left", f.Records, p.total(t))
	}
}

// moments of forgetting somebody, by what is heard then.
var moments = map[string]string{
	"the order is written": "$KV.learn_settings.forgetting.*",
	"tombstones are set":   "learn.ev.0.control.subject.forgotten",
	"it is searched":       "_LL.ask",
}

func TestForgettingIsTakenUpAgainWhicheverStageIsKilledWhenever(t *testing.T) {
	p := build(t)
	p.opine(t, "ben", 3)
	for moment, subject := range moments {
		if testing.Short() && moment != "it is searched" {
			continue
		}
		for _, role := range roles {
			t.Run(moment+" and "+string(role)+" killed", func(t *testing.T) {
				who := fmt.Sprint("anna ", role, len(subject))
				p.opine(t, who, 3)
				id := p.forgetAndKill(t, who, subject, role)
				var f api.Forgetting
				p.await(t, func() bool {
					err := p.api.Call(t.Context(), "forget.get", api.ForgettingArgs{ID: id}, &f)
					return err == nil && f.Report != nil
				})
				if r := f.Report; r.Scan.Found != 0 || r.Scan.Keys == 0 || r.Records["feedback.fix"] != 3 {
					t.Errorf("%+v", r)
				}
				if got := p.total(t); got != 3 {
					t.Errorf("%d are left", got)
				}
			})
		}
	}
}

// forgetAndKill has somebody forgotten, kills a stage when something is heard and
// starts it again. It returns the name of the order.
func (p *plant) forgetAndKill(t *testing.T, who, moment string, role app.Role) string {
	t.Helper()
	heard, err := p.operator.SubscribeSync(moment)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = heard.Unsubscribe() }()
	written, err := p.operator.SubscribeSync(moments["the order is written"])
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = written.Unsubscribe() }()
	first := call[api.Forgetting](t, p, "forget", map[string]any{"user": who})
	asked := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		asked <- p.api.Call(ctx, "forget", map[string]any{"user": who, "confirm": first.Confirm.Token}, nil)
	}()
	order := next(t, written)
	for moment != written.Subject && !strings.Contains(string(next(t, heard).Data), `"job"`) {
		if strings.HasPrefix(moment, "learn.ev.") {
			break
		}
	}
	p.kill(t, role)
	p.begin(t, role)
	cancel() // whoever answered may have been killed
	<-asked
	return order.Subject[strings.LastIndexByte(order.Subject, '.')+1:]
}

func next(t *testing.T, sub *nats.Subscription) *nats.Msg {
	t.Helper()
	m, err := sub.NextMsg(patience)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestWhatIsClearedIsGoneWhereStagesRunApart(t *testing.T) {
	p := build(t)
	p.opine(t, "anna", 6)
	token := call[api.Clearing](t, p, "clear", map[string]any{"rules": []string{"rule1"}}).Confirm.Token
	var c api.Clearing
	if err := p.api.Call(t.Context(), "clear", map[string]any{"rules": []string{"rule2"}, "confirm": token}, &c); err == nil {
		t.Errorf("a token of another request: %+v", c)
	}
	c = call[api.Clearing](t, p, "clear", map[string]any{"rules": []string{"rule1"}, "confirm": token})
	if !c.Cleared || c.Records != 2 || p.total(t) != 4 {
		t.Errorf("%+v, %d are left", c, p.total(t))
	}
	if err := p.api.Call(t.Context(), "clear", map[string]any{"rules": []string{"rule1"}, "confirm": token}, &c); err == nil {
		t.Errorf("a token used before: %+v", c)
	}
	if status, said := p.post(t, "/api/clear", `{"all":true}`); status != http.StatusOK || !strings.Contains(said, `"records":4`) {
		t.Errorf("over HTTP: %d %s", status, said)
	}
}

// post asks the injector over HTTP as its operator.
func (p *plant) post(t *testing.T, path, body string) (int, string) {
	t.Helper()
	return p.stages[app.Injector].post(t, filepath.Join(p.dir(app.Injector), "admin.token"), path, body)
}

// post asks a process over HTTP as its operator, whose token is in a file.
func (s *process) post(t *testing.T, token, path, body string) (int, string) {
	t.Helper()
	secret, err := os.ReadFile(token)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.ready.HTTP+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(secret)))
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	defer http.DefaultClient.CloseIdleConnections()
	said, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(said)
}

func TestSettingsAndChoicesHoldForTheNextEventWhereStagesRunApart(t *testing.T) {
	p := build(t)
	p.opine(t, "anna", 3)
	for _, on := range []bool{false, true} {
		got := call[map[string]any](t, p, "privacy.set", map[string]any{"enabled": on, "actor": "eve"})
		if got["enabled"] != on || call[map[string]any](t, p, "privacy.get", nil)["enabled"] != on {
			t.Fatalf("enabled is %v", got["enabled"])
		}
		p.connect(t, "agent").report(t, "feedback.fix", fmt.Sprint("while ", on), decision)
		p.judged(t)
	}
	p.await(t, func() bool { return p.total(t) == 4 })
	h := call[api.History](t, p, "privacy.history", map[string]any{"group": "privacy"})
	if len(h.Changes) != 3 || h.Changes[0].Actor != "eve" {
		t.Errorf("history: %+v", h.Changes)
	}
	if err := p.api.Call(t.Context(), "privacy.set", map[string]any{"text_mode": "loud"}, nil); err == nil || !strings.Contains(err.Error(), "text_mode") {
		t.Errorf("what cannot be: %v", err)
	}
	if err := p.api.Call(t.Context(), "privacy.set", map[string]any{"max_records": 1, "if_match": `"x"`}, nil); err == nil {
		t.Error("a change from another state")
	}
	call[map[string]any](t, p, "privacy.opt-out", map[string]any{"user": "anna"})
	p.connect(t, "agent").report(t, "feedback.fix", "anna again", strings.Replace(decision, "{", `{"user_id":"anna",`, 1))
	p.judged(t)
	if got := p.total(t); got != 4 {
		t.Errorf("%d count after anna opted out", got)
	}
}

// judged waits until ingest has taken in everything that was published.
func (p *plant) judged(t *testing.T) {
	t.Helper()
	p.await(t, func() bool {
		s := call[api.Status](t, p, "status", nil)
		i := slices.IndexFunc(s.Streams, func(s api.StreamStatus) bool { return s.Name == "LEARN_INBOX" })
		return i >= 0 && s.Streams[i].Messages == 0
	})
}

func TestPeopleAreShownUnderNewNamesWhereStagesRunApart(t *testing.T) {
	p := build(t)
	p.opine(t, "anna", 3)
	p.opine(t, "ben", 2)
	before := p.people(t)
	r := call[api.Rotation](t, p, "privacy.rotate-key", map[string]any{"actor": "eve"})
	after := p.people(t)
	for name, n := range after {
		if _, known := before[name]; known || !strings.HasPrefix(name, "p"+r.KeyID+"_") || n != 3 && n != 2 {
			t.Errorf("%s decided %d times; before: %v", name, n, before)
		}
	}
	if len(before) != 2 || len(after) != 2 {
		t.Errorf("before %v, after %v", before, after)
	}
	p.kill(t, app.Ingest)
	p.begin(t, app.Ingest)
	if again := p.people(t); !maps.Equal(again, after) {
		t.Errorf("after ingest was killed: %v, before %v", again, after)
	}
	for name, n := range before { // the former name
		f := confirmed[api.Forgetting](t, p, "forget", map[string]any{"user": name})
		if f.Records != n || f.Report == nil || f.Report.Scan.Found != 0 {
			t.Errorf("%s, who decided %d times: %+v", name, n, f)
		}
	}
	if got := p.total(t); got != 0 {
		t.Errorf("%d are left", got)
	}
}

// people are who decided how often, as they are shown.
func (p *plant) people(t *testing.T) map[string]int {
	t.Helper()
	s := call[struct {
		Fixes struct {
			By map[string]int `json:"by_user"`
		} `json:"fix_feedback"`
	}](t, p, "statistics.get", nil)
	return s.Fixes.By
}

func TestTwoIngestsShowPeopleUnderOneName(t *testing.T) {
	p := build(t)
	p.opine(t, "anna", 3)
	shown := p.people(t)
	key, err := os.ReadFile(filepath.Join(p.dir(app.Ingest), "master.key"))
	second := &plant{site: p.site, folder: t.TempDir(), stages: map[app.Role]*process{}}
	if err == nil {
		err = os.Mkdir(second.dir(app.Ingest), 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(second.dir(app.Ingest), "master.key"), key, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	second.begin(t, app.Ingest)
	for range 10 { // whichever is asked
		if got := p.people(t); !maps.Equal(got, shown) {
			t.Fatalf("%v, and then %v", shown, got)
		}
		call[map[string]any](t, p, "privacy.set", map[string]any{"enabled": false})
		call[map[string]any](t, p, "privacy.set", map[string]any{"enabled": true})
	}
	said := second.stages[app.Ingest].said
	if second.end(t, app.Ingest); !strings.Contains(said.String(), "kept by another ingest") {
		t.Error("the second does not say who keeps the names")
	}
}

func TestWhatIsTooOldOrTooMuchGoesWhereStagesRunApart(t *testing.T) {
	p := build(t)
	p.opine(t, "anna", 6)
	call[map[string]any](t, p, "privacy.set", map[string]any{"max_records": 4})
	p.await(t, func() bool { return p.total(t) == 4 })
	for n := 1; p.total(t) > 0; n = 3 - n { // it is looked at when settings change
		call[map[string]any](t, p, "privacy.set", map[string]any{"max_data_age": fmt.Sprint(n, "s")})
	}
}

func TestOnlyWhatManyDidIsSharedWhereStagesRunApart(t *testing.T) {
	p := build(t)
	for _, who := range []string{"anna", "ben", "cleo", "dora", "eve"} {
		p.opine(t, who, 1)
	}
	decided := func() int {
		s := call[struct {
			Rules []struct {
				Decisions map[string]int `json:"decisions"`
			} `json:"rules"`
		}](t, p, "rules.share", nil)
		return len(s.Rules)
	}
	if got := decided(); got != 1 {
		t.Errorf("of five people %d rules are shared", got)
	}
	call[map[string]any](t, p, "privacy.opt-out", map[string]any{"user": "eve", "team_only": true})
	p.await(t, func() bool { return decided() == 0 })
}
