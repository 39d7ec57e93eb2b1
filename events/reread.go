package events

import (
	"encoding/binary"
	"math/bits"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// known is a payload that can be read the short way: in the form in which Encode
// writes it, members in their order and no spaces. Who folds a log again spends much of
// the time on reading facts, nearly all of them of the hot kinds.
type known interface {
	// reread reads the members of the payload's object.
	reread(r *rereader)
}

// hotType is the type of most facts.
const hotType = TypePrefix + "feedback.fix" + TypeSuffix

// reread reads a fact that Encode wrote. It gives up on anything else, and on what is
// rare; whatever it reads it reads as the decoder would.
func reread(data []byte, h *Head, p known) bool {
	r := rereader{data: data}
	r.open()
	h.reread(&r)
	if r.member(`"data":`) {
		r.open()
		p.reread(&r)
		r.close()
	}
	r.close()
	return !r.lost && r.at == len(data) && (!r.wide || utf8.Valid(data))
}

func (h *Head) reread(r *rereader) {
	likely(r, `"specversion":`, "1.0", &h.SpecVersion)
	word(r, `"id":`, &h.ID)
	word(r, `"source":`, &h.Source)
	likely(r, `"type":`, hotType, &h.Type)
	r.time(`"time":`, &h.Time)
	r.time(`"recordedtime":`, &h.Recorded)
	word(r, `"record":`, &h.Record)
	word(r, `"content":`, &h.Content)
	r.time(`"stamp":`, &h.Stamp)
	likely(r, `"group":`, ByRule, &h.Group)
	word(r, `"key":`, &h.Key)
	word(r, `"person":`, &h.Person)
	r.whole(`"part":`, &h.Part)
	word(r, `"cause":`, &h.Cause)
	r.truth(`"withdrawn":`, &h.Withdrawn)
	word(r, `"replayid":`, &h.Replay)
	word(r, `"traceparent":`, &h.Trace)
}

func (f *FixFeedback) reread(r *rereader) {
	word(r, `"feedback_id":`, &f.FeedbackID)
	word(r, `"suggestion_id":`, &f.SuggestionID)
	word(r, `"deviation_id":`, &f.DeviationID)
	word(r, `"rule_id":`, &f.RuleID)
	word(r, `"category":`, &f.Category)
	word(r, `"decision":`, &f.Decision)
	word(r, `"original_text":`, &f.OriginalText)
	word(r, `"suggested_text":`, &f.SuggestedText)
	r.wordThere(`"final_text":`, &f.FinalText)
	r.wordThere(`"user_modification":`, &f.UserModification)
	r.number(`"original_confidence":`, &f.OriginalConfidence)
	word(r, `"user_comment":`, &f.UserComment)
	word(r, `"user_id":`, &f.UserID)
	word(r, `"anonymized_user_id":`, &f.AnonymizedUserID)
	r.truth(`"is_bulk_operation":`, &f.IsBulkOperation)
	word(r, `"language":`, &f.Language)
	word(r, `"model":`, &f.Model)
	r.time(`"timestamp":`, &f.Timestamp)
	if r.member(`"derived":`) {
		f.Derived = new(FixDerived)
		r.open()
		f.Derived.reread(r)
		r.close()
	}
}

func (d *FixDerived) reread(r *rereader) {
	word(r, `"pattern":`, &d.Pattern)
	word(r, `"original":`, &d.Original)
	word(r, `"suggested":`, &d.Suggested)
	word(r, `"mode":`, &d.Mode)
	word(r, `"improvement":`, &d.Improvement)
	r.whole(`"longest_text":`, &d.LongestText)
	r.truth(`"non_ascii":`, &d.NonASCII)
	r.truth(`"empty_original":`, &d.EmptyOriginal)
	r.truth(`"empty_suggestion":`, &d.EmptySuggestion)
}

// rereader goes through an object whose members it is asked for one after the other.
type rereader struct {
	data []byte
	at   int
	next byte // what goes before the next member: the brace, then commas
	wide bool // there are characters beyond ASCII
	lost bool // this is not the form
}

// lose gives up.
func (r *rereader) lose() { r.lost, r.at = true, len(r.data) }

// open begins an object.
func (r *rereader) open() { r.next = '{' }

// close ends it.
func (r *rereader) close() {
	if r.next == '{' {
		r.step('{')
	}
	r.step('}')
	r.next = ','
}

func (r *rereader) step(c byte) {
	if r.at < len(r.data) && r.data[r.at] == c {
		r.at++
	} else {
		r.lose()
	}
}

// member goes on to the value of a member if that comes next.
func (r *rereader) member(name string) bool {
	end := r.at + 1 + len(name)
	if end > len(r.data) || r.data[r.at] != r.next || string(r.data[r.at+1:end]) != name {
		return false
	}
	r.at, r.next = end, ','
	return true
}

// word reads a string.
func word[S ~string](r *rereader, name string, to *S) {
	if r.member(name) {
		*to = S(r.string())
	}
}

// likely reads a string that mostly is the same one, and then is not made anew.
func likely[S ~string](r *rereader, name string, value S, to *S) {
	if !r.member(name) {
		return
	}
	end := r.at + 1 + len(value)
	if end < len(r.data) && r.data[r.at] == '"' && string(r.data[r.at+1:end]) == string(value) && r.data[end] == '"' {
		r.at, *to = end+1, value
		return
	}
	*to = S(r.string())
}

// wordThere reads a string that is told from an absent one.
func (r *rereader) wordThere(name string, to **string) {
	if r.member(name) {
		s := r.string()
		*to = &s
	}
}

func (r *rereader) string() string {
	begin := r.at
	r.step('"')
	escaped := false
	for {
		r.at += plainBytes(r.data[r.at:])
		if r.at >= len(r.data) {
			r.lose()
			return ""
		}
		switch c := r.data[r.at]; {
		case c == '"':
			r.at++
			return r.made(begin, escaped)
		case c == '\\':
			escaped = true
			r.at = min(r.at+2, len(r.data))
		case c >= utf8.RuneSelf:
			r.wide = true
			r.at++
		default:
			r.lose()
		}
	}
}

// made returns what stands between the quotes.
func (r *rereader) made(begin int, escaped bool) string {
	raw := r.data[begin:r.at]
	if !escaped {
		return string(raw[1 : len(raw)-1])
	}
	plain, err := jsontext.AppendUnquote(nil, raw)
	if err != nil {
		r.lose()
	}
	return string(plain)
}

// plainBytes is how many bytes come before one that is a quote, a backslash, a control
// character or no ASCII. It looks at eight at a time.
func plainBytes(b []byte) (n int) {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for ; len(b) >= n+8; n += 8 {
		eight := binary.LittleEndian.Uint64(b[n:])
		quote, slash := eight^ones*'"', eight^ones*'\\'
		// A subtraction sets the high bit of bytes that are too small, and may set it of
		// those behind one: the first is right.
		if odd := ((quote - ones) | (slash - ones) | (eight - ones*' ') | eight) & highs; odd != 0 {
			return n + bits.TrailingZeros64(odd)/8
		}
	}
	for n < len(b) && b[n] >= ' ' && b[n] < utf8.RuneSelf && b[n] != '"' && b[n] != '\\' {
		n++
	}
	return n
}

// time reads a time in UTC.
func (r *rereader) time(name string, to *time.Time) {
	if !r.member(name) {
		return
	}
	begin := r.at
	r.step('"')
	r.at += plainBytes(r.data[r.at:])
	end := r.at
	r.step('"')
	if r.lost || !utc(r.data[begin+1:end]) || to.UnmarshalText(r.data[begin+1:end]) != nil {
		r.lose()
	}
}

// utc reports whether a time is written as one in UTC is, where package time is not
// strict by itself.
func utc(b []byte) bool {
	const form, hour, second = "2006-01-02T15:04:05Z", "2006-01-02T15", "2006-01-02T15:04:05"
	return len(b) >= len(form) && b[len(hour)] == ':' && b[len(second)] != ',' && b[len(b)-1] == 'Z'
}

// digits returns a number without sign or exponent that a 64-bit one holds exactly; a
// point may be in it.
func (r *rereader) digits(point bool) string {
	begin := r.at
	for r.at < len(r.data) && (r.data[r.at]-'0' <= 9 || point && r.data[r.at] == '.') {
		point = point && r.data[r.at] != '.'
		r.at++
	}
	all := r.data[begin:r.at]
	const most = 18
	if n := len(all); n == 0 || n > most || all[0] == '.' || all[n-1] == '.' || n > 1 && all[0] == '0' && all[1] != '.' {
		r.lose()
	}
	return string(all)
}

// whole reads a number that is not negative.
func (r *rereader) whole(name string, to *int) {
	if !r.member(name) {
		return
	}
	n, err := strconv.Atoi(r.digits(false))
	if err != nil {
		r.lose()
	}
	*to = n
}

// number reads a number that is told from an absent one.
func (r *rereader) number(name string, to **float64) {
	if !r.member(name) {
		return
	}
	x, err := strconv.ParseFloat(r.digits(true), 64)
	if err != nil {
		r.lose()
	}
	*to = &x
}

// truth reads what is there only where it is true.
func (r *rereader) truth(name string, to *bool) {
	if !r.member(name) {
		return
	}
	for _, c := range []byte("true") {
		r.step(c)
	}
	*to = true
}
