package app_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"learnloop.dev/api"

	"github.com/nats-io/nats.go"
)

// rotate shows people under new names and returns what there is now.
func (l *living) rotate(ctx context.Context, args map[string]any) (r api.Rotation, err error) {
	err = l.client.Call(ctx, "privacy.rotate-key", args, &r)
	return r, err
}

// byUser is how much of the feedback is whose.
func (l *living) byUser(t *testing.T) map[string]any {
	t.Helper()
	block, _ := l.statistics(t)["fix_feedback"].(map[string]any)
	users, _ := block["by_user"].(map[string]any)
	return users
}

// keyOf finds where a person's context is, by an id or a name.
func (l *living) keyOf(t *testing.T, user string) string {
	t.Helper()
	var c struct {
		Key string `json:"key"`
	}
	if err := l.client.Call(t.Context(), "contexts.get", map[string]any{"user": user}, &c); err != nil {
		t.Fatal(err)
	}
	return strings.TrimPrefix(c.Key, "user.")
}

// people send feedback; how much is theirs.
var people = map[string]int{"anna": 60, "bob": 40, "eve": 20}

// opinions is a batch of all their feedback, the same every time.
func opinions() message {
	var events []string
	for user, n := range people {
		for i := range n {
			data := strings.Replace(fix(fmt.Sprintf("rule-%d", i%3)), `{`, `{"user_id":"`+user+`",`, 1)
			events = append(events, event(fmt.Sprintf("%s-%d", user, i), fixType, data))
		}
	}
	return batch(events...)
}

// checkPeople holds who is shown against who there is: each once, under the key in use.
func (l *living) checkPeople(t *testing.T, key string) {
	t.Helper()
	shown := l.byUser(t)
	for user, n := range people {
		label := l.keyOf(t, user)
		if !strings.HasPrefix(label, "p"+key+"_") || shown[label] != float64(n) {
			t.Errorf("%s is %s with %v, want p%s_… with %d", user, label, shown[label], key, n)
		}
	}
	if len(shown) != len(people) {
		t.Errorf("%d people are shown: %v", len(shown), shown)
	}
}

func TestRotatingUnderLoadLosesDoublesAndSplitsNobody(t *testing.T) {
	a := meet(t, t.TempDir())
	former := map[string]string{}
	var load sync.WaitGroup
	load.Go(func() {
		for range 6 {
			a.publish(t, opinions())
		}
	})
	last := ""
	for range 5 {
		for user := range people {
			former[a.keyOf(t, user)] = user
		}
		r, err := a.rotate(t.Context(), nil)
		if err != nil || r.KeyID == last {
			t.Fatalf("%+v, %v", r, err)
		}
		last = r.KeyID
	}
	load.Wait()
	a.drained(t)
	a.reflected(t, 6*120)
	a.checkPeople(t, last)
	if got := a.total(t); got != 120 {
		t.Errorf("%d events count", got)
	}
	if len(former) != 5*len(people) {
		t.Errorf("%d former names", len(former))
	}
	for label, user := range former {
		if now, want := a.keyOf(t, label), a.keyOf(t, user); now != want {
			t.Errorf("the former name of %s leads to %s, not to %s", user, now, want)
		}
	}
	if told := a.stored(t, "pseudonyms", last); strings.Count(told, "until") != 5 {
		t.Errorf("history says %s", told)
	}
}

func TestAFormerNameFindsNobodyWhenNoWindowIsGiven(t *testing.T) {
	a := meet(t, t.TempDir())
	old := a.keyOf(t, "bob")
	if _, err := a.rotate(t.Context(), map[string]any{"window": "0", "actor": "anna"}); err != nil {
		t.Fatal(err)
	}
	if now := a.keyOf(t, old); now == a.keyOf(t, "bob") {
		t.Errorf("%s still leads to bob", old)
	}
}

func TestStrangersDoNotRotate(t *testing.T) {
	a := meet(t, t.TempDir())
	before := a.keyOf(t, "bob")
	if status, _ := a.ask(t, "POST /api/privacy/rotate-key", message{}); status != 401 {
		t.Errorf("over HTTP: %d", status)
	}
	if m, err := a.nc.Request("learn.svc.privacy.rotate-key", nil, 2*time.Second); err == nil {
		t.Errorf("over NATS: %s", m.Data)
	}
	if now := a.keyOf(t, "bob"); now != before {
		t.Errorf("bob is shown as %s now", now)
	}
}

func TestKilledWhileItRotatesNobodyIsLostOrSplit(t *testing.T) {
	dir := t.TempDir()
	d := spawn(t, dir)
	m := nats.NewMsg("learn.in.batch")
	m.Header.Set("Content-Type", "application/cloudevents-batch+json")
	m.Data = []byte(opinions().body)
	if _, err := d.js.PublishMsg(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	d.awaitTotal(t, 120)
	for round := range 4 {
		rotated := make(chan struct{})
		go func() {
			defer close(rotated)
			for n := 0; ; n++ {
				if _, err := d.rotate(context.Background(), map[string]any{"window": fmt.Sprintf("%dh", n%2)}); err != nil {
					return // killed
				}
			}
		}()
		for range round { // at another moment each time
			_ = d.keyOf(t, "bob")
		}
		d.kill()
		<-rotated
		d = spawn(t, dir)
		r, err := d.rotate(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		d.checkPeople(t, r.KeyID)
	}
}

func TestLosingTheKeysOfPseudonymsIsToldAndCostsNoCount(t *testing.T) {
	dir := t.TempDir()
	a := meet(t, dir)
	a.publish(t, opinions())
	a.drained(t)
	a.reflected(t, 120)
	old := a.keyOf(t, "bob")
	a.stored(t, "pseudonyms", "key_id")
	a.stop()
	if err := os.Remove(filepath.Join(dir, "pseudonyms.key")); err != nil {
		t.Fatal(err)
	}
	b := meet(t, dir)
	if !strings.Contains(b.log.read(), "the keys of pseudonyms were gone") {
		t.Errorf("nobody says so: %s", b.log.read())
	}
	now := b.keyOf(t, "bob")
	if now == old || b.keyOf(t, old) == now {
		t.Errorf("%s is %s now, and still found", old, now)
	}
	b.checkPeople(t, now[1:5])
}
