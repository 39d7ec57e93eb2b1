package extract

import "strings"

// fields are the domains that are told by their words.
var fields = []struct {
	name  string
	words map[string]bool // as base has them
}{
	{"api-integration", baseSet("api endpoint webhook rest graphql grpc request response http https sdk rate-limit payload openapi oauth callback client")},
	{"authentication", baseSet("authentication authenticate login logout password token jwt oauth sso session credential credentials saml oidc permission role")},
	{"build", baseSet("build compile compiler bundler webpack vite makefile cmake gradle maven linker dependency package lockfile npm cargo pip")},
	{"concurrency", baseSet("race deadlock lock mutex goroutine thread concurrent concurrency atomic parallel semaphore channel async await")},
	{"configuration", baseSet("configuration config setting settings environment variable yaml toml flag default .env")},
	{"data-processing", baseSet("csv parquet etl pipeline batch stream parse parser schema transform dataset dataframe column encoding json xml")},
	{"database", baseSet("database sql postgres postgresql mysql sqlite index query migration transaction table row column orm redis mongodb badger replica")},
	{"deployment", baseSet("deploy deployment docker container kubernetes k8s helm terraform rollout release ci pipeline image cluster rollback")},
	{"documentation", baseSet("documentation readme changelog docstring comment docs tutorial markdown")},
	{"mathematics", baseSet("equation theorem proof integer polynomial probability geometry geometric triangle modulo combinatorics counting algebra symmetry")},
	{"networking", baseSet("network socket tcp udp dns tls certificate proxy timeout port firewall connection latency")},
	{"performance", baseSet("performance slow latency memory cpu cache profile profiling benchmark throughput leak allocation garbage")},
	{"security", baseSet("security vulnerability injection xss csrf encryption encrypt secret sanitize escape signature cve")},
	{"testing", baseSet("test tests testing assert assertion mock fixture flaky coverage e2e snapshot regression pytest jest")},
	{"ui", baseSet("ui css html button layout component react render browser dom modal form accessibility frontend style")},
	{"version-control", baseSet("git commit branch merge rebase cherry-pick pull-request diff conflict tag")},
}

func baseSet(text string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(text) {
		set[base(w)] = true
	}
	return set
}

// enough is how many words of a field a text has to have; those of the title count
// three times, in the title and in the text.
const enough = 2

// domain is the field whose words a text has most of, "" when it has hardly any; the
// first in the alphabet of several.
func domain(title, text string) string {
	said := append(bases(title), bases(title)...)
	said = append(said, bases(text)...)
	best, most := "", enough-1
	for _, f := range fields {
		hits := 0
		for _, w := range said {
			if f.words[w] {
				hits++
			}
		}
		if hits > most {
			best, most = f.name, hits
		}
	}
	return best
}

func bases(text string) []string {
	list := words(text)
	for i, w := range list {
		list[i] = base(w)
	}
	return list
}
