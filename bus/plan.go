package bus

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/nats-io/nats.go/jetstream"
)

// Change is what Ensure would do about one stream.
type Change struct {
	Stream   string    `json:"stream"`
	Create   bool      `json:"create"`
	Settings []Setting `json:"settings"` // that differ, by name; of a new stream those that are set
}

// Setting is one setting of a stream under the name that the server gives it.
type Setting struct {
	Name string         `json:"name"`
	Is   jsontext.Value `json:"is,omitzero"`
	Will jsontext.Value `json:"will,omitzero"`
}

// ErrPartitions means that the log is divided into another number of partitions than is wanted, for good.
var ErrPartitions = errors.New("the log has another number of partitions")

// Plan returns what Ensure would do, in its order, and does nothing. It fails as Ensure does, and with
// ErrPartitions where Ensure would take what is there.
func Plan(ctx context.Context, js jetstream.JetStream, l Layout) (changes []Change, err error) {
	asked := l.Partitions
	l = l.filled()
	for _, want := range l.streams() {
		c, err := plan(ctx, js, want, asked)
		if err != nil {
			return nil, fmt.Errorf("compare stream %s: %w", want.Name, err)
		}
		if c.Create || len(c.Settings) > 0 {
			changes = append(changes, c)
		}
	}
	return changes, nil
}

func plan(ctx context.Context, js jetstream.JetStream, want jetstream.StreamConfig, parts int) (c Change, err error) {
	c.Stream = want.Name
	s, err := js.Stream(ctx, want.Name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		c.Create = true
		c.Settings, err = differing(jetstream.StreamConfig{}, want)
		return c, err
	}
	if err != nil {
		return c, err
	}
	have := s.CachedInfo().Config
	if is := have.Metadata[partitionsKey]; want.Name == EventsStream && parts != 0 && is != strconv.Itoa(parts) {
		return c, fmt.Errorf("%w: %s", ErrPartitions, is)
	}
	next, err := reconcile(have, want)
	if err != nil {
		return c, err
	}
	c.Settings, err = differing(have, next)
	return c, err
}

// differing lists the settings that are not the same.
func differing(have, next jetstream.StreamConfig) (list []Setting, err error) {
	is, err := settingsOf(have)
	if err != nil {
		return nil, err
	}
	will, err := settingsOf(next)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(will)) {
		if !reflect.DeepEqual(is[name], will[name]) {
			list = append(list, Setting{name, is[name], will[name]})
		}
	}
	return list, nil
}

// spans are written as people write them.
var spans = json.MarshalFunc(func(d time.Duration) ([]byte, error) { return json.Marshal(d.String()) })

// settingsOf is a configuration by the names that the server gives.
func settingsOf(c jetstream.StreamConfig) (map[string]jsontext.Value, error) {
	data, err := json.Marshal(c, json.Deterministic(true), json.WithMarshalers(spans))
	if err != nil {
		return nil, fmt.Errorf("encode the settings of stream %s: %w", c.Name, err)
	}
	all := map[string]jsontext.Value{}
	return all, json.Unmarshal(data, &all)
}
