package recall

import (
	"fmt"
	"strings"
	"unicode"

	"learnloop.dev/events"
	"learnloop.dev/learn/learnings"
)

// bytesPerToken is what models take a token to be of English prose, about.
const bytesPerToken = 4

// Tokens estimates how many tokens a text has.
func Tokens(text string) int { return (len(text) + bytesPerToken - 1) / bytesPerToken }

// intro begins a block, and says how to vote.
const intro = events.BlockBegin + " (from past outcomes)\n\n" +
	"Earlier work taught these. Where one of them helped, say so on a line of its own: `" + events.VoteHelpful + " <id>`; " +
	"where it did not: `" + events.VoteNotHelpful + " <id>`.\n\n"

// block writes learnings down for a prompt, in 001's shape; "" when there are none.
func block(given []learnings.Learning) string {
	if len(given) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(intro)
	for _, l := range given {
		part{
			title: l.Title, confidence: l.Confidence, usage: usage(&l),
			texts: [...]string{l.Context, l.Observation, l.Implication, l.Action}, id: l.ID,
		}.write(&b)
	}
	b.WriteString(events.BlockEnd + "\n")
	return b.String()
}

// placebo is a block of the same shape that says nothing.
func placebo(parts int) string {
	if parts == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(intro)
	for n := range parts {
		part{
			title: fmt.Sprintf("General note %d", n+1), confidence: 0.5, usage: "used 1x", id: "none",
			texts: [...]string{
				"Work of many kinds.", "Tasks differ from each other.",
				"What was noted elsewhere need not hold here.", "Go on as planned.",
			},
		}.write(&b)
	}
	b.WriteString(events.BlockEnd + "\n")
	return b.String()
}

// part is one learning of a block.
type part struct {
	title      string
	confidence float64
	usage      string
	texts      [4]string
	id         string
}

func (p part) write(b *strings.Builder) {
	fmt.Fprintf(b, "### %s [confidence: %.2f, %s]\n\n", line(p.title), p.confidence, p.usage)
	for i, name := range [...]string{"Context", "Observation", "Implication", "Action"} {
		fmt.Fprintf(b, "**%s**: %s\n", name, line(p.texts[i]))
	}
	fmt.Fprintf(b, "\n_ID: %s_\n\n", line(p.id))
}

// line writes a text on one line, so that nothing in it can end the block or begin
// another; without signs that nobody sees.
func line(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.Is(unicode.C, r):
			return -1
		}
		return r
	}, text)
	return strings.Join(strings.Fields(text), " ")
}

// few is how many uses are told as more than one. A task is one of those that use what
// it is given, before it is counted and after: one that asks again is to get the same
// block, as a rule.
const few = 5

// usage says how a learning fared, in steps, so that a block does not change with
// every use.
func usage(l *learnings.Learning) string {
	switch {
	case l.TimesHelpful > 0:
		return fmt.Sprintf("helpful %dx", coarse(l.TimesHelpful))
	case l.TimesInjected < few:
		return "used 1x"
	}
	return fmt.Sprintf("used %dx", coarse(l.TimesInjected))
}

// coarse is the next of 0, 1, 2, 5, 10, 20, 50 … below.
func coarse(n int64) int64 {
	for step := int64(1); n >= 10*step; {
		step *= 10
		if n < 10*step {
			return step * coarse(n/step)
		}
	}
	switch {
	case n >= 5:
		return 5
	case n >= 2:
		return 2
	}
	return max(n, 0)
}
