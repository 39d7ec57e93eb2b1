package bus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strconv"
	"strings"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/kv"

	"github.com/nats-io/nats.go/jetstream"
)

// The streams, each with its subjects.
const (
	InboxStream    = "LEARN_INBOX"    // learn.in.<kind>
	EventsStream   = "LEARN_EVENTS"   // learn.ev.<partition>.<kind>
	InsightsStream = "LEARN_INSIGHTS" // learn.know.<partition>.<model>.<key> and learn.at.<partition>
	LettersStream  = "LEARN_DLQ"      // learn.dlq.<stage>.<reason>
	OutStream      = "LEARN_OUT"      // learn.out.<notification>
	AuditStream    = "LEARN_AUDIT"    // learn.audit.<operation>
)

// ErrForeignKey means that the identities in the log are hashed under another key; nothing was changed.
var ErrForeignKey = errors.New("log was made with another key")

// ErrForeignStream means that a stream of ours exists with another shape; nothing was changed.
var ErrForeignStream = errors.New("stream was not made by learnloop")

const (
	partitionsKey = "learnloop_partitions"
	nameOfKey     = "learnloop_key"

	defaultPartitions = 32
	defaultInbox      = 1 << 30   // bytes
	maxOut            = 256 << 20 // bytes of dead letters, and of notifications
	keepLetters       = 14 * 24 * time.Hour
	keepOut           = 24 * time.Hour
	maxAudit          = 64 << 20 // bytes; some 300 000 changes
	keepAudit         = 365 * 24 * time.Hour
	shortWindow       = 30 * time.Second       // message ids are remembered in memory
	noWindow          = 100 * time.Millisecond // the least there is: a server that starts reads all messages of the window
)

// Layout is what may differ between installations. The zero value asks for the defaults.
type Layout struct {
	Partitions int   // of the log, 32; fixed when the log is created
	Replicas   int   // of every stream, 1
	InboxBytes int64 // what the inbox may hold, 1 GiB
	// Key names the key under which identities in the log are hashed, and tells nothing about it; empty for
	// who holds none. A log keeps the first that it is given.
	Key string
	// Embedded says that the server ends when its only user does. Then nobody waits until what can be
	// made again is on disk: insights, contexts and notices.
	Embedded bool
}

// Ensure creates the streams and buckets that are missing and brings the others up to date, and
// returns the layout in force: a log that exists keeps its partitions and its key, and another key is
// ErrForeignKey. What an operator tuned on an existing stream (limits, placement, replicas without a wish
// here) stays.
func Ensure(ctx context.Context, js jetstream.JetStream, l Layout) (Layout, error) {
	l = l.filled()
	for _, want := range l.streams() {
		have, err := ensure(ctx, js, want)
		if err != nil {
			return Layout{}, fmt.Errorf("ensure stream %s: %w", want.Name, err)
		}
		l.Replicas = have.Replicas
		if want.Name != EventsStream {
			continue
		}
		if l.Partitions, err = partitions(have); err != nil {
			return Layout{}, fmt.Errorf("ensure stream %s: %w", want.Name, err)
		}
		if name := have.Metadata[nameOfKey]; l.Key != "" && l.Key != name {
			return Layout{}, fmt.Errorf("ensure stream %s: %w", want.Name, ErrForeignKey)
		}
		l.Key = have.Metadata[nameOfKey]
	}
	return l, nil
}

// filled is the layout with the defaults in place of what was not asked for.
func (l Layout) filled() Layout {
	l.Partitions = cmp.Or(l.Partitions, defaultPartitions)
	l.InboxBytes = cmp.Or(l.InboxBytes, defaultInbox)
	return l
}

// KeyOfLog names the key under which identities in the log are hashed, "" where there is none yet.
func KeyOfLog(ctx context.Context, js jetstream.JetStream) (string, error) {
	s, err := js.Stream(ctx, EventsStream)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("look up stream %s: %w", EventsStream, err)
	}
	return s.CachedInfo().Config.Metadata[nameOfKey], nil
}

func partitions(events jetstream.StreamConfig) (int, error) {
	n, err := strconv.Atoi(events.Metadata[partitionsKey])
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%w: no count of partitions in its metadata", ErrForeignStream)
	}
	return n, nil
}

func (l Layout) streams() []jetstream.StreamConfig {
	streams := []jetstream.StreamConfig{
		{
			Name: InboxStream, Subjects: []string{events.InboxPrefix + ">"},
			Discard: jetstream.DiscardNew, MaxBytes: l.InboxBytes, Duplicates: shortWindow,
		}, {
			Name: EventsStream, Subjects: []string{"learn.ev.>"},
			Discard: jetstream.DiscardNew, AllowAtomicPublish: true, AllowDirect: true, Duplicates: noWindow, // nothing in it has an id
			Metadata: l.metadata(),
		}, {
			Name: InsightsStream, Subjects: []string{"learn.know.>", "learn.at.*"},
			MaxMsgsPerSubject: 1, AllowDirect: true, Duplicates: shortWindow, PersistMode: l.derived(),
		}, {
			Name: LettersStream, Subjects: []string{"learn.dlq.>"},
			MaxAge: keepLetters, MaxBytes: maxOut, Duplicates: keepLetters, AllowDirect: true,
		}, {
			Name: OutStream, Subjects: []string{"learn.out.>"},
			MaxAge: keepOut, MaxBytes: maxOut, Duplicates: shortWindow, AllowDirect: true, PersistMode: l.derived(),
		},
		{
			Name: AuditStream, Subjects: []string{journalPrefix + ">"},
			MaxAge: keepAudit, MaxBytes: maxAudit, Duplicates: shortWindow, AllowDirect: true, AllowAtomicPublish: true,
		},
		l.derivedBucket(kv.Contexts), l.derivedBucket(kv.Learnings), expiring(kv.Settings, 10), expiring(kv.Owners, 1), receipts(),
	}
	for i := range streams {
		streams[i].Storage = jetstream.FileStorage
		streams[i].Replicas = max(l.Replicas, 1)
	}
	return streams
}

// metadata says of the log what can never change.
func (l Layout) metadata() map[string]string {
	m := map[string]string{partitionsKey: strconv.Itoa(l.Partitions)}
	if l.Key != "" {
		m[nameOfKey] = l.Key
	}
	return m
}

// derived is how streams are kept whose content can be made again.
func (l Layout) derived() jetstream.PersistModeType {
	if l.Embedded && l.Replicas <= 1 {
		return jetstream.AsyncPersistMode
	}
	return jetstream.DefaultPersistMode
}

// bucket is the stream that every NATS client knows as a key-value bucket, with atomic batches allowed.
func bucket(name string, history int64) jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name: streamOf(name), Subjects: []string{"$KV." + name + ".>"},
		MaxMsgsPerSubject: history, Discard: jetstream.DiscardNew, Duplicates: shortWindow,
		AllowRollup: true, DenyDelete: true, AllowDirect: true, AllowAtomicPublish: true,
	}
}

// derivedBucket holds what is rendered from insights. A server that does not wait for the disk takes no
// atomic batches, and has no need of them.
func (l Layout) derivedBucket(name string) jetstream.StreamConfig {
	b := bucket(name, 1)
	b.PersistMode = l.derived()
	b.AllowAtomicPublish = b.PersistMode == jetstream.DefaultPersistMode
	return b
}

// expiring is a bucket with entries that go by themselves, one by one.
func expiring(name string, history int64) jetstream.StreamConfig {
	b := bucket(name, history)
	b.AllowMsgTTL = true
	return b
}

// How long receipts stay, and how many bytes of them.
const (
	keepReceipts = 25 * time.Hour
	maxReceipts  = 256 << 20
)

// receipts are answers that are told again for a day. Beyond the bound the oldest go: no
// request is refused because there were many.
func receipts() jetstream.StreamConfig {
	b := expiring(kv.Receipts, 1)
	b.MaxAge, b.MaxBytes, b.Discard = keepReceipts, maxReceipts, jetstream.DiscardOld
	return b
}

// ensure creates one stream or updates it; a stream that another process creates meanwhile is fine.
func ensure(ctx context.Context, js jetstream.JetStream, want jetstream.StreamConfig) (jetstream.StreamConfig, error) {
	s, err := js.Stream(ctx, want.Name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		if s, err = js.CreateStream(ctx, want); errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
			s, err = js.Stream(ctx, want.Name)
		}
	}
	if err != nil {
		return want, err
	}
	have := s.CachedInfo().Config
	next, err := reconcile(have, want)
	if err != nil || reflect.DeepEqual(have, next) {
		return have, err
	}
	s, err = js.UpdateStream(ctx, next)
	if err != nil {
		return want, err
	}
	return s.CachedInfo().Config, nil
}

// reconcile keeps what is a matter of taste and sets what the code relies on.
func reconcile(have, want jetstream.StreamConfig) (jetstream.StreamConfig, error) {
	if differ := foreign(have, want); differ != "" {
		return have, fmt.Errorf("%w: its %s differ", ErrForeignStream, differ)
	}
	have.Discard = want.Discard
	have.AllowAtomicPublish = want.AllowAtomicPublish && have.PersistMode != jetstream.AsyncPersistMode
	have.AllowDirect = want.AllowDirect
	have.AllowRollup = want.AllowRollup
	have.Duplicates = widened(have, want.Duplicates)
	have.AllowMsgTTL = have.AllowMsgTTL || want.AllowMsgTTL
	have.Replicas = max(have.Replicas, want.Replicas)
	if name := want.Metadata[nameOfKey]; name != "" && have.Metadata[nameOfKey] == "" && have.Metadata[partitionsKey] != "" {
		have.Metadata = maps.Clone(have.Metadata)
		have.Metadata[nameOfKey] = name // the first ingest finds a log that an analyzer or a tool made
	}
	return have, nil
}

// widened is the window for repeated messages: what is wanted at least, and no longer than messages stay.
func widened(have jetstream.StreamConfig, want time.Duration) time.Duration {
	if have.MaxAge > 0 {
		want = min(want, have.MaxAge)
	}
	return max(have.Duplicates, want)
}

// foreign names what makes a stream one that we must not touch.
func foreign(have, want jetstream.StreamConfig) string {
	switch {
	case strings.Join(have.Subjects, " ") != strings.Join(want.Subjects, " "):
		return "subjects"
	case have.Storage != want.Storage || have.Retention != want.Retention:
		return "storage or retention"
	case max(have.MaxMsgsPerSubject, 0) != want.MaxMsgsPerSubject:
		return "messages per subject"
	case have.Mirror != nil || len(have.Sources) > 0 || have.SubjectTransform != nil || have.Sealed || have.NoAck:
		return "origins"
	}
	return ""
}
