package persona

import (
	"fmt"
	"slices"
	"strings"

	"learnloop.dev/learn/conversations"
)

// Tuned is a system prompt for a person.
type Tuned struct {
	Prompt  string       `json:"prompt"`
	Changes []Adaptation `json:"changes"` // empty: the person asks for nothing that others do not
	Reason  string       `json:"reason"`  // why the prompt is as it is, in a sentence
	// GoodAnswers went well with the person, the best first; their text is not kept.
	GoodAnswers []conversations.GoodAnswer `json:"good_answers"`
	// Experiments are sentences that say what arms have set, where whoever tunes heeds them.
	Experiments []string `json:"experiments,omitzero"`
}

// Tune writes what is known of a person into the slots of a base prompt, or below one
// that has none. Where too little is known the base comes back byte for byte, slots
// included: Neutral fills them.
func Tune(base string, p *Preferences, t Terms) Tuned {
	out := Tuned{Prompt: base, Changes: []Adaptation{}, GoodAnswers: []conversations.GoodAnswer{}}
	if !Known(p) {
		out.Reason = unknownReason(p)
		return out
	}
	w := wording{p: p, advice: heeded(p, t.within())}
	for _, a := range w.advice {
		out.Changes = append(out.Changes, change(a, p))
	}
	out.Reason = fmt.Sprintf("learned from %d answers, at a confidence of %.2f", p.SampleSize, p.Confidence)
	if len(out.Changes) == 0 {
		out.Reason += ": nothing asks for another prompt"
	}
	out.GoodAnswers = append(out.GoodAnswers, p.GoodAnswers...)
	out.Prompt = w.into(base)
	return out
}

func unknownReason(p *Preferences) string {
	if p == nil || p.SampleSize == 0 {
		return "nothing is known of this person"
	}
	return fmt.Sprintf("too little is known: a confidence of %.2f from %d answers, where more than %.1f is wanted",
		p.Confidence, p.SampleSize, conversations.Personal)
}

// Neutral fills the slots of a base as for somebody nobody knows anything about; a
// base without slots is left as it is.
func Neutral(base string) string { return wording{p: &Preferences{}}.fill(base) }

// The slots of a base prompt, as source document 003 names them.
const (
	slotPersonal = "{personalization_section}"
	slotLength   = "{length_style}"
	slotExamples = "{examples_instruction}"
	slotFormat   = "{format_instruction}"
	slotTopics   = "{topic_focus_section}"
)

// slotted reports whether a base says where what is known goes.
func slotted(base string) bool {
	all := []string{slotPersonal, slotLength, slotExamples, slotFormat, slotTopics}
	return slices.ContainsFunc(all, func(slot string) bool { return strings.Contains(base, slot) })
}

// wording is what a prompt says for a person.
type wording struct {
	p      *Preferences
	advice []conversations.Advice
}

func (w wording) into(base string) string {
	section := conversations.Say(w.advice)
	switch {
	case slotted(base):
		return w.fill(base)
	case base == "" || section == "":
		return base + section
	}
	text := strings.TrimRight(base, "\n") // a text file ends with one: so does what is made of it
	return text + "\n\n" + section + base[len(text):min(len(base), len(text)+1)]
}

// fill puts what is said into the slots, in one pass: what is put in is not searched again.
// A line of nothing but a slot that nothing goes into is taken out.
func (w wording) fill(base string) string {
	section := conversations.Say(w.about(conversations.AboutLength, conversations.AboutDepth, conversations.AboutMistakes))
	topics := w.topics()
	if section == "" {
		base = withoutLine(base, slotPersonal)
	}
	if topics == "" {
		base = withoutLine(base, slotTopics)
	}
	return strings.NewReplacer(
		slotPersonal, section, slotLength, w.length(), slotExamples, w.examples(), slotFormat, w.format(), slotTopics, topics,
	).Replace(base)
}

// withoutLine takes lines out of a text, each with the empty line before it.
func withoutLine(text, line string) string {
	if !strings.Contains(text, line) {
		return text
	}
	var b strings.Builder
	gap := ""
	for l := range strings.Lines(text) {
		switch {
		case l == "\n" && gap == "":
			gap = l
			continue
		case strings.TrimRight(l, "\n") == line:
			gap = ""
			continue
		}
		b.WriteString(gap + l)
		gap = ""
	}
	return b.String() + gap
}

// about is the advice about some matters.
func (w wording) about(matters ...string) (list []conversations.Advice) {
	for _, a := range w.advice {
		if slices.Contains(matters, a.About) {
			list = append(list, a)
		}
	}
	return list
}

// length continues "Keep responses".
func (w wording) length() string {
	t := w.p.Style.Length
	switch advised := len(w.about(conversations.AboutLength)) > 0; {
	case advised && t.Value < concise && t.Typical != nil:
		return fmt.Sprintf("concise and to the point (about %.0f words)", *t.Typical)
	case advised && t.Value < concise:
		return "concise and to the point (2-3 sentences max)"
	case advised && t.Value > detailed:
		return "detailed and thorough, with full context"
	}
	return "balanced between brevity and thoroughness"
}

func (w wording) examples() string {
	if len(w.about(conversations.AboutExamples)) > 0 && w.p.Style.Examples.Value > much {
		return "Include concrete examples to illustrate points"
	}
	return "Focus on explanations over examples unless asked"
}

func (w wording) format() string {
	switch advised := len(w.about(conversations.AboutFormat)) > 0; {
	case advised && w.p.Style.Format.Value > middle:
		return "Use bullet points and lists for organization"
	case advised:
		return "Write in flowing prose without bullet points"
	}
	return "Balance prose with occasional bullet points"
}

func (w wording) topics() string {
	var lines []string
	for _, a := range w.about(conversations.AboutTopics) {
		lines = append(lines, a.Text)
	}
	return strings.Join(lines, "\n")
}
