package extract

import (
	"strings"

	"learnloop.dev/events"
)

// ByRules is the extracted_by of learnings that were made without a model.
const ByRules = "rules/1"

// Rules makes a draft of a discovery without a model: its own words, sorted into
// their places. The same discovery gives the same draft.
func Rules(d *events.Discovery) Draft {
	said := sentences(d.Content)
	title := said[0]
	return Draft{
		Title: strings.TrimRight(title, ".:;, "), Context: situation(d), Observation: strings.Join(said, " "),
		Implication: implication(d.Type), Action: action(d.Type, said),
		Tags: keywords(title, d.Content), Domain: domain(title, d.Content+" "+d.TaskTitle),
	}.cleaned()
}

// situation says what was being worked on.
func situation(d *events.Discovery) string {
	switch {
	case d.TaskTitle != "" && d.OutcomeName != "":
		return d.TaskTitle + ", as part of " + d.OutcomeName + "."
	case d.TaskTitle != "":
		return d.TaskTitle + "."
	case d.OutcomeName != "":
		return "Work on " + d.OutcomeName + "."
	}
	return "Work where this applies: " + strings.Join(keywords("", d.Content), ", ") + "."
}

// implication says what follows from a discovery of a type.
func implication(t events.DiscoveryType) string {
	switch t {
	case events.FoundBlocker:
		return "The same will stop similar work again unless it is dealt with first."
	case events.FoundConstraint:
		return "Plans for similar work have to stay within this limit."
	case events.FoundPattern:
		return "It is worth trying wherever the situation is alike."
	case events.FoundDecision, events.FoundDependency:
	}
	return "Similar work can go the same way, unless what led to it has changed."
}

// action is what the discovery itself says is to be done, or what its type suggests.
func action(t events.DiscoveryType, said []string) string {
	var advice []string
	for _, s := range said {
		if advises(s) && len(advice) < 2 {
			advice = append(advice, s)
		}
	}
	if len(advice) > 0 {
		return strings.Join(advice, " ")
	}
	switch t {
	case events.FoundBlocker:
		return "Before starting, check for this: " + said[0]
	case events.FoundConstraint:
		return "Keep to this: " + said[0]
	case events.FoundPattern:
		return "Look for this: " + said[0]
	case events.FoundDecision, events.FoundDependency:
	}
	return "Do it like this: " + said[0]
}

var (
	// orders begin a sentence that tells what to do.
	orders = wordSet(`add allow always apply ask assert avoid batch break build cache call change check choose clear close
		combine compare compute configure consider create declare define delete deny disable do document don't drop enable
		ensure escape exclude explicitly fix flush handle identify include increase decrease install keep limit list lock log
		look make mark measure mock move multiply never open order pass pin prefer put raise read reduce remove rename
		replace require reset restart retry return reuse review rotate run sanitize seed send separate set sign skip split
		start state stop store study switch test treat try turn update upgrade use validate verify wait wrap write`)
	// shoulds stand within one.
	shoulds = wordSet(`must should needs need have required recommended cannot shouldn't mustn't`)
)

// advises reports whether a sentence tells what to do.
func advises(sentence string) bool {
	list := words(sentence)
	if len(list) < 2 {
		return false
	}
	if orders[strings.ToLower(list[0])] {
		return true
	}
	for _, w := range list {
		if shoulds[strings.ToLower(w)] {
			return true
		}
	}
	return false
}

// sentences are the lines of a text, and the sentences of each; at least one for a
// text that has words.
func sentences(text string) []string {
	var list []string
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(strings.TrimSpace(line), "#>-*•0123456789.) ")
		for line != "" {
			end := sentenceEnd(line)
			if s := strings.TrimSpace(line[:end]); len(words(s)) > 0 {
				list = append(list, ended(s))
			}
			line = strings.TrimSpace(line[end:])
		}
	}
	if len(list) == 0 {
		return []string{strings.TrimSpace(text)}
	}
	return list
}

// ended puts a full stop behind a sentence that has none, as items of lists have.
func ended(s string) string {
	if last := s[len(s)-1]; strings.IndexByte(".!?:;,", last) < 0 {
		return s + "."
	}
	return s
}

// sentenceEnd is where the first sentence of a line ends: behind a mark that a
// space and no small letter follow.
func sentenceEnd(line string) int {
	for i := 0; i+2 < len(line); i++ {
		if strings.IndexByte(".!?", line[i]) >= 0 && line[i+1] == ' ' && (line[i+2] < 'a' || line[i+2] > 'z') {
			return i + 1
		}
	}
	return len(line)
}
