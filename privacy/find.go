package privacy

import (
	"sort"

	"learnloop.dev/inorder"
)

// maxRounds bounds how often a text is read again because a finding changed what surrounds the rest.
const maxRounds = 8

// Find returns what is sensitive in text, in order and without overlap, in time linear in its length.
func Find(text string) []Finding {
	var s scanner
	return s.find(text, 0)
}

// scanner finds; it keeps its memory from one text to the next.
type scanner struct {
	found []Finding
	all   []Finding
	known known
	tags  [entities]int // highest numbers among the tags that were there before
}

// find reads a text, and again with tags in place of its findings, until nothing new appears: so
// redacting twice changes nothing. What is encoded is read decoded when nothing else is left. What it
// returns is valid until the next call.
func (s *scanner) find(text string, said cue) []Finding {
	c := canvas{text: text}
	if hasFoldable(text) {
		c = fold(text)
	}
	s.all, s.tags = s.all[:0], [entities]int{}
	s.read(c.text, said)
	before := s.tags
	for range maxRounds {
		if len(s.found) == 0 {
			s.readDecoded(c.text, said)
		}
		if len(s.found) == 0 {
			s.tags = before
			return s.all
		}
		s.all = c.restore(s.all, s.found)
		c = c.tagged(s.found)
		s.read(c.text, said)
	}
	return append(s.all[:0], Finding{Secret, 0, len(text)}) // it never settles: nothing of it is safe
}

// read collects the findings of one reading, left to right.
func (s *scanner) read(text string, said cue) {
	s.found = s.found[:0]
	s.known = known{cue: said}
	v := view{text: text, known: &s.known}
	for i := 0; i < len(text); {
		kind := anchors[text[i]]
		if kind == none {
			i++
			continue
		}
		if kind == feed {
			if i++; i < len(text) && text[i] == '\n' {
				v.known.block = i + 1
			}
			continue
		}
		if kind == bracket {
			if end := placeholderAt(text, i); end > i {
				s.keep(text, i)
				v.floor, i = end, end
				continue
			}
		}
		f, next := detect(kind, v, i)
		if f.End > i {
			f = widened(v, f)
			s.found = append(s.found, f)
			v.floor, next = f.End, f.End
		}
		i = next
	}
}

// readDecoded collects the findings of a text whose escapes are decoded, as they stand in the text itself.
func (s *scanner) readDecoded(text string, said cue) {
	c, ok := decoded(text)
	if !ok {
		return
	}
	s.read(c.text, said)
	for i, f := range s.found {
		s.found[i] = Finding{f.Entity, c.origin(f.Start), c.origin(f.End)}
	}
}

// reserved returns the highest numbers of the tags that the text had before.
func (s *scanner) reserved() [entities]int { return s.tags }

// keep remembers the number of a tag that is already there, so that new values get others.
func (s *scanner) keep(text string, i int) {
	if e, n, _ := tagAt(text, i); n < 10_000 {
		s.tags[e] = max(s.tags[e], n)
	}
}

// widened makes a finding in front of an @ part of the e-mail address it belongs to.
func widened(v view, f Finding) Finding {
	if v.next(f.End) != '@' {
		return f
	}
	if mail := email(v, f.End, f.End+1); mail.End > 0 && mail.Start <= f.Start {
		return mail
	}
	return f
}

// canvas is a rewritten text that knows where its parts stood in the original.
type canvas struct {
	text string
	cuts []cut // in order; none while nothing was rewritten
}

// cut says that the canvas goes on at an offset with the original from another.
type cut struct{ at, origin int }

func (c canvas) origin(i int) int {
	n := sort.Search(len(c.cuts), func(k int) bool { return c.cuts[k].at > i })
	if n == 0 {
		return i
	}
	last := c.cuts[n-1]
	return last.origin + i - last.at
}

// restore adds findings on the canvas to those of the original, in order; one inside another disappears.
func (c canvas) restore(all, found []Finding) []Finding {
	for _, f := range found {
		all = append(all, Finding{f.Entity, c.origin(f.Start), c.origin(f.End)})
	}
	inorder.Sort(all, func(a, b Finding) int {
		if a.Start != b.Start {
			return a.Start - b.Start
		}
		return b.End - a.End
	})
	kept := all[:0]
	for _, f := range all {
		if n := len(kept); n == 0 || f.Start >= kept[n-1].End {
			kept = append(kept, f)
		} else {
			kept[n-1].End = max(kept[n-1].End, f.End)
		}
	}
	return kept
}

// tagged returns the canvas with a tag in place of each finding.
func (c canvas) tagged(found []Finding) canvas {
	next := canvas{cuts: make([]cut, 0, len(c.cuts)+2*len(found))}
	text := make([]byte, 0, len(c.text)+16*len(found))
	rest, done := c.cuts, 0
	goOn := func(end int) { // copies text and cuts up to end
		shift := len(text) - done
		for ; len(rest) > 0 && rest[0].at < end; rest = rest[1:] {
			if rest[0].at >= done {
				next.cuts = append(next.cuts, cut{rest[0].at + shift, rest[0].origin})
			}
		}
		text = append(text, c.text[done:end]...)
	}
	for _, f := range found {
		goOn(f.Start)
		next.cuts = append(next.cuts, cut{len(text), c.origin(f.Start)})
		text = appendTag(text, f.Entity, 1)
		next.cuts = append(next.cuts, cut{len(text), c.origin(f.End)})
		done = f.End
	}
	goOn(len(c.text))
	next.text = string(text)
	return next
}
