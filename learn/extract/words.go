package extract

import (
	"cmp"
	"strings"
	"unicode"

	"learnloop.dev/inorder"
)

// words are the words of a text in order, as written: identifiers, paths and
// versions stay whole.
func words(text string) []string {
	var list []string
	for _, f := range strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-./+#'’", r)
	}) {
		if f = strings.Trim(f, "-./'’+"); f != "" {
			list = append(list, strings.ReplaceAll(f, "’", "'"))
		}
	}
	return list
}

// base brings the forms of an English word together, roughly: searching is not
// this package's work, comparing is.
func base(word string) string {
	word = strings.TrimSuffix(strings.ToLower(word), "'s")
	if technical(word) || len(word) < 5 {
		return word
	}
	for _, s := range []struct{ end, to string }{
		{"ations", "ate"}, {"ation", "ate"}, {"ies", "y"}, {"ing", ""}, {"ed", ""}, {"ly", ""}, {"es", "e"}, {"s", ""},
	} {
		if rest, ok := strings.CutSuffix(word, s.end); ok && len(rest) >= 3 && !strings.HasSuffix(word, "ss") {
			word = rest + s.to
			break
		}
	}
	if n := len(word); n > 3 && word[n-1] == word[n-2] && word[n-1] != 's' && word[n-1] != 'l' { // running, run
		word = word[:n-1]
	}
	return strings.TrimSuffix(word, "e")
}

// technical reports whether a word looks like a name out of code, a path, a version.
func technical(word string) bool {
	for i, r := range word {
		if unicode.IsDigit(r) || strings.ContainsRune("_./+#", r) || i > 0 && unicode.IsUpper(r) {
			return true
		}
	}
	return false
}

// plain are words that say nothing about what a text is about.
var plain = wordSet(`a about above after again all also always am an and any are as at avoid be because been before
	being below between both but by can cannot can't could did do does doesn't doing don't done down during e.g each either
	else ever every few first for from further get gets got had has have having he her here his how i i.e if in into is
	isn't it it's its itself just keep last let like made make makes many may me might more most much must my need needs
	never new no nor not now of off on once one only or other our out over own per please rather really reference same
	see set should since so some still such than that the their them then there these they this those though through
	thus to too under until up upon us use used uses using very via want was way we well were what when where whether
	which while who why will with within without won't would yet you your`)

func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(text) {
		set[w] = true
	}
	return set
}

// Weights of a word among the words of a text.
const (
	technicalWeight = 2.0 // a name out of code says more than a word
	titleWeight     = 0.8 // beside what it counts in the text
)

// keywords are the words that say most about a text, as many as a learning has tags,
// the weightiest first and those of the same weight in order. What is in the title
// counts more.
func keywords(title, text string) []string {
	type term struct {
		word   string
		weight float64
	}
	var terms []term
	at := map[string]int{}
	add := func(text string, factor float64) {
		for _, w := range words(text) {
			key := base(w)
			if lower := strings.ToLower(w); plain[lower] || len(key) < 2 || strings.Trim(key, "0123456789.-") == "" {
				continue
			}
			i, known := at[key]
			if !known {
				i = len(terms)
				at[key] = i
				terms = append(terms, term{word: strings.ToLower(w)})
			}
			weight := factor
			if technical(w) {
				weight *= technicalWeight
			}
			terms[i].weight += weight
		}
	}
	add(title, titleWeight)
	add(text, 1)
	inorder.Sort(terms, func(a, b term) int { return cmp.Compare(b.weight, a.weight) })
	var top []string
	for _, t := range terms[:min(mostTags, len(terms))] {
		top = append(top, t.word)
	}
	return top
}
