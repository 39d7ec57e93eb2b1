package conversations

import (
	"cmp"
	"slices"
	"strings"

	"learnloop.dev/events"
	"learnloop.dev/inorder"
	"learnloop.dev/learn"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// wish is what a person set by hand, or deleted: then it has no value.
type wish struct {
	Type   events.PreferenceType `json:"type,omitzero"` // empty: everything
	Key    string                `json:"key,omitzero"`  // empty: all of the type
	Value  string                `json:"value,omitzero"`
	At     int64                 `json:"at"` // Unix microseconds of event time
	Record string                `json:"record"`
}

// wishFor keeps a wish, or takes it back.
func wishFor(rows learn.Rows, f *events.Fact[events.PreferenceCorrected], by int64) {
	name := string(f.Data.UserID)
	row := learn.At[wish](rows, wishKey(name), f.Record)
	*row = wish{}
	if by > 0 {
		*row = wish{f.Data.PreferenceType, f.Data.PreferenceKey, valueOf(f.Data.PreferenceValue), f.Time.UnixMicro(), f.Record}
	}
	learn.Touch(rows, userKey(name))
}

// valueOf is a value as a row keeps it, empty for none.
func valueOf(v jsontext.Value) string {
	if len(v) == 0 || v.Kind() == 'n' {
		return ""
	}
	return string(v)
}

// wishes are those of a person that count, the last of each preference.
type wishes struct {
	cuts map[events.PreferenceType]int64 // evidence up to then does not count
	last map[string]wish                 // by type and key
}

func wishesOf(rows learn.Rows, name string) wishes {
	var list []wish
	for _, w := range learn.Scan[wish](rows, wishKey(name), "") {
		list = append(list, w)
	}
	inorder.Sort(list, func(a, b wish) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Record, b.Record))
	})
	all := wishes{map[events.PreferenceType]int64{}, map[string]wish{}}
	for _, w := range list {
		all.take(w)
	}
	return all
}

// take adds a wish that is later than the others.
func (all wishes) take(w wish) {
	if w.Key != "" {
		all.last[w.name()] = w
		return
	}
	for _, t := range [...]events.PreferenceType{events.StylePreference, events.TopicAffinity, events.ErrorPattern} {
		if w.Type != "" && w.Type != t {
			continue
		}
		all.cuts[t] = w.At
		for name, earlier := range all.last {
			if earlier.Type == t {
				delete(all.last, name)
			}
		}
	}
}

// cut is until when evidence of a type does not count.
func (all wishes) cut(t events.PreferenceType, key string) int64 {
	c, cut := all.cuts[t]
	if !cut {
		c = never
	}
	if key == "" || len(all.last) == 0 {
		return c
	}
	if w, ok := all.last[string(t)+"/"+key]; ok && w.Value == "" {
		c = max(c, w.At)
	}
	return c
}

// never is before any evidence.
const never = -1 << 63

// name is the preference's: "style/length_preference".
func (w wish) name() string { return string(w.Type) + "/" + w.Key }

// StyleKeys are the keys of style that a person may set.
func StyleKeys() []string { return []string{lengthName, depthName, formatName, examplesName} }

// Settable reports whether there is a preference of this type and key to be set; of topics
// every one is.
func Settable(t events.PreferenceType, key string) bool {
	return t == events.TopicAffinity || slices.Contains(StyleKeys(), key)
}

// Misfit says what a preference takes instead of a value, nothing when the value fits.
func Misfit(t events.PreferenceType, key string, value jsontext.Value) string {
	var x float64
	var name string
	switch number := json.Unmarshal(value, &x) == nil && x >= 0 && x <= 1; {
	case number:
		return ""
	case t == events.StylePreference && key == formatName:
		if json.Unmarshal(value, &name) == nil && slices.Contains(formats, name) {
			return ""
		}
		return "a number from 0 to 1, or one of " + strings.Join(formats, ", ")
	}
	return "a number from 0 to 1"
}
