package app_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"learnloop.dev/app"
	"learnloop.dev/bus"
)

// soon is long before anybody's patience ends who waits for a server that is away.
const soon = 8 * time.Second

func TestWhileTheServerIsAwayCallersAreToldSoonAndNothingIsLost(t *testing.T) {
	file, public, err := bus.NewAdminCreds()
	if err != nil {
		t.Fatal(err)
	}
	creds := filepath.Join(t.TempDir(), "stage.creds")
	if err := os.WriteFile(creds, file, 0o600); err != nil {
		t.Fatal(err)
	}
	options := bus.Options{Dir: t.TempDir(), StoreKey: "a key for this test alone, thirty-two", Admins: []string{public}}
	server, err := bus.Serve(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Shutdown() })
	at, err := url.Parse(server.URL())
	if err != nil {
		t.Fatal(err)
	}
	if options.Port, err = strconv.Atoi(at.Port()); err != nil {
		t.Fatal(err)
	}
	var doors []string
	for _, role := range []app.Role{app.Ingest, app.Injector} {
		l := runRole(t, role, []string{"data=" + t.TempDir(), "server=" + at.String(), "creds=" + creds, "http=127.0.0.1:0", "clock.ticks=false"})
		<-l.Ready()
		doors = append(doors, l.Addresses().HTTP)
	}
	server.Shutdown()
	for range 2 { // the first may be under way while the connection breaks
		refusedAway(t, http.MethodPost, doors[0]+"/v1/events", structuredEvent)
		refusedAway(t, http.MethodGet, doors[1]+"/api/contexts/rule/r", "")
		refusedAway(t, http.MethodGet, doors[1]+"/api/statistics", "")
	}
	if server, err = bus.Serve(options); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(patience); ; {
		if status, _ := askOver(t, http.MethodPost, doors[0]+"/v1/events", structuredEvent); status == http.StatusAccepted {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("events are not taken any more")
		}
	}
}

const structuredEvent = `{"specversion":"1.0","id":"1","source":"t","type":"dev.learnloop.feedback.response.v1",` +
	`"data":{"exchange_id":"x","feedback_type":"copy"}}`

// refusedAway wants the answer that somebody is away, soon.
func refusedAway(t *testing.T, method, where, body string) {
	t.Helper()
	status, header := askOver(t, method, where, body)
	if status != http.StatusServiceUnavailable || header.Get("Retry-After") == "" || header.Get("Content-Type") != "application/problem+json" {
		t.Errorf("%s %s: %d %v", method, where, status, header)
	}
}

func askOver(t *testing.T, method, where, body string) (int, http.Header) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, where, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/cloudevents+json")
	answer, err := (&http.Client{Timeout: soon}).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := answer.Body.Close(); err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, answer.Header
}
