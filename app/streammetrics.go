package app

import (
	"context"
	"time"

	"learnloop.dev/bus"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"
)

// askTime is how long the server may take to answer a scrape.
const askTime = 2 * time.Second

// streamMetrics ask the NATS server how full the streams are whenever somebody looks.
type streamMetrics struct {
	js jetstream.JetStream

	up, messages, bytes, limit *prometheus.Desc
}

// watchStreams adds what the streams hold to the metrics.
func (m *metrics) watchStreams(js jetstream.JetStream) {
	describe := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(prometheus.BuildFQName(namespace, "", name), help, labels, nil)
	}
	m.registry.MustRegister(&streamMetrics{
		js:       js,
		up:       describe("nats_up", "1 when the NATS server is reached, else 0."),
		messages: describe("stream_messages", "Messages in a stream.", "stream"),
		bytes:    describe("stream_bytes", "Bytes in a stream.", "stream"),
		limit:    describe("stream_limit_bytes", "Bytes that a stream may hold; absent where it has no limit.", "stream"),
	})
}

// Describe names what Collect tells.
func (s *streamMetrics) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{s.up, s.messages, s.bytes, s.limit} {
		out <- d
	}
}

// Collect tells what the server answers in time; of a stream that it does not tell
// about, nothing stands there.
func (s *streamMetrics) Collect(out chan<- prometheus.Metric) {
	up := 0.0
	if s.js.Conn().IsConnected() {
		up = 1
		s.collectStreams(out)
	}
	out <- prometheus.MustNewConstMetric(s.up, prometheus.GaugeValue, up)
}

func (s *streamMetrics) collectStreams(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), askTime)
	defer cancel()
	for _, name := range []string{bus.InboxStream, bus.EventsStream, bus.InsightsStream, bus.LettersStream, bus.OutStream} {
		stream, err := s.js.Stream(ctx, name)
		if err != nil {
			continue // the next look may tell
		}
		info := stream.CachedInfo()
		out <- prometheus.MustNewConstMetric(s.messages, prometheus.GaugeValue, float64(info.State.Msgs), name)
		out <- prometheus.MustNewConstMetric(s.bytes, prometheus.GaugeValue, float64(info.State.Bytes), name)
		if limit := info.Config.MaxBytes; limit > 0 {
			out <- prometheus.MustNewConstMetric(s.limit, prometheus.GaugeValue, float64(limit), name)
		}
	}
}
