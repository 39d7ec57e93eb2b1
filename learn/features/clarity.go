package features

import "learnloop.dev/events"

// What reads well. Advice on plain language names 15 to 20 words for a sentence; what
// is said of paragraphs varies around a hundred.
const (
	easySentence, hardSentence   = 20, 45   // words on average
	easyParagraph, hardParagraph = 100, 300 // words on average
	longAnswer                   = 150      // words from which on an answer wants structure
	stretch                      = 75       // words that may stand between two breaks of it
)

// clarityOf says how well an answer reads, nil when there is none.
func clarityOf(s shape) *events.Clarity {
	if s.Characters == 0 {
		return nil
	}
	c := &events.Clarity{
		Sentences:  ease(s.Words, s.Sentences, easySentence, hardSentence),
		Paragraphs: ease(s.running, s.Paragraphs, easyParagraph, hardParagraph),
		Fences:     1000,
	}
	if s.open {
		c.Fences = 0
	}
	if s.Words >= longAnswer {
		breaks := s.ListItems + s.Headings + s.CodeBlocks + max(s.Paragraphs-1, 0)
		m := events.Milli(min(1000, 1000*breaks*stretch/s.Words))
		c.Structure = &m
	}
	return c
}

// ease is 1 up to so many words for each, 0 from so many on, and falls between.
func ease(words, of, easy, hard int64) events.Milli {
	if of == 0 {
		return 1000
	}
	return events.Milli(min(max(1000*(hard*of-words)/((hard-easy)*of), 0), 1000))
}
