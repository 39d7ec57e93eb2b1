package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestEveryQueryWithoutHitsSaysWhy(t *testing.T) {
	full := indexOf(note("a", "retry the upload")).Snapshot()
	empty := New(Options{}).Snapshot()
	for _, c := range []struct {
		name  string
		in    *Snapshot
		query Query
		want  Note
	}{
		{"nothing", full, Query{}, NoWords},
		{"signs", full, Query{Text: `"" ((*)) && || ~ -- :: \`}, NoWords},
		{"stop words", full, Query{Text: "how to do it when it is there"}, StopWords},
		{"empty index", empty, Query{Text: "retry"}, NoDocs},
		{"unknown word", full, Query{Text: "zebra"}, Unknown},
		{"unknown prefix", full, Query{Text: "zebr*"}, Unknown},
		{"not utf-8", full, Query{Text: "\xff\xfe"}, NoWords},
		{"strict filter", full, Query{Text: "retry", MinConfidence: .9}, Filtered},
		{"other status", full, Query{Text: "retry", Status: "archived"}, Filtered},
		{"other domain", full, Query{Text: "retry", Domain: "x"}, Filtered},
	} {
		if got := c.in.Search(c.query); got.Note != c.want || len(got.Hits) != 0 {
			t.Errorf("%s: %d hits, %q, want %q", c.name, len(got.Hits), got.Note, c.want)
		}
	}
}

func TestQuotesAndOperatorsMeanNothing(t *testing.T) {
	x := indexOf(note("a", "it's the user's NOT null column"), note("b", "unrelated"))
	for _, query := range []string{`"null column`, `title:null AND (column`, `null' OR 1=1 --`, `+null -column`, "null\xffcolumn", "column^2~"} {
		if got := first(t, x, query); got != "a" {
			t.Errorf("%s: found %s", query, got)
		}
	}
}

func TestALongQueryCountsItsBestTerms(t *testing.T) {
	x := New(Options{})
	for i := range 50 {
		x.Put(note(fmt.Sprintf("d%02d", i), strings.Repeat("common ", 3)+fmt.Sprintf("rare%c%c", 'a'+i/10, 'a'+i%10)))
	}
	text := strings.Repeat("common words everywhere ", 500) + "rareab"
	found := x.Snapshot().Search(Query{Text: text[len(text)-10_000:]})
	if len(found.Hits) == 0 {
		t.Fatal(found.Note)
	}
	var many []string
	for i := range 50 {
		many = append(many, fmt.Sprintf("rare%c%c", 'a'+i/10, 'a'+i%10))
	}
	found = x.Snapshot().Search(Query{Text: strings.Join(many, " ") + " common", Limit: 50})
	if len(found.words) != bestTerms || found.words["common"] || len(found.Hits) != bestTerms {
		t.Errorf("%d terms counted and %d documents were found, want %d", len(found.words), len(found.Hits), bestTerms)
	}
}

func TestPrefixesAreExplicit(t *testing.T) {
	x := indexOf(note("a", "configuration"), note("b", "confirm"), note("c", "config_loader.go"), note("d", "unrelated"))
	for query, want := range map[string][]string{
		"confi":                          nil,
		"confi*":                         {"a", "b", "c"},
		"CONFIG*":                        {"a", "c"},
		"config_l*":                      {"c"},
		"configurations*":                {"a"},
		"confi**":                        nil,
		"*confi*":                        nil,
		"**bold confi** and confi*":      {"a", "b", "c"},
		"a rule in *many confi* unknown": nil,
	} {
		got := ids(x.Snapshot().Search(Query{Text: query}))
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s: found %v, want %v", query, got, want)
		}
	}
}

func TestAPrefixCountsAsOneWord(t *testing.T) {
	x := New(Options{})
	for i := range 100 {
		x.Put(note(fmt.Sprintf("d%02d", i), fmt.Sprintf("conf%c%c", 'a'+i/10, 'a'+i%10)))
	}
	x.Put(note("twice", "confaa confab other words here"))
	found := x.Snapshot().Search(Query{Text: "conf*", Limit: 200})
	if len(found.words) != maxExpansions {
		t.Errorf("%d expansions, want %d", len(found.words), maxExpansions)
	}
	for _, h := range found.Hits {
		if h.Text > 1 {
			t.Errorf("%s earned %v for a prefix that most documents have", h.ID, h.Text)
		}
	}
}

func TestATitleCountsTwice(t *testing.T) {
	x := indexOf(Doc{ID: "body", Title: "Pause", Context: "retry", Posterior: .5}, Doc{ID: "title", Title: "Retry", Context: "pause", Posterior: .5})
	if got := first(t, x, "retry"); got != "title" {
		t.Errorf("found %s first, want title", got)
	}
}

func TestRelevanceIsMeasuredAgainstTheBestText(t *testing.T) {
	poor, rich := note("poor", "retry pool"), note("rich", "retry something else at length")
	poor.Posterior, rich.Posterior = .0001, 1
	hits := indexOf(poor, rich).Snapshot().Search(Query{Text: "retry pool"}).Hits
	if hits[0].ID != "rich" || hits[0].Relevance >= 1 || hits[1].Relevance != 1 {
		t.Errorf("%+v", hits)
	}
}

func TestACopyOfTheQueryScoresAsTheQueryItself(t *testing.T) {
	x := indexOf(note("copy", "retry the upload of the archive, retry"), note("other", "retry something"), note("none", "zebra"))
	found := x.Snapshot().Search(Query{Text: "Retry the upload of the archive! Retry."})
	if h := found.Hits[0]; h.ID != "copy" || !near(h.Text, found.Own) {
		t.Errorf("the copy earns %v, the query itself %v", h.Text, found.Own)
	}
	if h := found.Hits[1]; h.Text/found.Own > .5 {
		t.Errorf("another earns %v of %v", h.Text, found.Own)
	}
}
