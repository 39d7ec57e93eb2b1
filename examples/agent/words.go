package main

import (
	"math/rand/v2"
	"strings"
)

// phrase is what a text has too much of, and what might stand there instead.
type phrase struct {
	rule, text string
	instead    []string
}

// phrases are what the agent looks for, by the rule that each breaks.
var phrases = []phrase{
	{"plain-words", "utilize", []string{"use", "employ", "apply"}},
	{"plain-words", "commence", []string{"start", "begin", "open"}},
	{"plain-words", "endeavour", []string{"try", "attempt", "aim"}},
	{"short-phrases", "in order to", []string{"to", "so as to", "for"}},
	{"short-phrases", "due to the fact that", []string{"because", "since", "as"}},
	{"short-phrases", "at this point in time", []string{"now", "today", "at present"}},
	{"certain-words", "it would seem", []string{"it seems", "apparently", "perhaps"}},
	{"certain-words", "more or less", []string{"about", "nearly", "roughly"}},
	{"certain-words", "sort of", []string{"somewhat", "rather", "partly"}},
	{"one-name", "the client", []string{"the customer", "the buyer", "the user"}},
	{"one-name", "the ticket", []string{"the issue", "the case", "the task"}},
	{"one-name", "the build", []string{"the release", "the version", "the artifact"}},
}

// model is a writer of suggestions that does what its prompt says, and otherwise what
// comes to its mind.
type model struct{ mind *rand.Rand }

// suggest picks what should stand in place of a phrase.
func (m model) suggest(p phrase, prompt string) string {
	prefer, avoid := told(prompt)
	var open []string
	for _, candidate := range p.instead {
		line := `"` + p.text + `" to "` + candidate + `"`
		if strings.Contains(prefer, line) {
			return candidate
		}
		if !strings.Contains(avoid, line) {
			open = append(open, candidate)
		}
	}
	if len(open) == 0 {
		open = p.instead
	}
	return open[m.mind.IntN(len(open))]
}

// told is what a prompt says to prefer, and what to avoid.
func told(prompt string) (prefer, avoid string) {
	_, rest, _ := strings.Cut(prompt, "prefer them:")
	prefer, _, _ = strings.Cut(rest, "\n\n")
	_, rest, _ = strings.Cut(prompt, "avoid them:")
	avoid, _, _ = strings.Cut(rest, "\n\n")
	return prefer, avoid
}

// person keeps what they like, mostly. What that is nobody is told.
type person struct{ mood *rand.Rand }

// keeps decides about a suggestion: in nineteen of twenty cases by taste.
func (p person) keeps(at int, suggestion string) bool {
	taste := phrases[at].instead[at%len(phrases[at].instead)]
	return (suggestion == taste) == (p.mood.Float64() < 0.95)
}
