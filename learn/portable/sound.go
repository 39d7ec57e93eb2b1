package portable

import (
	"time"
	"unicode/utf8"
)

// The most that is counted, and how long names and texts are, in bytes. The events that
// carry the counts have the same bounds.
const (
	mostCounted = 99_999_999_999
	errorUnits  = 10_000_000_000
	bins        = 13
	longName    = 4 << 10
	longNames   = 100 << 10 // the categories of a rule together
	longText    = 257       // in runes
	mostCells   = 500
)

// named reports whether a text is the name of an installation or of a pattern.
func named(text string) bool {
	if len(text) < 16 || len(text) > 64 {
		return false
	}
	for _, c := range []byte(text) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}

func (p Place) sound() bool {
	return p.RuleID != "" && len(p.RuleID) <= longName && named(p.Source)
}

// counted reports whether numbers can be counts.
func counted(numbers ...int64) bool {
	for _, n := range numbers {
		if n < 0 || n > mostCounted {
			return false
		}
	}
	return true
}

func (p *Pattern) sound() bool {
	masked := p.Mode == "strict" || p.Mode == "pattern" || p.Mode == "full"
	return p.Place.sound() && named(p.Pattern) && masked && counted(p.Accepted, p.Modified, p.Rejected) &&
		short(p.OriginalPattern) && short(p.SuggestedPattern)
}

func short(text string) bool { return utf8.RuneCountInString(text) <= longText }

func (r *Rule) sound() bool {
	if !r.Place.sound() || len(r.Cells) > mostCells || !counted(r.Errors, r.ErrorRest) || r.ErrorRest >= errorUnits || !dated(r.First) || !dated(r.Last) {
		return false
	}
	names := 0
	for _, c := range r.Cells {
		names += len(c.Category)
		decided := c.Accepted + c.Modified + c.Rejected
		if names > longNames || !counted(c.Accepted, c.Modified, c.Rejected, c.Skipped, c.Graded, c.Hits) || c.Graded > decided || c.Hits > c.Graded {
			return false
		}
	}
	for _, b := range r.Confidence {
		if b.Bin < 0 || b.Bin >= bins || !counted(b.N, b.Kept, b.Sum) || b.Kept > b.N {
			return false
		}
	}
	return true
}

// dated reports whether a text is a day, or none.
func dated(text string) bool {
	if text == "" {
		return true
	}
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}
