package search

import "strings"

// stopWords are English words that say how a sentence is built and not what it is about.
var stopWords = wordSet(`
a about above after again against all also am an and any are aren't as at be because been before being below
between both but by can can't could couldn't did didn't do does doesn't doing don't down during each e.g etc few for from
further had hadn't has hasn't have haven't having he her here hers herself him himself his how i i.e if in into is isn't it
it's its itself just let's me might more most must my myself nor of off on once only or other our ours ourselves out over own
same shall she should shouldn't so some such than that that's the their theirs them themselves then there there's these they
this those through to too under until up upon us very was wasn't we were weren't what when where whether which while who whom whose
why will with won't would wouldn't yet you your yours yourself yourselves
`)

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}
