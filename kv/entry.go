package kv

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Headers of a bucket's messages. The operation is the one that every NATS
// client understands; the insight is ours.
const (
	// InsightHeader names the stream sequence of the insight an entry was made from.
	InsightHeader   = "Learnloop-Insight"
	operationHeader = "KV-Operation"
	reasonHeader    = "Nats-Marker-Reason"
	deletion        = "DEL"
)

// stored is one revision of a key as a bucket holds it.
type stored struct {
	key      string
	value    []byte // nil when the key is deleted
	header   nats.Header
	revision uint64
	insight  uint64 // 0 when unknown
	at       time.Time
}

// fill takes over what a message's headers and body say.
func (s *stored) fill(header nats.Header, data []byte) {
	s.header = beside(header)
	s.insight, _ = strconv.ParseUint(header.Get(InsightHeader), 10, 64)
	if header.Get(operationHeader) != "" || header.Get(reasonHeader) != "" {
		return
	}
	s.value = data
	if data == nil {
		s.value = []byte{}
	}
}

// beside returns the headers that say something about the value, nil when none
// does: those of the server and of the bucket are of no use to a generator.
func beside(header nats.Header) nats.Header {
	var out nats.Header
	for name, values := range header {
		if strings.HasPrefix(name, "Nats-") || name == operationHeader || name == InsightHeader {
			continue
		}
		if out == nil {
			out = nats.Header{}
		}
		out[name] = values
	}
	return out
}

// delivered reads a message that a consumer of the bucket delivered.
func delivered(bucket string, m *nats.Msg, meta *nats.MsgMetadata) stored {
	s := stored{key: m.Subject[len(subject(bucket, "")):], revision: meta.Sequence.Stream, at: meta.Timestamp}
	s.fill(m.Header, m.Data)
	return s
}

// stored is the context as the bucket holds it.
func (c *Context) stored() stored {
	return stored{key: c.Key, value: c.Value, revision: c.Revision, insight: c.Insight}
}

// fetched reads a message that was asked for by its key.
func fetched(key string, m *jetstream.RawStreamMsg) stored {
	s := stored{key: key, revision: m.Sequence, at: m.Time}
	s.fill(m.Header, m.Data)
	return s
}

// message is the entry as the bucket stores it, refused unless the key's last
// revision is still the expected one.
func (e Entry) message(bucket string, expected uint64) *nats.Msg {
	m := nats.NewMsg(subject(bucket, e.Key))
	maps.Copy(m.Header, e.Header)
	m.Header.Set(InsightHeader, strconv.FormatUint(e.Insight, 10))
	m.Header.Set(jetstream.ExpectedLastSubjSeqHeader, strconv.FormatUint(expected, 10))
	m.Header.Set(jetstream.ExpectedStreamHeader, streamOf(bucket))
	if e.Value == nil {
		m.Header.Set(operationHeader, deletion)
		return m
	}
	m.Data = e.Value
	return m
}

// check refuses what no bucket can hold.
func (e Entry) check(limit int64) error {
	switch {
	case !valid(e.Key):
		return fmt.Errorf("put %q: %w: no key of one", e.Key, ErrUnfit)
	case int64(len(e.Value)) > limit:
		return fmt.Errorf("put %s: %w: %d bytes, %d at most", e.Key, ErrUnfit, len(e.Value), limit)
	}
	return nil
}
