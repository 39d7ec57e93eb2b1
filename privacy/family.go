package privacy

import "strings"

// kindOf looks a word up, the beginning of one with a hyphen, or the end of one that may be a family name.
func kindOf(word string) kind {
	if k := kinds[word]; k != 0 {
		return k
	}
	if first, _, ok := strings.Cut(word, "-"); ok {
		return kinds[first] & (given | surname)
	}
	if len(word) < minFamily {
		return 0
	}
	for _, e := range familyEndings[endingHash(word[len(word)-2], word[len(word)-1])] {
		if strings.HasSuffix(word, e) {
			return surname
		}
	}
	return 0
}

const minFamily = 6 // bytes of a family name that is known by its end

// familyWords are what family names of several languages end in, and few other words.
const familyWords = "ová ski ska sky icz czyk enko chuk czuk oğlu oglu poulos inen sson ssen nsen escu etti elli ucci acci mann berg stein " +
	"feld ström gren quist bauer meier meyer nez guez hofer thaler idis akis shvili vić vič ián dóttir ák ík eira eiro"

// familyEndings are the endings by their last two bytes.
var familyEndings = familyIndex()

func familyIndex() (index [1 << 10][]string) {
	for e := range strings.FieldsSeq(familyWords) {
		at := endingHash(e[len(e)-2], e[len(e)-1])
		index[at] = append(index[at], e)
	}
	return index
}
