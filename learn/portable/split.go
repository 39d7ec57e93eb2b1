package portable

import (
	"bytes"
	"io"
)

// partEntries is from how many entries on a part is sent.
const partEntries = 2000

// Split reads a document that was checked before, and hands it on as parts that are
// documents of their own. What a source says of the patterns of a rule stays together.
func Split(from io.Reader, of Summary, send func(part []byte) error) error {
	s := &splitter{of: of, send: send}
	_, err := Read(from, Visitor{Pattern: s.pattern, Rule: s.rule})
	if err != nil {
		return err
	}
	return s.cut()
}

type splitter struct {
	of       Summary
	send     func([]byte) error
	patterns []Pattern
	rules    []Rule
}

func (s *splitter) pattern(p *Pattern) error {
	if n := len(s.patterns); n >= partEntries && !s.patterns[n-1].Same(p.Place) {
		if err := s.cut(); err != nil {
			return err
		}
	}
	s.patterns = append(s.patterns, *p)
	return nil
}

func (s *splitter) rule(r *Rule) error {
	if len(s.patterns)+len(s.rules) >= partEntries {
		if err := s.cut(); err != nil {
			return err
		}
	}
	s.rules = append(s.rules, *r)
	return nil
}

// cut sends what there is.
func (s *splitter) cut() error {
	if len(s.patterns)+len(s.rules) == 0 {
		return nil
	}
	var out bytes.Buffer
	w := NewWriter(&out)
	if err := w.Begin(s.of.Header); err != nil {
		return err
	}
	if err := w.Patterns(s.patterns...); err != nil {
		return err
	}
	if err := w.Rules(s.rules...); err != nil {
		return err
	}
	if err := w.End(s.of.Until, nil); err != nil {
		return err
	}
	clear(s.patterns)
	clear(s.rules)
	s.patterns, s.rules = s.patterns[:0], s.rules[:0]
	return s.send(out.Bytes())
}
