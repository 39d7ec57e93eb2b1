package privacy

import "strings"

// deeds are verbs whose subject is somebody, as a rule.
var deeds = wordSet("said says asked asks told tells called calls wrote writes explained replied answered agreed joined works worked lives lived " +
	"spoke speaks " +
	"thinks thought wants wanted met meets married resigned retired smiled laughed cried emailed phoned texted volunteered studied studies taught teaches " +
	"complained apologized apologised confirmed mentioned noted insisted argued suggested recommended promised forgot remembers remembered died born " +
	"believes believed loves loved hates hated knows knew bought sold visited arrived traveled travelled moved earned graduated sang plays played " +
	"approved rejected accepted declined requested reported scheduled cancelled canceled submitted signed paid owes filed noticed admitted attended " +
	"organized organised invited recommends suggests apologizes disagrees disagreed interrupted nodded shrugged whispered shouted volunteers " +
	"lives resides fragte sagte rief schrieb erklärte wohnt arbeitet antwortete meinte dit déclare demande habite travaille appelle dijo dice pidió llamó " +
	"escribió vive trabaja disse dice chiese chiama vive lavora scrisse vroeg zei belde schreef woont werkt disse pediu ligou mora trabalha")

// company are words in front of somebody: who one speaks with, and what people are.
var company = wordSet("seen met told asked ask contacted emailed thanked hired elected appointed interviewed married phoned invited visited promoted fired " +
	"mr mrs ms patient colleague friend neighbor neighbour brother sister wife husband son daughter mother father uncle aunt cousin boss lawyer attorney " +
	"doctor nurse teacher professor author director actor actress singer composer artist painter writer poet coach president senator ceo cto cfo founder " +
	"chairman chairwoman minister mayor driver officer witness employee tenant landlord guitarist pianist producer journalist scientist engineer " +
	"novelist philosopher architect photographer defendant plaintiff judge captain sergeant detective pastor bishop beneficiary guardian " +
	"applicant candidate student pupil resident survivor victim suspect hostess host guest speaker herr frau laut selon según secondo volgens segundo " +
	"kollege freund bruder schwester collègue ami frère soeur colega amigo hermano hermana collega amico fratello sorella")

// kin are the words in front of a single name.
var kin = wordSet("brother sister wife husband son daughter mother father uncle aunt cousin friend neighbor neighbour colleague grandmother " +
	"grandfather nephew " +
	"niece fiancé fiancée girlfriend boyfriend roommate coworker bruder schwester frère soeur hermano hermana fratello sorella")

// spokenOf finds a name that no list knows: words with capitals between lower-case ones, of whom something
// is said that is said of people. The first word is text[i:end]; it returns 0 when there is none.
func spokenOf(v view, i, end int) int {
	if v.back(i, 1) != ' ' && v.back(i, 1) != 0 && v.back(i, 1) != '\n' {
		return 0
	}
	stop := capitalised(v, i, maxNameWords)
	name := v.text[i:max(i, stop)]
	before := wordBeforeSpace(v, i)
	if stop == end {
		if kin[before] && len(name) > 2 && isFullName(name+" "+name) && endsName(v, stop) {
			return stop
		}
		return 0
	}
	if !isFullName(name) || strings.Count(name, " ") > 2 {
		return 0
	}
	if company[before] || deeds[wordBehindSpace(v, stop)] || accompanied(v, i, before) {
		return stop
	}
	return 0
}

// dealings are words in front of a preposition behind which somebody is named, by the preposition.
var dealings = map[string]map[string]bool{
	"with": wordSet("spoke spoken speak speaking talked talk talking met meet meeting meetings discuss discussed chat chatted lunch dinner call " +
		"appointment interview consult consulted agreed disagreed work worked working lives lived married engaged friends together touch"),
	"to": wordSet("according spoke spoken speak talked talk talking listened listen wrote belongs belonged assigned thanks married " +
		"apologized apologised introduced reported reports said replied responded forwarded addressed"),
	"from": wordSet("heard hear email mail letter message complaint request call reply answer note feedback apology visit"),
	"by":   wordSet("filed led handled closed accompanied joined followed assisted raised signed"),
	"of":   wordSet("behalf wife husband son daughter brother sister mother father friend family widow estate account"),
	"for":  wordSet("appointment visa passport birthday reservation prescription"),
}

// accompanied reports whether the word in front of the preposition at text[i] deals with somebody.
func accompanied(v view, i int, preposition string) bool {
	words := dealings[preposition]
	return words != nil && words[strings.ToLower(wordBeforeSpace(v, i-len(preposition)-1))]
}

// wordBeforeSpace returns the small word in front of the space at text[i-1].
func wordBeforeSpace(v view, i int) string {
	if v.back(i, 1) != ' ' {
		return ""
	}
	if v.back(i, 2) == ',' {
		i--
	}
	start := i - 1
	for start > v.floor && i-start < maxCueWord && inCue(v.text[start-1]) {
		start--
	}
	return v.text[start : i-1]
}

// wordBehindSpace returns the word behind the space at text[end].
func wordBehindSpace(v view, end int) string {
	if v.next(end) != ' ' {
		return ""
	}
	return v.text[end+1 : nameEnd(v.text[:min(len(v.text), end+maxCueWord)], end+1)]
}
