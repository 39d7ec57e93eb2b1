package api

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/kv"

	"github.com/go-json-experiment/json"
)

// topic is something of which changes are told.
type topic struct {
	name    string
	stream  string
	filters []string // of its subjects; all without any
	closed  bool     // told to operators alone
	read    func(bus.Entry) Changed
}

// topics are all of them. In the bucket of settings the loop keeps markers too, of which
// nobody is told.
var topics = []topic{
	{name: "contexts", stream: contextStream, read: changedContext},
	{name: "learnings", stream: "KV_" + kv.Learnings, read: changedLearning},
	{name: "settings", stream: "KV_" + kv.Settings, closed: true, read: changedSetting,
		filters: []string{"$KV." + kv.Settings + ".*", "$KV." + kv.Settings + ".experiment.*", "$KV." + kv.Settings + ".person.*"}},
	{name: "dead_letters", stream: bus.LettersStream, closed: true, read: changedLetters},
}

// ChangesArgs say of what, and since when, changes are told.
type ChangesArgs struct {
	Caller `json:"-"`
	Topics []string `json:"topics,omitzero" query:"topics,explode" nullable:"false" enum:"contexts,learnings,settings,dead_letters" doc:"Only these."`
	After  string   `json:"after,omitzero" query:"after" example:"contexts:120,learnings:7" doc:"Next of an answer, or an event's id; from now on without it."`
	Last   string   `json:"last_event_id,omitzero" header:"Last-Event-Id" doc:"The same, as browsers send it when they connect again."`

	once bool // one answer is asked for, and no stream
}

// come keeps whether one answer is enough.
func (in *ChangesArgs) come(header map[string][]string) {
	in.once = strings.HasPrefix(http.Header(header).Get("Accept"), mediaJSON)
}

func (in *ChangesArgs) check() error {
	for name, text := range map[string]string{"after": in.After, "last_event_id": in.Last} {
		if _, ok := readPlaces(text); !ok {
			return wrong(Invalid, "/"+name, "next of an answer, or the id of an event")
		}
	}
	return nil
}

// Changes tell in one answer what changed. Over HTTP they are server-sent events, unless
// the caller accepts application/json: one event per topic, named like the topic, at most
// every quarter of a second, with ChangedKeys as its data.
//
//	retry: 2000
//	id: contexts:120,learnings:7
//
//	id: contexts:123,learnings:7
//	event: contexts
//	data: {"changes":[{"key":"rule.wordy","kind":"rule","id":"wordy"}]}
//
// What is told is that something changed, not how: whoever shows it reads it again. The
// id of an event is what after and Last-Event-ID take.
type Changes struct {
	Changed []string `json:"changed" nullable:"false" doc:"The topics in which something changed."`
	Next    string   `json:"next" doc:"As of now: after of the next question."`

	once bool
	live *broadcast
}

// ChangedKeys is what changed in one topic.
type ChangedKeys struct {
	Changes []Changed `json:"changes" nullable:"false"`
	More    bool      `json:"more,omitzero" doc:"More changed than is listed."`
}

// Changed is one thing that changed.
type Changed struct {
	Key  string `json:"key" doc:"In its bucket; of a dead letter its sequence."`
	Kind string `json:"kind,omitzero" doc:"Of a context: rule, category, ...; of a dead letter its reason."`
	ID   string `json:"id,omitzero" doc:"The raw id, where its key tells."`
	Gone bool   `json:"gone,omitzero" doc:"It was deleted."`
}

// changes answers what changed, and begins to tell what does.
func (a *API) changes(ctx context.Context, in *ChangesArgs) (*Changes, error) {
	now := places{}
	wanted := a.topicsFor(in)
	for _, t := range wanted {
		last, err := bus.Last(ctx, a.js, t.stream)
		if err != nil {
			return nil, unreachable(fmt.Errorf("look what changed: %w", err))
		}
		now[t.name] = last
	}
	from := maps.Clone(now)
	since, _ := readPlaces(cmp.Or(in.Last, in.After)) // were checked
	out := &Changes{Changed: []string{}, Next: now.String(), once: in.once}
	for name, seq := range since {
		if seq < now[name] {
			from[name] = seq
			out.Changed = append(out.Changed, name)
		}
	}
	slices.Sort(out.Changed)
	out.live = &broadcast{js: a.js, topics: wanted, at: from, news: map[string]*ChangedKeys{},
		licensed: a.licensed, closing: a.closing,
		enter: func() (func(), bool) { return a.listeners.enter(in.visitor.caller(), a.operator(in.Caller)) }}
	return out, nil
}

// topicsFor are those that a caller wants and may hear of.
func (a *API) topicsFor(in *ChangesArgs) (out []topic) {
	for _, t := range topics {
		if (len(in.Topics) == 0 || slices.Contains(in.Topics, t.name)) && (!t.closed || a.operator(in.Caller)) {
			out = append(out, t)
		}
	}
	return out
}

func (c *Changes) media() string {
	if c.once {
		return mediaJSON
	}
	return mediaEvents
}

// stream tells changes until the caller has gone, or the answer alone.
func (c *Changes) stream(ctx context.Context, w io.Writer) error {
	if c.once {
		return json.MarshalWrite(w, c)
	}
	return c.live.run(ctx, w)
}

// places are how far every topic was told, by the sequences of their streams.
type places map[string]uint64

// String writes them in the order of their names.
func (p places) String() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(p)) {
		parts = append(parts, name+":"+strconv.FormatUint(p[name], 10))
	}
	return strings.Join(parts, ",")
}

func readPlaces(text string) (places, bool) {
	out := places{}
	for part := range strings.SplitSeq(text, ",") {
		name, seq, _ := strings.Cut(part, ":")
		n, err := strconv.ParseUint(seq, 10, 64)
		if err != nil && text != "" {
			return nil, false
		}
		out[name] = n
	}
	return out, true
}

// Readers of what is in the streams.
func changedContext(e bus.Entry) (c Changed) {
	c = changedKey(e, kv.Contexts)
	c.Kind, c.ID, _ = kv.ParseKey(c.Key)
	if c.Kind == "" { // an id too long for its key
		c.Kind, _, _ = strings.Cut(c.Key, ".")
	}
	return c
}

func changedLearning(e bus.Entry) (c Changed) {
	c = changedKey(e, kv.Learnings)
	if kv.IsEntry(c.Key) {
		c.ID, _ = events.Untoken(c.Key)
	}
	return c
}

func changedSetting(e bus.Entry) Changed { return changedKey(e, kv.Settings) }

func changedKey(e bus.Entry, bucket string) Changed {
	return Changed{Key: strings.TrimPrefix(e.Subject, "$KV."+bucket+"."), Gone: len(e.Header["KV-Operation"]) > 0}
}

func changedLetters(e bus.Entry) Changed {
	return Changed{Key: strconv.FormatUint(e.Seq, 10), Kind: e.Subject[strings.LastIndexByte(e.Subject, '.')+1:]}
}

const (
	mediaEvents   = "text/event-stream"
	contextStream = "KV_" + kv.Contexts
)

// How changes are told.
const (
	settling  = 250 * time.Millisecond // what changes meanwhile is told together
	heartbeat = 15 * time.Second       // keeps what lies between from closing the connection
	mostTold  = 100                    // of one topic, in one event
)
