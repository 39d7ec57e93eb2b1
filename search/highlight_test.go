package search

import (
	"slices"
	"strings"
	"testing"
)

func marked(h Highlight) string {
	var sb strings.Builder
	end := 0
	for _, s := range h.Spans {
		sb.WriteString(h.Text[end:s.Start] + "[" + h.Text[s.Start:s.End] + "]")
		end = s.End
	}
	return sb.String() + h.Text[end:]
}

func TestHighlightsShowWhatCounted(t *testing.T) {
	doc := Doc{
		ID: "a", Title: "Retries of uploads", Context: "Nothing here.", Posterior: .5,
		Observation: "parseHTTPRequest retried " + strings.Repeat("and then waited ", 30) + "before the upload was retrying an upload again, " +
			strings.Repeat("which took long ", 30),
		Tags: []string{"upload", "net"},
	}
	m := indexOf(doc, note("b", "other words")).Snapshot().Search(Query{Text: "retry the uploading, parseHTTPRequest"}).Match(doc)
	if want := []string{Title, Observation, Tags}; !slices.Equal(m.Fields, want) {
		t.Errorf("matched %v, want %v", m.Fields, want)
	}
	var got []string
	for _, h := range m.Highlights {
		got = append(got, h.Field+": "+marked(h))
	}
	want := []string{
		"title: [Retries] of [uploads]",
		"observation: …and then waited and then waited before the [upload] was [retrying] an [upload] again, " +
			"which took long which took long which took long which took long which took long…",
		"tags: [upload]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestCodeIsHighlightedWhole(t *testing.T) {
	doc := note("a", "call parseHTTPRequest first")
	for query, want := range map[string]string{
		"parsehttprequest": "call [parseHTTPRequest] first",
		"http request":     "call parse[HTTP][Request] first",
		"first parse*":     "call [parseHTTPRequest] [first]",
	} {
		m := indexOf(doc).Snapshot().Search(Query{Text: query}).Match(doc)
		if len(m.Highlights) != 1 || marked(m.Highlights[0]) != want {
			t.Errorf("%s: %+v, want %s", query, m, want)
		}
	}
}

func TestTextThatIsNotUTF8IsShownAsItCanBe(t *testing.T) {
	doc := note("a", "retry\xff upload")
	m := indexOf(doc).Snapshot().Search(Query{Text: "upload"}).Match(doc)
	if len(m.Highlights) != 1 || marked(m.Highlights[0]) != "retry\ufffd [upload]" {
		t.Errorf("%+v", m)
	}
}
