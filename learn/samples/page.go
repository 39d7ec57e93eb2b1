package samples

import (
	"bytes"
	"fmt"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/stats"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Least is the lowest quality that is let through.
type Least string

// What may be the least: the labels, or anything at all. A sample without a label is
// let through by AnyQuality alone.
const (
	LeastGood       = Least(events.Good)
	LeastAcceptable = Least(events.Acceptable)
	LeastPoor       = Least(events.Poor)
	AnyQuality      = Least("any")
)

func (l Least) lets(label events.QualityLabel) bool {
	switch l {
	case AnyQuality:
		return true
	case LeastPoor:
		return label == events.Good || label == events.Acceptable || label == events.Poor
	case LeastAcceptable:
		return label == events.Good || label == events.Acceptable
	case LeastGood:
	}
	return label == events.Good
}

// Side is the part of a training set that an example is in.
type Side string

// The sides; the empty one is both.
const (
	Train      Side = "train"
	Validation Side = "validation"
)

// splitSalt keeps the split independent of other draws.
const splitSalt = "samples/split"

// held reports whether an example is for validation, of which there is to be a share.
// It goes by the prompt: the same question is never on both sides.
func (e Example) held(share float64) bool { return stats.Bucket(splitSalt, e.Prompt) < share }

// Position is where a reader of samples stands: family by family in the order of
// their names, and within a family in the order of the log. The zero value is the
// beginning.
type Position struct {
	Family string `json:"family,omitzero"`
	After  uint64 `json:"after,omitzero"` // log sequence
}

// PageArgs say which samples are wanted, in which form, and from where on.
type PageArgs struct {
	Filter
	Position
	Least      Least   `json:"least,omitzero"` // good when empty
	Format     Format  `json:"format,omitzero"`
	Validation float64 `json:"validation,omitzero"` // share that is held out
	Side       Side    `json:"side,omitzero"`
}

// Page is what a partition has of a family, and which wanted family it has next.
type Page struct {
	Family string `json:"family,omitzero"`
	// Examples are in the format, one line of JSON each.
	Examples []jsontext.Value `json:"-"`
	Held     []int            `json:"held,omitzero"` // which of them are for validation
	Read     int              `json:"read,omitzero"` // records that were looked at
	Last     uint64           `json:"last,omitzero"` // log sequence of the last of them
	More     bool             `json:"more,omitzero"` // there may be more of the family
	Next     string           `json:"next,omitzero"` // family
}

// Pack writes a page as a line of JSON and, below it, its examples, each a line.
func (p Page) Pack() ([]byte, error) {
	head, err := json.Marshal(p)
	if err != nil {
		return nil, fmt.Errorf("pack page: %w", err)
	}
	size := len(head) + len(p.Examples)
	for _, e := range p.Examples {
		size += len(e)
	}
	data := append(make([]byte, 0, size), head...)
	for _, e := range p.Examples {
		data = append(append(data, '\n'), e...)
	}
	return data, nil
}

// Unpack reads what Pack wrote, and keeps its bytes.
func (p *Page) Unpack(data []byte) error {
	head, lines, _ := bytes.Cut(data, []byte{'\n'})
	if err := json.Unmarshal(head, p); err != nil {
		return fmt.Errorf("unpack page: %w", events.Unquoted(err))
	}
	for len(lines) > 0 {
		var e []byte
		e, lines, _ = bytes.Cut(lines, []byte{'\n'})
		p.Examples = append(p.Examples, e)
	}
	return nil
}

// A page ends when it has this many bytes, or so many records were looked at: an
// answer has to fit into a message, and to come soon.
const (
	pageBytes   = 768 << 10
	pageRecords = 4000
)

func answerPage(q learn.Question) (any, error) {
	args, err := learn.ReadArgs[PageArgs](q, whichSamples)
	if err != nil {
		return nil, err
	}
	p := Page{Next: args.following(q.Rows)}
	if family := args.Family; !args.wants(family) || learn.Peek[Tally](q.Rows, families(), family) == (Tally{}) {
		return p, nil // else all heads of the partition would be read for nothing
	}
	p.fill(q.Records, args)
	return p, nil
}

// following is the first wanted family behind the position.
func (a PageArgs) following(rows learn.Rows) string {
	for family := range learn.Scan[Tally](rows, families(), "") {
		if family > a.Family && a.wants(family) {
			return family
		}
	}
	return ""
}

// fill reads on from the position.
func (p *Page) fill(records learn.Records, a PageArgs) {
	of := learn.Select{Kind: events.SampleCaptured.Kind, Key: a.Family, From: a.From, To: a.To, After: a.After}
	p.Family = a.Family
	text := make([]byte, 0, pageBytes+pageBytes/8)
	for rec := range records.InLogOrder(of) {
		if len(text) >= pageBytes || p.Read == pageRecords {
			p.More = true
			return
		}
		p.Read++
		p.Last = rec.Header().Seq
		if s, ok := rec.Payload().(*events.Sample); ok && a.Least.lets(s.Feedback.QualityLabel) {
			text = p.add(text, ExampleOf(s), a)
		}
	}
}

// add writes an example behind others, if it is on the wanted side.
func (p *Page) add(text []byte, e Example, a PageArgs) []byte {
	held := a.Validation > 0 && e.held(a.Validation)
	if a.Side != "" && held != (a.Side == Validation) {
		return text
	}
	if held {
		p.Held = append(p.Held, len(p.Examples))
	}
	from := len(text)
	text = e.AppendIn(text, a.Format)
	p.Examples = append(p.Examples, text[from:len(text):len(text)])
	return text
}

// MergePages joins the parts of the partitions: one of them at most holds the family,
// and the next family is the first that any of them has. It returns where to read on,
// and false at the end.
func MergePages(at Position, parts ...Page) (all Page, next Position, more bool) {
	for _, p := range parts {
		if p.Read > 0 {
			following := all.Next
			all = p
			all.Next = first(following, p.Next)
			continue
		}
		all.Next = first(all.Next, p.Next)
	}
	if all.More {
		return all, Position{at.Family, all.Last}, true
	}
	return all, Position{Family: all.Next}, all.Next != ""
}

// first is the lesser of two families, of which either may be none.
func first(a, b string) string {
	if a == "" || b != "" && b < a {
		return b
	}
	return a
}
