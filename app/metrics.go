package app

import (
	"net/http"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/pipeline"
	"learnloop.dev/pipeline/ingest"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"go.uber.org/zap"
)

// metrics are what an operator can watch; none carries a rule, a person or text.
type metrics struct {
	registry  *prometheus.Registry
	received  *prometheus.CounterVec
	refused   *prometheus.CounterVec
	declined  *prometheus.CounterVec
	removed   *prometheus.CounterVec
	retried   *prometheus.CounterVec
	stored    prometheus.Counter
	append    prometheus.Histogram
	folded    prometheus.Counter
	batch     prometheus.Histogram
	fold      prometheus.Histogram
	lag       prometheus.Gauge
	position  prometheus.Gauge
	insights  prometheus.Counter
	publish   prometheus.Histogram
	contexts  prometheus.Counter
	changed   prometheus.Counter
	refresh   prometheus.Histogram
	deletions prometheus.Counter
	swept     *prometheus.CounterVec
	spans     prometheus.Counter
}

func newMetrics() *metrics {
	m := &metrics{registry: prometheus.NewRegistry()}
	m.received = m.vec("received_total", "Events that reached a stage.", "stage")
	m.refused = m.vec("refused_total", "Events that became dead letters.", "stage", "reason")
	m.declined = m.vec("declined_total", "Events that were not kept though nothing was wrong with them.", "stage", "why")
	m.removed = m.vec("removed_total", "Personal data and secrets removed at ingest.", "entity")
	m.retried = m.vec("retried_total", "Operations that were tried again.", "what")
	m.stored = m.counter("stored_total", "Facts appended to the log.")
	m.append = m.seconds("append_seconds", "Time to append a batch to the log, on disk.")
	m.folded = m.counter("folded_total", "Log entries folded.")
	m.batch = m.histogram("batch_size", "Log entries folded together.", prometheus.ExponentialBuckets(1, 2, 11))
	m.fold = m.seconds("fold_seconds", "Time to fold a batch.")
	m.lag = m.gauge("lag", "Log entries that are not folded yet.")
	m.position = m.gauge("position", "Last log sequence folded.")
	m.insights = m.counter("insights_total", "Insights published.")
	m.publish = m.seconds("publish_seconds", "Time to publish a batch of insights.")
	m.contexts = m.counter("contexts_rendered_total", "Contexts rendered.")
	m.changed = m.counter("contexts_changed_total", "Contexts whose bytes changed.")
	m.refresh = m.seconds("refresh_delay_seconds", "From insight to context in the bucket.")
	m.deletions = m.counter("log_deleted_total", "Log entries deleted because they count no more.")
	m.swept = m.vec("swept_total", "Records that expired, were cleared or forgotten.", "by")
	m.spans = m.counter("spans_dropped_total", "Spans that the OpenTelemetry collector did not get.")
	m.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

const namespace = "learnloop"

func (m *metrics) vec(name, help string, labels ...string) *prometheus.CounterVec {
	c := prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, labels)
	m.registry.MustRegister(c)
	return c
}

func (m *metrics) counter(name, help string) prometheus.Counter {
	c := prometheus.NewCounter(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help})
	m.registry.MustRegister(c)
	return c
}

func (m *metrics) gauge(name, help string) prometheus.Gauge {
	g := prometheus.NewGauge(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help})
	m.registry.MustRegister(g)
	return g
}

func (m *metrics) histogram(name, help string, buckets []float64) prometheus.Histogram {
	h := prometheus.NewHistogram(prometheus.HistogramOpts{Namespace: namespace, Name: name, Help: help, Buckets: buckets})
	m.registry.MustRegister(h)
	return h
}

func (m *metrics) seconds(name, help string) prometheus.Histogram {
	return m.histogram(name, help, prometheus.ExponentialBuckets(0.0005, 2, 14))
}

// handler serves the metrics in the Prometheus exposition format.
func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry})
}

// observer joins metrics and log lines around the stages, which have neither.
func (l *Loop) observer() pipeline.Observer {
	m, log := l.metrics, l.log
	return pipeline.Observer{
		Received: func(stage string, n int) { m.received.WithLabelValues(stage).Add(float64(n)) },
		Refused: func(stage string, r events.Reason) {
			m.refused.WithLabelValues(stage, string(r)).Inc()
			log.Debug("event refused", zap.String("stage", stage), zap.String("reason", string(r)))
		},
		Declined: func(stage, why string) { m.declined.WithLabelValues(stage, why).Inc() },
		Removed:  l.noteRemoved,
		Stored: func(n int, took time.Duration) {
			m.stored.Add(float64(n))
			m.append.Observe(took.Seconds())
		},
		Folded: func(n int, seq, behind uint64, took time.Duration) {
			m.folded.Add(float64(n))
			m.batch.Observe(float64(n))
			m.fold.Observe(took.Seconds())
			m.lag.Set(float64(behind))
			m.position.Set(float64(seq))
		},
		Decided: func(decision, rule string) {
			if e := log.Check(zap.DebugLevel, "recording feedback"); e != nil {
				e.Write(zap.String("decision", decision), zap.String("rule_id", rule))
			}
		},
		Context: l.logContext,
		Published: func(n int, took time.Duration) {
			m.insights.Add(float64(n))
			m.publish.Observe(took.Seconds())
		},
		Rendered: func(n, changed int, delay time.Duration) {
			m.contexts.Add(float64(n))
			m.changed.Add(float64(changed))
			m.refresh.Observe(delay.Seconds())
		},
		Retried: func(what string, err error) {
			m.retried.WithLabelValues(what).Inc()
			if what == ingest.Recording {
				log.Error("failed to record feedback", zap.Error(err)) // it is tried again
				return
			}
			log.Warn("trying again", zap.String("what", what), zap.Error(err))
		},
		Swept: func(s pipeline.Sweep) {
			m.swept.WithLabelValues(string(s.Kind)).Add(float64(s.Count))
			l.logSweep(s)
		},
		Deleted: func(n int) {
			m.deletions.Add(float64(n))
			log.Debug("deleted log entries that count no more", zap.Int("count", n))
		},
		Traced: func(s pipeline.Span) {
			if l.spans != nil {
				l.spans.take(s)
			}
		},
	}
}
