package app_test

import (
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"learnloop.dev/access"
	"learnloop.dev/api"
	"learnloop.dev/app"
	"learnloop.dev/bus"

	"github.com/nats-io/nats.go/jetstream"
)

func TestATokenIsInForceInEveryProcessAndAfterARestart(t *testing.T) {
	creds, url := elsewhere(t)
	data := t.TempDir()
	pairs := func(name string) []string {
		return []string{"data=" + filepath.Join(data, name), "server=" + url, "creds=" + creds, "http=127.0.0.1:0", "clock.ticks=false"}
	}
	ingest := runRole(t, app.Ingest, pairs("ingest")).Addresses().HTTP
	injector := runRole(t, app.Injector, pairs("injector")).Addresses().HTTP
	nc, err := bus.Connect(url, creds, "test")
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	client := api.NewClient(nc)
	var made api.MintedToken
	wish := api.TokenWish{Name: "agent", Roles: access.Roles{access.Capture}}
	if err := client.Call(t.Context(), "tokens.create", wish, &made); err != nil {
		t.Fatal(err)
	}
	later := runRole(t, app.Injector, pairs("later")).Addresses().HTTP
	for _, at := range []string{ingest, injector, later} {
		becomes(t, at, made.Token, true)
	}
	if err := client.Call(t.Context(), "tokens.revoke", api.TokenRef{ID: made.ID}, nil); err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{ingest, injector, later} {
		becomes(t, at, made.Token, false)
	}
}

// becomes waits until a process takes a token, or does not.
func becomes(t *testing.T, at, token string, good bool) {
	t.Helper()
	for end := time.Now().Add(patience); ; {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, at+"/healthz", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+token)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if (res.StatusCode == http.StatusOK) == good {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%s answers %d", at, res.StatusCode)
		}
	}
}

func TestATokenThatWasPurgedOpensNothingWithoutARestart(t *testing.T) {
	a := meet(t, t.TempDir())
	nc, err := bus.Connect(a.Addresses().NATS, filepath.Join(a.data, "admin.creds"), "test")
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	var made [2]api.MintedToken
	for i, name := range []string{"kept", "purged"} {
		if err := api.NewClient(nc).Call(t.Context(), "tokens.create", api.TokenWish{Name: name, Roles: access.Roles{access.Read}}, &made[i]); err != nil {
			t.Fatal(err)
		}
	}
	js, err := bus.JetStream(nc)
	if err != nil {
		t.Fatal(err)
	}
	s, err := js.Stream(t.Context(), "KV_learn_settings")
	if err == nil {
		err = s.Purge(t.Context(), jetstream.WithPurgeSubject("$KV.learn_settings.token."+made[1].ID))
	}
	if err != nil {
		t.Fatal(err)
	}
	missed, err := a.MissTokens(t.Context(), nil)
	if err != nil || len(missed) != 1 || missed[0] != made[1].ID {
		t.Fatalf("missed %v, %v", missed, err)
	}
	becomes(t, a.Addresses().HTTP, made[1].Token, true) // a replica may be behind
	if missed, err = a.MissTokens(t.Context(), missed); err != nil || len(missed) != 0 {
		t.Errorf("missed again: %v, %v", missed, err)
	}
	becomes(t, a.Addresses().HTTP, made[1].Token, false)
	becomes(t, a.Addresses().HTTP, made[0].Token, true)
}
