package web_test

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"learnloop.dev/app"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"go.uber.org/zap"
)

// sitting is a loop with a browser before it.
type sitting struct {
	*app.Loop
	address, data string
	tab           context.Context

	mu         sync.Mutex
	complaints []string // guarded by mu; of the browser's console
}

// step is what a browser does.
type step = chromedp.Action[chromedp.Void]

// browser is the program that tests drive.
func browser(t testing.TB) string {
	t.Helper()
	path := os.Getenv("LEARNLOOP_BROWSER")
	if path == "" {
		t.Skip("set LEARNLOOP_BROWSER to a Chromium")
	}
	return path
}

// sit starts a loop and a browser that end with the test.
func sit(t testing.TB) *sitting {
	t.Helper()
	path := browser(t)
	s := &sitting{data: t.TempDir()}
	s.run(t)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.UserDataDir(t.TempDir()))
	machine, end := chromedp.NewExecAllocator(context.WithoutCancel(t.Context()), options...)
	tab, shut := chromedp.NewContext(machine)
	s.tab = tab
	heard := make(chan struct{})
	messages := chromedp.Console(tab) // starts the browser
	go func() {
		defer close(heard)
		for m, err := range messages {
			if err != nil {
				return
			}
			s.hear(m)
		}
	}()
	t.Cleanup(func() { shut(); end(); <-heard })
	s.do(t, chromedp.EmulateViewport(1280, 900))
	return s
}

// run starts the loop.
func (s *sitting) run(t testing.TB) {
	t.Helper()
	c, err := app.Load("", nil, []string{"data=" + s.data, "http=127.0.0.1:0", "nats=127.0.0.1:0", "partitions=4"})
	if err != nil {
		t.Fatal(err)
	}
	if s.Loop, err = app.Open(t.Context(), c, zap.NewNop()); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Errorf("run: %v", err)
		}
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	select {
	case <-s.Ready():
	case err := <-done:
		t.Fatalf("the loop ended: %v", err)
	}
	s.address = s.Addresses().HTTP
}

// hear notes what the browser complains about.
func (s *sitting) hear(m chromedp.ConsoleMessage) {
	if m.IsException() || m.Type == "error" || m.Type == "warning" {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.complaints = append(s.complaints, m.String()+" "+m.URL)
	}
}

// quiet fails for everything the browser complained about.
func (s *sitting) quiet(t testing.TB, where string) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, says := range s.complaints {
		t.Errorf("%s: the browser says: %s", where, says)
	}
	s.complaints = nil
}

// forgive drops what the browser complained about.
func (s *sitting) forgive() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.complaints = nil
}

// patience is how long the browser has for one thing.
const patience = 20 * time.Second

func (s *sitting) do(t testing.TB, steps ...step) {
	t.Helper()
	ctx, cancel := context.WithTimeout(s.tab, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		t.Fatalf("browser: %v", err)
	}
}

// told is what the browser answers.
func told[T any](t testing.TB, s *sitting, ask chromedp.Action[T]) T {
	t.Helper()
	ctx, cancel := context.WithTimeout(s.tab, patience)
	defer cancel()
	answer, err := chromedp.Run(ctx, ask)
	if err != nil {
		t.Fatalf("browser: %v", err)
	}
	return answer
}

// open shows a page.
func (s *sitting) open(t testing.TB, path string) {
	t.Helper()
	s.do(t, chromedp.Navigate(s.address+path), chromedp.WaitReady("#page"))
}

// signIn becomes an operator.
func (s *sitting) signIn(t testing.TB) {
	t.Helper()
	s.open(t, "/signin")
	s.do(t, chromedp.SendKeys("#token", s.token(t)), chromedp.Submit("#token"), chromedp.WaitReady(".said"))
}

func (s *sitting) token(t testing.TB) string {
	t.Helper()
	token, err := os.ReadFile(filepath.Join(s.data, "admin.token"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(token))
}

// take sends events, one JSON object each, and fails unless all are stored.
func (s *sitting) take(t testing.TB, events ...string) {
	t.Helper()
	for from := 0; from < len(events); from += 200 {
		batch := "[" + strings.Join(events[from:min(from+200, len(events))], ",") + "]"
		s.post(t, "/v1/events", "application/cloudevents-batch+json", batch)
	}
}

// post does an operation as an operator.
func (s *sitting) post(t testing.TB, path, media, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.address+path, bytes.NewBufferString(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", media)
	req.Header.Set("Authorization", "Bearer "+s.token(t))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode >= http.StatusBadRequest {
		var said bytes.Buffer
		_, _ = said.ReadFrom(resp.Body)
		t.Fatalf("%s: %s %s", path, resp.Status, said.String())
	}
}

// media is what the reader prefers.
func media(scheme string) step {
	return func(ctx context.Context, tab *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
		})
		return chromedp.Void{}, err
	}
}

// looks are how pages are looked at.
func looks() map[string][]step {
	wide := chromedp.EmulateViewport(1280, 900)
	return map[string][]step{
		"light": {wide, media("light")}, "dark": {wide, media("dark")},
		"phone": {chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile), media("light")},
	}
}
