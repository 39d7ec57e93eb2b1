package search

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func termsOf(o Options, text string) []string {
	var all []string
	newAnalyzer(o).terms(text, func(term string, _, _ int) { all = append(all, term) })
	return all
}

func TestTextsBecomeTerms(t *testing.T) {
	for text, want := range map[string]string{
		"Retries were failing":           "retri fail",
		"Go, CI and UI":                  "go ci ui",
		"parseHTTPRequest()":             "parsehttprequest pars http request",
		"max_retry_count=3":              "max_retry_count max retri count 3",
		"internal/arch/house.go:42":      "internal/arch/house.go:42 intern arch hous go 42",
		"URLs and IDs":                   "url id",
		"v2 sha256":                      "v2 sha256 sha 256",
		"C++, C# or C":                   "c++ c# c",
		"--no-cache":                     "no-cache no cach",
		"don't trust the user’s input":   "trust user input",
		"__init__":                       "init",
		"well-known: e.g. foo.":          "well-known well known foo",
		"ＦＵＬＬ ｗｉｄｔｈ":                     "full width",
		"Überprüfung ΣΊΣΥΦΟΣ":            "überprüfung σίσυφοσ",
		"使用Go语言":                         "使用 go 语言",
		"\xffbad\xfeutf8\x80":            "bad utf8 utf",
		"naïve nai\u0308ve":              "naïv naïv",
		"<b>\"quoted\"</b>":              "b quot b",
		"https://example.org/a?b=c":      "https://example.org/a https exampl org b c",
		"\U0001F680 launch\u200b pad":    "launch pad",
		"NOT null":                       "not null",
		"kube-system/coredns-5d78c9869d": "kube-system/coredns-5d78c9869d kube system coredn 78 9869",
	} {
		if got := strings.Join(termsOf(Options{}, text), " "); got != want {
			t.Errorf("%s:\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestStemsAndStopWordsCanBeLeftAlone(t *testing.T) {
	text := "The retries were failing"
	if got := termsOf(Options{NoStemming: true}, text); !slices.Equal(got, []string{"retries", "failing"}) {
		t.Errorf("without stemming: %v", got)
	}
	if got := termsOf(Options{NoStopWords: true}, text); !slices.Equal(got, []string{"the", "retri", "were", "fail"}) {
		t.Errorf("with stop words: %v", got)
	}
}

func TestStemsRememberedAreStemsMade(t *testing.T) {
	a := newAnalyzer(Options{})
	a.stems = map[string]string{}
	for range 2 {
		var got []string
		a.terms("the retries failing the retries", func(term string, _, _ int) { got = append(got, term) })
		if !slices.Equal(got, []string{"retri", "fail", "retri"}) {
			t.Errorf("got %v", got)
		}
	}
	if a.stops != 4 {
		t.Errorf("%d stop words were left out, want 4", a.stops)
	}
}

func TestAVeryLongWordIsFoundByItsBeginning(t *testing.T) {
	x := indexOf(note("a", strings.Repeat("ü", 5000)))
	if got := first(t, x, strings.Repeat("Ü", 4000)); got != "a" {
		t.Errorf("found %s", got)
	}
}

func TestTermsStandWhereTheTextHasThem(t *testing.T) {
	text := "Naïve parseHTTPRequest — 使用语言 don’t"
	newAnalyzer(Options{NoStemming: true, NoStopWords: true}).terms(text, func(term string, start, end int) {
		if got := lower(text[start:end]); got != term {
			t.Errorf("%s stands where the text has %s", term, got)
		}
	})
}

func TestLengthsAreCodedClosely(t *testing.T) {
	for n := range 60_000 {
		decoded := int(lengths[codeLength(n)])
		if decoded > n || n < exactLengths && decoded != n || float64(n-decoded) > .06*float64(n) {
			t.Fatalf("%d is coded as %d", n, decoded)
		}
	}
	if got := lengths[codeLength(1<<30)]; got < 60_000 {
		t.Errorf("the longest length is %d", got)
	}
}

func FuzzSearch(f *testing.F) {
	x := indexOf(note("a", "retry the upload with parseHTTPRequest"), note("b", "internal/arch.go C++ 使用语言"))
	s := x.Snapshot()
	for _, seed := range []string{"", "retry*", `"`, "parseHTTPRequest", "a* b* **c**", "\xff\xfe", "使用", "don't'", "i\u0307\u0307", "İI", "…—’’"} {
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, query, text string) {
		found := s.Search(Query{Text: query})
		if (len(found.Hits) == 0) != (found.Note != "") {
			t.Errorf("%d hits, note %q", len(found.Hits), found.Note)
		}
		x := indexOf(note("c", text), note("d", query))
		own := x.Snapshot().Search(Query{Text: query})
		if !strings.Contains(query, "*") && len(own.Hits) == 0 && own.Note != NoWords && own.Note != StopWords {
			t.Errorf("a text does not find itself: %s", own.Note)
		}
		for _, h := range own.Match(note("c", text)).Highlights {
			checkHighlight(t, h)
		}
	})
}

func checkHighlight(t *testing.T, h Highlight) {
	t.Helper()
	if !utf8.ValidString(h.Text) || len(h.Spans) == 0 {
		t.Errorf("%q with %d words", h.Text, len(h.Spans))
	}
	end := 0
	for _, s := range h.Spans {
		if s.Start < end || s.End <= s.Start || s.End > len(h.Text) {
			t.Errorf("%q: a word at %v after %d", h.Text, s, end)
		}
		end = s.End
	}
}
