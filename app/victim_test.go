package app_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"learnloop.dev/api"
	"learnloop.dev/app"
	"learnloop.dev/bus"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/zap"
)

// victimVar makes the test binary a loop on the folder it names.
const victimVar = "LEARNLOOP_TEST_VICTIM"

// victim runs a loop until it is killed, and prints its addresses when ready.
func victim() int {
	config, err := app.Load("", nil, []string{"data=" + os.Getenv(victimVar), "http=127.0.0.1:0", "nats=127.0.0.1:0", "clock.ticks=false"})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	loop, err := app.Open(context.Background(), config, zap.NewNop())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	go func() {
		<-loop.Ready()
		line, _ := json.Marshal(loop.Addresses())
		fmt.Fprintln(os.Stdout, string(line))
	}()
	if err := loop.Run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	return 1
}

// doomed is a victim process from the outside.
type doomed struct {
	living
	cmd *exec.Cmd
}

// spawn starts a victim and connects to it.
func spawn(t *testing.T, dir string) *doomed {
	t.Helper()
	d := &doomed{cmd: exec.Command(os.Args[0])}
	d.cmd.Env = append(os.Environ(), victimVar+"="+dir)
	d.cmd.Stderr = os.Stderr
	out, err := d.cmd.StdoutPipe()
	if err == nil {
		err = d.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.kill)
	line, err := bufio.NewReader(out).ReadBytes('\n')
	var at app.Addresses
	if err == nil {
		err = json.Unmarshal(line, &at)
	}
	if err != nil {
		t.Fatalf("the loop did not start: %v", err)
	}
	if d.nc, err = bus.Connect(at.NATS, filepath.Join(dir, "admin.creds"), "test"); err != nil {
		t.Fatal(err)
	}
	if d.js, err = jetstream.New(d.nc, jetstream.WithDefaultTimeout(patience)); err != nil {
		t.Fatal(err)
	}
	d.client = api.NewClient(d.nc)
	return d
}

// kill ends the process as a power switch would.
func (d *doomed) kill() {
	if d.nc != nil {
		d.nc.Close()
	}
	_ = d.cmd.Process.Kill()
	_ = d.cmd.Wait()
}

// Sizes of the load.
const (
	perMessage = 20
	inFlight   = 8
	ruleCount  = 7
)

// parcel is a batch message of numbered feedback; its events are the same every
// time it is made.
func parcel(n int) *nats.Msg {
	m := nats.NewMsg("learn.in.batch")
	m.Header.Set("Content-Type", "application/cloudevents-batch+json")
	m.Data = []byte("[")
	for i := n * perMessage; i < (n+1)*perMessage; i++ {
		if len(m.Data) > 1 {
			m.Data = append(m.Data, ',')
		}
		m.Data = fmt.Appendf(m.Data, `{"specversion":"1.0","id":"e%d","source":"/load","type":"dev.learnloop.feedback.fix.v1","time":"2026-01-01T00:00:00Z",`+
			`"data":{"suggestion_id":"s%d","deviation_id":"d%d","rule_id":"rule-%d","category":"c%d","decision":"%s",`+
			`"original_text":"utilize %d","suggested_text":"use %d","original_confidence":0.%d}}`,
			i, i, i, i%ruleCount, i%3, []string{"accepted", "rejected", "modified", "skipped"}[i%4], i%50, i%50, 1+i%9)
	}
	m.Data = append(m.Data, ']')
	return m
}

// load publishes unacknowledged parcels until so many were acknowledged, and
// returns while others are still on their way.
func (d *doomed) load(t *testing.T, acked []bool, until int) {
	t.Helper()
	type sent struct {
		n      int
		future jetstream.PubAckFuture
	}
	var flying []sent
	next := 0
	for until > 0 {
		for next < len(acked) && len(flying) < inFlight {
			if !acked[next] {
				f, err := d.js.PublishMsgAsync(parcel(next))
				if err != nil {
					t.Fatal(err)
				}
				flying = append(flying, sent{next, f})
			}
			next++
		}
		if len(flying) == 0 {
			return
		}
		select {
		case <-flying[0].future.Ok():
			acked[flying[0].n] = true
			until--
		case err := <-flying[0].future.Err():
			t.Fatal(err)
		}
		flying = flying[1:]
	}
}

func TestKilledAtAnyMomentNothingIsLostOrDoubled(t *testing.T) {
	rounds, seed := 3, uint64(1)
	if os.Getenv("LEARNLOOP_E2E") != "" {
		rounds = 50
	}
	dir, random := t.TempDir(), rand.New(rand.NewPCG(seed, seed))
	acked := make([]bool, rounds*12)
	for range rounds {
		d := spawn(t, dir)
		d.load(t, acked, 1+random.IntN(20))
		d.kill()
	}
	d := spawn(t, dir)
	d.load(t, acked, len(acked))
	for n, ok := range acked {
		if !ok {
			t.Fatalf("parcel %d was never acknowledged", n)
		}
	}
	total := len(acked) * perMessage
	d.awaitTotal(t, total)
	d.checkCounts(t, total)
	contexts := d.contexts(t)
	d.forgetContexts(t)
	d.kill()
	if err := os.RemoveAll(filepath.Join(dir, "state")); err != nil {
		t.Fatal(err)
	}
	fresh := spawn(t, dir)
	fresh.reflected(t, total)
	differ(t, "after a fresh fold of the same log", fresh.contexts(t), contexts)
}

// awaitTotal waits until the contexts reflect everything that is in the inbox
// and the log.
func (d *doomed) awaitTotal(t *testing.T, total int) {
	t.Helper()
	d.drained(t)
	d.reflected(t, total)
}

// checkCounts holds every rule's counts against what was sent.
func (d *doomed) checkCounts(t *testing.T, total int) {
	t.Helper()
	stats := d.statistics(t)
	if got := stats["total_feedback"]; got != float64(total) {
		t.Errorf("total_feedback is %v, want %d", got, total)
	}
	byRule, _ := stats["by_rule"].(map[string]any)
	for r := range ruleCount {
		want := map[string]int{}
		for i := r; i < total; i += ruleCount {
			want[[]string{"accepted", "rejected", "modified", "skipped"}[i%4]]++
		}
		got, _ := byRule[fmt.Sprintf("rule-%d", r)].(map[string]any)
		for decision, n := range want {
			if got[decision] != float64(n) {
				t.Errorf("rule-%d: %s is %v, want %d", r, decision, got[decision], n)
			}
		}
	}
}
