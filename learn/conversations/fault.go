package conversations

import (
	"slices"

	"learnloop.dev/events"
)

// often is how often something goes wrong before it is a pattern.
const often = 3

// faults are the ways in which an exchange went wrong.
func (x *exchange) faults() (list []string) {
	switch {
	case x.rephrased || x.has(events.Regenerate):
		list = append(list, PatternRegeneration)
	case x.deed().FollowUp == events.Clarification:
		list = append(list, PatternClarification)
	}
	if x.has(events.ThumbsDown) {
		list = append(list, PatternNegative)
	}
	if x.Corrections > 0 {
		list = append(list, PatternCorrection)
	}
	return list
}

// fail collects what goes wrong again and again, about which topics.
func (k *known) fail(all evidence, w wishes) {
	by := map[string]*fault{}
	for _, x := range slices.Backward(all) {
		for _, f := range x.faults() {
			if x.At <= w.cut(events.ErrorPattern, f) {
				continue
			}
			for _, topic := range x.subjects() {
				note(by, f, topic, example{x.ID, x.At})
			}
		}
	}
	for _, f := range by {
		k.Faults = append(k.Faults, *f)
	}
	k.rankFaults()
}

// subjects are the topics of an exchange, the empty one when there are none.
func (x *exchange) subjects() []string {
	if topics := x.topics(); len(topics) > 0 {
		return topics
	}
	return []string{""}
}

func note(by map[string]*fault, kind, topic string, e example) {
	f, ok := by[kind+"/"+topic]
	if !ok {
		f = &fault{Type: kind, Topic: topic}
		by[kind+"/"+topic] = f
	}
	f.N++
	if len(f.Examples) < mostExamples {
		f.Examples = append(f.Examples, e)
	}
}

// described says what goes wrong, and what to do about it.
func (f fault) described() ErrorPattern {
	p := ErrorPattern{Type: f.Type, Topic: f.Topic, Frequency: f.N, Examples: []string{}}
	for _, e := range f.Examples {
		p.Examples = append(p.Examples, e.ID)
	}
	about := ""
	if f.Topic != "" {
		about = " about " + quote(f.Topic)
	}
	switch f.Type {
	case PatternClarification:
		p.Description = "Answers" + about + " are followed by questions of what was meant."
		p.Fix = "Define terms at first use and state assumptions" + about + " before the details."
	case PatternRegeneration:
		p.Description = "Questions" + about + " are asked again, or answers ordered anew."
		p.Fix = "Make sure what is asked" + about + " before answering, and answer that first."
	case PatternNegative:
		p.Description = "Answers" + about + " are turned down."
		p.Fix = "Take another approach" + about + ": check the facts, and say what is uncertain."
	case PatternCorrection:
		p.Description = "Answers" + about + " have to be corrected."
		p.Fix = "Verify statements" + about + " before making them, and take corrections over."
	}
	return p
}
