package search

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"learnloop.dev/search"
	_ "modernc.org/sqlite"
)

// writer invents texts whose words are as unevenly common as those of real ones.
type writer struct {
	rand  *rand.Rand
	words *rand.Zipf
}

func newWriter() *writer {
	r := rand.New(rand.NewPCG(1, 2))
	return &writer{r, rand.NewZipf(r, 1.05, 8, 200_000)}
}

func (w *writer) text(words int) string {
	all := make([]string, words)
	for i := range all {
		if w.rand.IntN(3) == 0 {
			all[i] = []string{"the", "of", "and", "is", "to", "with"}[w.rand.IntN(6)]
			continue
		}
		all[i] = "w" + strconv.FormatUint(w.words.Uint64()*7919%200_003, 26)
	}
	return strings.Join(all, " ")
}

func (w *writer) doc(n int) search.Doc {
	return search.Doc{
		ID: fmt.Sprintf("learn_%012d", n), Title: w.text(8), Context: w.text(20), Observation: w.text(25),
		Implication: w.text(18), Action: w.text(22), Tags: []string{w.text(1)},
		Domain: []string{"build", "database", "network"}[n%3], Status: "active", Outcome: strconv.Itoa(n / 3),
		Confidence: .3 + .7*w.rand.Float64(), Posterior: .2 + .7*w.rand.Float64(),
	}
}

// table is SQLite's full-text table, stemmed, with what is filtered by in another.
type table struct{ *sql.DB }

func newTable(b testing.TB) table {
	b.Helper()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1) // the memory is the connection's
	for _, statement := range []string{
		`create virtual table texts using fts5(title, context, observation, implication, action, tags, tokenize = 'porter unicode61')`,
		`create table learnings (id text, domain text, status text, outcome text, confidence real)`,
	} {
		if _, err := db.Exec(statement); err != nil {
			b.Fatal(err)
		}
	}
	return table{db}
}

func (t table) fill(b testing.TB, docs []search.Doc) {
	b.Helper()
	tx, err := t.Begin()
	if err != nil {
		b.Fatal(err)
	}
	for i, d := range docs {
		_, err := tx.Exec(`insert into texts(rowid, title, context, observation, implication, action, tags) values (?,?,?,?,?,?,?)`,
			i+1, d.Title, d.Context, d.Observation, d.Implication, d.Action, strings.Join(d.Tags, " "))
		if err == nil {
			_, err = tx.Exec(`insert into learnings(rowid, id, domain, status, outcome, confidence) values (?,?,?,?,?,?)`,
				i+1, d.ID, d.Domain, d.Status, d.Outcome, d.Confidence)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		b.Fatal(err)
	}
}

// anyOf asks for any word of a text.
func anyOf(text string) string {
	var quoted []string
	for word := range strings.FieldsSeq(text) {
		quoted = append(quoted, `"`+strings.ReplaceAll(word, `"`, `""`)+`"`)
	}
	return strings.Join(quoted, " OR ")
}

// find asks as the index does: any of the words, all filters, the ten best, the title twice.
func (t table) find(b *testing.B, q search.Query) int {
	b.Helper()
	rows, err := t.Query(`select id from texts join learnings on learnings.rowid = texts.rowid
		where texts match ? and confidence >= ? and domain = ? and status = ? and outcome <> ?
		order by bm25(texts, 2.0) limit 10`,
		anyOf(q.Text), q.MinConfidence, q.Domain, q.Status, q.ExcludeOutcome)
	if err != nil {
		b.Fatal(err)
	}
	defer rows.Close()
	found := 0
	for rows.Next() {
		found++
	}
	if err := rows.Err(); err != nil {
		b.Fatal(err)
	}
	return found
}

// LEARNLOOP_SEARCH_DOCS asks for another number of documents.
func docs(b *testing.B) int {
	b.Helper()
	asked := os.Getenv("LEARNLOOP_SEARCH_DOCS")
	if asked == "" {
		return 10_000
	}
	n, err := strconv.Atoi(asked)
	if err != nil {
		b.Fatal(err)
	}
	return n
}

// The two take turns, so that whatever else the machine does meets both.
func BenchmarkAgainstSQLite(b *testing.B) {
	w, all := newWriter(), make([]search.Doc, docs(b))
	index := search.New(search.Options{})
	for i := range all {
		all[i] = w.doc(i)
		index.Put(all[i])
	}
	texts := newTable(b)
	texts.fill(b, all)
	snapshot := index.Snapshot()
	var ours, theirs []time.Duration
	for b.Loop() {
		q := search.Query{Text: w.text(35), MinConfidence: .5, Domain: "network", Status: "active", ExcludeOutcome: "7"}
		start := time.Now()
		found := len(snapshot.Search(q).Hits)
		between := time.Now()
		if other := texts.find(b, q); other != found {
			b.Fatalf("the index finds %d, SQLite %d", found, other)
		}
		ours, theirs = append(ours, between.Sub(start)), append(theirs, time.Since(between))
	}
	report := func(took []time.Duration, what string) float64 {
		slices.Sort(took)
		p50, p99 := float64(took[len(took)/2])/1e6, float64(took[len(took)*99/100])/1e6
		b.ReportMetric(p50, what+"-p50-ms")
		b.ReportMetric(p99, what+"-p99-ms")
		return p50
	}
	b.ReportMetric(report(theirs, "sqlite")/report(ours, "index"), "times")
}
