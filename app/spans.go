package app

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"learnloop.dev/pipeline"

	"github.com/go-json-experiment/json"
	"go.uber.org/zap"
)

const (
	// spansWaiting is how many spans wait to be sent; more are dropped and counted.
	spansWaiting = 4096
	// spansAtOnce is how many go with one request.
	spansAtOnce = 512
	// spansEvery is how long one waits for others.
	spansEvery = 2 * time.Second
	// spansTime is how long the collector may take, spansEnd when the process ends.
	spansTime = 10 * time.Second
	spansEnd  = 2 * time.Second
)

// spans sends what was done on behalf of traces to an OpenTelemetry collector, as
// OTLP 1.x over HTTP in JSON (opentelemetry.io/docs/specs/otlp). Nobody waits for it.
type spans struct {
	url     string
	service string
	waiting chan span
	client  *http.Client
	dropped func(n int)
	log     *zap.Logger
}

func newSpans(endpoint string, role Role, log *zap.Logger, dropped func(n int)) *spans {
	return &spans{
		url: strings.TrimSuffix(endpoint, "/") + "/v1/traces", service: "learnloop " + string(role),
		waiting: make(chan span, spansWaiting), client: &http.Client{}, dropped: dropped, log: log,
	}
}

// span is one in the JSON of OTLP: ids in hex, times in nanoseconds as text.
type span struct {
	Trace  string `json:"traceId"`
	ID     string `json:"spanId"`
	Parent string `json:"parentSpanId"`
	Flags  int    `json:"flags"`
	Name   string `json:"name"`
	Kind   int    `json:"kind"`
	Begin  string `json:"startTimeUnixNano"`
	End    string `json:"endTimeUnixNano"`
}

// consumer is the kind of a span that handles what a producer sent.
const consumer = 5

// sampled is the flag of a trace that somebody wants to see.
const sampled = 1

// spanOf is a child of the producer's span; nothing when nobody wants to see it. The
// form of a traceparent is checked when it comes in: 00-<trace>-<span>-<flags>.
func spanOf(s pipeline.Span) (out span, wanted bool) {
	parts := strings.Split(s.Parent, "-")
	if len(parts) != 4 {
		return span{}, false
	}
	flags, err := strconv.ParseUint(parts[3], 16, 8)
	if err != nil || flags&sampled == 0 {
		return span{}, false
	}
	var id [8]byte
	_, _ = rand.Read(id[:]) // never fails
	return span{
		Trace: parts[1], ID: hex.EncodeToString(id[:]), Parent: parts[2], Flags: sampled, Name: s.Name, Kind: consumer,
		Begin: strconv.FormatInt(s.Begin.UnixNano(), 10), End: strconv.FormatInt(s.End.UnixNano(), 10),
	}, true
}

// take keeps a span until it is sent.
func (s *spans) take(done pipeline.Span) {
	one, wanted := spanOf(done)
	if !wanted {
		return
	}
	select {
	case s.waiting <- one:
	default:
		s.dropped(1)
	}
}

// run sends spans until its context ends, and then what still waits.
func (s *spans) run(ctx context.Context) error {
	for {
		batch, ended := s.gather(ctx)
		if ended {
			s.deliver(context.WithoutCancel(ctx), spansEnd, batch)
			return nil
		}
		s.deliver(ctx, spansTime, batch)
	}
}

// gather waits for a span, and a little longer for more.
func (s *spans) gather(ctx context.Context) (batch []span, ended bool) {
	var full <-chan time.Time
	for len(batch) < spansAtOnce {
		select {
		case one := <-s.waiting:
			if batch = append(batch, one); full == nil {
				full = time.After(spansEvery)
			}
		case <-full:
			return batch, false
		case <-ctx.Done():
			return append(batch, s.rest()...), true
		}
	}
	return batch, false
}

// rest takes what waits, and waits for nothing.
func (s *spans) rest() (batch []span) {
	for {
		select {
		case one := <-s.waiting:
			batch = append(batch, one)
		default:
			return batch
		}
	}
}

// deliver sends spans once: they are told about, and not kept for later.
func (s *spans) deliver(ctx context.Context, within time.Duration, batch []span) {
	if len(batch) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	if err := s.post(ctx, batch); err != nil {
		s.dropped(len(batch))
		s.log.Warn("spans were not exported", zap.Int("spans", len(batch)), zap.Error(err))
	}
}

func (s *spans) post(ctx context.Context, batch []span) error {
	body, err := json.Marshal(export(s.service, batch))
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := s.client.Do(req)
	if err != nil {
		return fmt.Errorf("send to the collector: %w", err)
	}
	err = resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		err = errors.Join(err, fmt.Errorf("send to the collector: it answered %s", resp.Status))
	}
	return err
}

// attribute is a name and a text.
type attribute struct {
	Key   string `json:"key"`
	Value struct {
		Text string `json:"stringValue"`
	} `json:"value"`
}

// export is an ExportTraceServiceRequest of one service.
func export(service string, batch []span) any {
	name := attribute{Key: "service.name"}
	name.Value.Text = service
	type scope struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	type scoped struct {
		Scope scope  `json:"scope"`
		Spans []span `json:"spans"`
	}
	type resource struct {
		Attributes []attribute `json:"attributes"`
	}
	type resourced struct {
		Resource resource `json:"resource"`
		Scopes   []scoped `json:"scopeSpans"`
	}
	return struct {
		Resources []resourced `json:"resourceSpans"`
	}{[]resourced{{resource{[]attribute{name}}, []scoped{{scope{"learnloop", Version()}, batch}}}}}
}
