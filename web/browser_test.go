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
	settings      []string
	tab           context.Context //nolint:containedctx // a context is the only handle that the driver gives for a tab

	mu         sync.Mutex
	complaints []string // guarded by mu; of the browser's console
}

// step is what a browser does.
type step = chromedp.Action[chromedp.Void]

// browser is the program that tests drive.
func browser(tb testing.TB) string {
	tb.Helper()
	path := os.Getenv("LEARNLOOP_BROWSER")
	if path == "" {
		tb.Skip("set LEARNLOOP_BROWSER to a Chromium")
	}
	return path
}

// sit starts a loop, with settings, and a browser that end with the test.
func sit(tb testing.TB, settings ...string) *sitting {
	tb.Helper()
	path := browser(tb)
	s := &sitting{data: tb.TempDir(), settings: settings}
	s.run(tb)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.UserDataDir(tb.TempDir()))
	machine, end := chromedp.NewExecAllocator(context.WithoutCancel(tb.Context()), options...)
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
	tb.Cleanup(func() { shut(); end(); <-heard })
	s.do(tb, chromedp.EmulateViewport(1280, 900))
	return s
}

// run starts the loop.
func (s *sitting) run(tb testing.TB) {
	tb.Helper()
	c, err := app.Load("", nil, append([]string{"data=" + s.data, "http=127.0.0.1:0", "nats=127.0.0.1:0", "partitions=4"}, s.settings...))
	if err != nil {
		tb.Fatal(err)
	}
	if s.Loop, err = app.Open(tb.Context(), c, zap.NewNop()); err != nil {
		tb.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(tb.Context()))
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	tb.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			tb.Errorf("run: %v", err)
		}
		if err := s.Close(); err != nil {
			tb.Errorf("close: %v", err)
		}
	})
	select {
	case <-s.Ready():
	case err := <-done:
		tb.Fatalf("the loop ended: %v", err)
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
func (s *sitting) quiet(tb testing.TB, where string) {
	tb.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, says := range s.complaints {
		tb.Errorf("%s: the browser says: %s", where, says)
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

func (s *sitting) do(tb testing.TB, steps ...step) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(s.tab, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		tb.Fatalf("browser: %v, before %s", err, told(tb, s, chromedp.Evaluate[string](`location.href + " " + document.body.innerText`)))
	}
}

// told is what the browser answers.
func told[T any](tb testing.TB, s *sitting, ask chromedp.Action[T]) T {
	tb.Helper()
	ctx, cancel := context.WithTimeout(s.tab, patience)
	defer cancel()
	answer, err := chromedp.Run(ctx, ask)
	if err != nil {
		tb.Fatalf("browser: %v", err)
	}
	return answer
}

// open shows a page.
func (s *sitting) open(tb testing.TB, path string) {
	tb.Helper()
	s.do(tb, chromedp.Navigate(s.address+path), chromedp.WaitReady("#page"))
}

// signIn becomes an operator.
func (s *sitting) signIn(tb testing.TB) {
	tb.Helper()
	s.signInWith(tb, s.token(tb))
}

func (s *sitting) signInWith(tb testing.TB, token string) {
	tb.Helper()
	s.open(tb, "/signin")
	s.do(tb, chromedp.SendKeys("#token", token), chromedp.Submit("#token"), chromedp.WaitReady(".said"))
}

func (s *sitting) token(tb testing.TB) string {
	tb.Helper()
	token, err := os.ReadFile(filepath.Join(s.data, "admin.token"))
	if err != nil {
		tb.Fatal(err)
	}
	return strings.TrimSpace(string(token))
}

// take sends events, one JSON object each, and fails unless all are stored.
func (s *sitting) take(tb testing.TB, events ...string) {
	tb.Helper()
	for from := 0; from < len(events); from += 200 {
		batch := "[" + strings.Join(events[from:min(from+200, len(events))], ",") + "]"
		s.post(tb, "/v1/events", "application/cloudevents-batch+json", batch)
	}
}

// post does an operation as an operator and returns its answer.
func (s *sitting) post(tb testing.TB, path, media, body string) string {
	tb.Helper()
	return s.call(tb, "POST "+path, media, body)
}

// get asks for something as an operator.
func (s *sitting) get(tb testing.TB, path string) string {
	tb.Helper()
	return s.call(tb, "GET "+path, "", "")
}

// call does a line like "GET /api/status".
func (s *sitting) call(tb testing.TB, line, media, body string) string {
	tb.Helper()
	method, path, _ := strings.Cut(line, " ")
	req, err := http.NewRequestWithContext(tb.Context(), method, s.address+path, bytes.NewBufferString(body))
	if err != nil {
		tb.Fatal(err)
	}
	req.Header.Set("Content-Type", media)
	req.Header.Set("Authorization", "Bearer "+s.token(tb))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		tb.Fatal(err)
	}
	defer resp.Body.Close()
	var said bytes.Buffer
	if _, err := said.ReadFrom(resp.Body); err != nil || resp.StatusCode >= http.StatusBadRequest {
		tb.Fatalf("%s: %s %s %v", path, resp.Status, said.String(), err)
	}
	return said.String()
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
