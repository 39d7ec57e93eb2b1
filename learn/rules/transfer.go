package rules

import (
	"slices"
	"time"

	"learnloop.dev/inorder"
	"learnloop.dev/learn"
	"learnloop.dev/learn/portable"
)

// TransferArgs ask for a page of what is exported.
type TransferArgs struct {
	From  time.Time    `json:"from,omitzero"` // event time, half-open; without ends all that counts
	To    time.Time    `json:"to,omitzero"`
	Rules []string     `json:"rules,omitzero"` // empty: all, unless patterns are asked for
	After portable.Key `json:"after"`
	Most  int          `json:"most"` // entries of a partition
	// Patterns asks for these, not for rules.
	Patterns bool `json:"patterns,omitzero"`
	// Text shows patterns as whole as they are kept; else what is context is masked.
	Text bool `json:"text,omitzero"`
	// Own is the name of this installation.
	Own string `json:"own"`
}

// TransferPart is a partition's part of a page, in order.
type TransferPart struct {
	Patterns []portable.Pattern `json:"patterns,omitzero"`
	Rules    []portable.Rule    `json:"rules,omitzero"`
	More     bool               `json:"more,omitzero"` // the partition has more behind it
}

func answerTransfer(q learn.Question) (any, error) {
	args, err := learn.ReadArgs[TransferArgs](q, "what to export")
	if err != nil {
		return nil, err
	}
	x := &exporter{TransferArgs: args, q: q}
	if args.Patterns {
		return x.part(slices.Sorted(slices.Values(args.Rules))), nil
	}
	x.cells = split(cells(q.Rows), ruleOf)
	return x.part(sortedNames(x.cells)), nil
}

// exporter makes a page.
type exporter struct {
	TransferArgs
	q     learn.Question
	cells map[string][]cell // by rule; of patterns there are none
}

func (x *exporter) part(names []string) (part TransferPart) {
	for _, id := range names {
		if id < x.After.Rule || len(x.Rules) > 0 && !slices.Contains(x.Rules, id) {
			continue
		}
		if len(part.Patterns)+len(part.Rules) >= x.Most {
			part.More = true
			break
		}
		r := x.open(id)
		if x.Patterns {
			part.Patterns = append(part.Patterns, beyond(r.patterns(), x.After, portable.Pattern.Key)...)
			continue
		}
		part.Rules = append(part.Rules, beyond(r.rules(), x.After, portable.Rule.Key)...)
	}
	if len(part.Patterns) > x.Most {
		part.Patterns, part.More = part.Patterns[:x.Most], true
	}
	if len(part.Rules) > x.Most {
		part.Rules, part.More = part.Rules[:x.Most], true
	}
	return part
}

// beyond leaves of entries those that come behind a place.
func beyond[E any](list []E, after portable.Key, key func(E) portable.Key) []E {
	return slices.DeleteFunc(list, func(e E) bool { return key(e).Compare(after) <= 0 })
}

// MergeTransfers joins the parts of a page in order, and says where to go on; false at
// the end. Behind the last entry of a partition that has more nothing can be told yet.
func MergeTransfers(parts ...TransferPart) (page TransferPart, after portable.Key, more bool) {
	for _, p := range parts {
		page.Patterns = append(page.Patterns, p.Patterns...)
		page.Rules = append(page.Rules, p.Rules...)
		if last, ok := p.last(); p.More && ok && (!more || last.Compare(after) < 0) {
			after, more = last, true
		}
	}
	inorder.Sort(page.Patterns, func(a, b portable.Pattern) int { return a.Key().Compare(b.Key()) })
	inorder.Sort(page.Rules, func(a, b portable.Rule) int { return a.Key().Compare(b.Key()) })
	if more {
		page.Patterns = slices.DeleteFunc(page.Patterns, func(p portable.Pattern) bool { return p.Key().Compare(after) > 0 })
		page.Rules = slices.DeleteFunc(page.Rules, func(r portable.Rule) bool { return r.Key().Compare(after) > 0 })
	}
	return page, after, more
}

func (p *TransferPart) last() (portable.Key, bool) {
	switch {
	case len(p.Patterns) > 0:
		return p.Patterns[len(p.Patterns)-1].Key(), true
	case len(p.Rules) > 0:
		return p.Rules[len(p.Rules)-1].Key(), true
	}
	return portable.Key{}, false
}
