package features

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"unicode/utf8"

	"learnloop.dev/events"
)

// mostStems is how many words of a question are sketched: each costs a hash.
const mostStems = 256

// sketch is the bottom of the stems' hashes (Broder, On the resemblance and
// containment of documents, 1997). The seed is secret and of one session, so that a
// sketch can be compared with those of its session and with nothing else.
func sketch(stems map[string]bool, seed string) events.Sketch {
	if len(stems) > mostStems {
		return nil // a document, not a question
	}
	var all events.Sketch
	for stem := range stems {
		sum := sha256.Sum256([]byte(seed + "\x00" + stem))
		all = append(all, binary.BigEndian.Uint16(sum[:]))
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return slices.Clip(all[:min(len(all), events.SketchSize)])
}

// clip is the beginning of a text, cut between two letters.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}
