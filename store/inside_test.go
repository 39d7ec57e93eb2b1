package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"

	"pgregory.net/rapid"
)

func openInside(t *testing.T, dir string) (*Store, error) {
	t.Helper()
	return Open(Options{Dir: dir, Key: make([]byte, 32)})
}

func TestKindsHaveDistinctCodes(t *testing.T) {
	if got, want := len(kindTable()), len(slices.Collect(events.All())); got != want {
		t.Errorf("%d codes for %d kinds", got, want)
	}
}

func TestInstantsSortAsTimesDo(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		draw := func(name string) time.Time {
			return time.Unix(rapid.Int64Range(-62_200_000_000, 253_500_000_000).Draw(r, name), rapid.Int64Range(0, 999_999_999).Draw(r, name+" ns"))
		}
		a, b := draw("a"), draw("b")
		x, y := instantOf(a), instantOf(b)
		if got, want := bytes.Compare(x[:], y[:]), a.Compare(b); got != want {
			r.Errorf("%v and %v: bytes %d, times %d", a, b, got, want)
		}
	})
}

func TestNamesAreReadBackFromTheirKeys(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		name := rapid.OneOf(rapid.String(), rapid.Custom(func(r *rapid.T) string {
			return strings.Repeat(rapid.StringN(1, 3, -1).Draw(r, "text"), rapid.IntRange(60, 700).Draw(r, "times"))
		}))
		g := group{part: 5, model: name.Draw(r, "model"), key: learn.Key{Kind: name.Draw(r, "kind"), ID: name.Draw(r, "id")}}
		rows := rapid.SliceOf(rapid.Custom(func(r *rapid.T) row {
			return row{name: []byte(name.Draw(r, "row")), data: rapid.SliceOf(rapid.Byte()).Draw(r, "data")}
		})).Draw(r, "rows")
		key, value := pageKey(g, orderOf(name.Draw(r, "from"))), encodePage(&packer{}, g, rows)
		if len(key) > 2000 {
			r.Fatalf("a key of %d bytes", len(key))
		}
		g2, err := pageOf(5, key[prefixSize:], value)
		read, err2 := decodePage(value)
		if err = errors.Join(err, err2); err != nil || g2 != g || len(read.at) != len(rows) {
			r.Fatalf("got %v, %d rows, %v", g2, len(read.at), err)
		}
		for i, want := range rows {
			if name, data := read.row(i); !bytes.Equal(name, want.name) || !bytes.Equal(data, want.data) {
				r.Errorf("row %d: %q, %q", i, name, data)
			}
		}
	})
}

func TestASeparatorLiesBetweenTwoRows(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		a, b := rapid.String().Draw(r, "a"), rapid.String().Draw(r, "b")
		if a == b {
			return
		}
		a, b = min(a, b), max(a, b)
		if s := separator(a, b); s <= a || s > b {
			r.Errorf("%q is not between %q and %q", s, a, b)
		}
	})
}

func FuzzForeignKeysAndValuesAreRefusedNotCrashedOn(f *testing.F) {
	g := group{model: "rules", key: learn.Key{Kind: "rule", ID: strings.Repeat("x", 300)}}
	f.Add(pageKey(g, "row")[prefixSize:], encodePage(&packer{}, g, []row{{name: []byte("row"), data: []byte("data")}}))
	f.Fuzz(func(t *testing.T, key, value []byte) {
		if g, err := pageOf(1, key, value); err == nil && len(g.model)+len(g.key.ID) > len(key)+len(value) {
			t.Error("names out of nothing")
		}
		if read, err := decodePage(value); err == nil {
			for i := range read.at {
				if name, data := read.row(i); len(name)+len(data) > len(read.raw) {
					t.Errorf("row %d out of nothing", i)
				}
			}
		}
		s := &Store{kinds: kindTable()}
		if e, err := s.decode(item{kind: codeOf(events.FeedbackFix.Kind), raw: value}); err == nil && e.rec == nil {
			t.Error("no record and no error")
		}
		if b, err := readHead(1, key); err == nil && b.readBody(value) == nil && !bytes.Equal(b.head(), key) {
			t.Error("another head than was read")
		}
		if ops, err := decodeOps(value); err == nil && len(value) > 0 && len(ops) == 0 {
			t.Error("no changes and no error")
		}
		if e, err := decodeLetter(value); err == nil && e.ID != 0 {
			t.Error("an id out of nothing")
		}
	})
}

func TestACommitMissingBeforeTheLastIsDamage(t *testing.T) {
	dir := t.TempDir()
	s, err := openInside(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := s.SetMeta("a", []byte("b")); err != nil {
			t.Fatal(err)
		}
	}
	s.tail.number++ // a commit that never reached the disk
	if err := s.SetMeta("a", []byte("c")); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := openInside(t, dir); !errors.Is(err, ErrDamaged) {
		t.Errorf("got %v, want ErrDamaged", err)
	}
}

func TestAnotherFormatIsRefused(t *testing.T) {
	dir := t.TempDir()
	s, err := openInside(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	err = s.commit(func(w *writer) { w.set(keyOf(whole, tableFormat), numberBytes(format+1)) })
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = openInside(t, dir)
	if want := fmt.Sprintf("open state %s: unknown format 6, this version reads 5", dir); !errors.Is(err, ErrFormat) || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// The order of files on which the tail relies is the engine's, not ours.
func TestEarlierMemtablesAreFoundInAFolderOfAnyName(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a[b")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"00003.mem", "00004.mem"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if last := (&tail{}); last.start(dir) != nil || last.file != 4 {
		t.Errorf("the tail is at %d", last.file)
	}
}

func TestEveryNewMemtableIsNoticed(t *testing.T) {
	dir := t.TempDir()
	s, err := openInside(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	first := s.tail.file
	for i := range 4 * memtable / 900 {
		if err := s.SetMeta(fmt.Sprint(i), bytes.Repeat([]byte{byte(i)}, 900)); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.mem"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	if newest := memtableFile(dir, s.tail.file); newest != files[len(files)-1] || s.tail.file < first+2 {
		t.Errorf("the tail is at %s, the engine at %v", newest, files)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestTheCacheOfRowsIsBoundedAndKeepsWhatIsAskedFor(t *testing.T) {
	c := newCells()
	ask := func(id string, pages, rows, bytes int) *sheet {
		g := group{model: "rules", key: learn.Key{ID: id}}
		h := c.sheets[g]
		if h == nil {
			h = newSheet(g)
			for i := range pages {
				h.add(fmt.Sprint(i))
			}
			c.sheets[g] = h
		}
		for _, pg := range h.pages {
			if !pg.inMem {
				pg.inMem = true
				for j := range rows {
					s := pg.slot(fmt.Sprint(j), fmt.Sprint(j))
					s.cell.Stored = make([]byte, bytes)
					pg.bytes += slotSize(s.row, s.cell.Stored)
				}
			}
			c.use(pg)
		}
		return h
	}
	held := func() (rows int) {
		for _, h := range c.sheets {
			for _, pg := range h.pages {
				rows += len(pg.slots)
			}
		}
		return rows
	}
	hot := ask("hot", 1, 1, 1)
	large := ask("large", 3, 100, 1)
	for round := range 8 { // many small ones, then few big ones
		count, bytes := cellLimit/4/10, 1
		if round > 3 {
			count, bytes = 1, byteLimit/80
		}
		for i := range count {
			ask(fmt.Sprint(round, i), 2, 5, bytes)
		}
		if ask("hot", 1, 1, 1) != hot || !hot.pages[0].inMem {
			t.Error("a group that every batch asks for was dropped")
		}
		c.use(large.pages[1])
		c.turn()
		if n := held(); n > cellLimit*3/2 || round == 7 && n > 300 {
			t.Fatalf("round %d: %d rows in memory", round, n)
		}
	}
	if large.pages[0].inMem || !large.pages[1].inMem || c.sheets[large.group] != large {
		t.Error("of a large group not the page stayed that every batch asks for")
	}
}

func TestChangesAreReadBackAsTheyWereWrittenDown(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		ops := rapid.SliceOfN(rapid.Custom(func(r *rapid.T) op {
			o := op{key: rapid.SliceOf(rapid.Byte()).Draw(r, "key"), drop: rapid.Bool().Draw(r, "drop")}
			if !o.drop {
				o.value = rapid.SliceOfN(rapid.Byte(), 0, 300_000).Draw(r, "value")
			}
			return o
		}), 1, 20).Draw(r, "changes")
		var got []op
		for _, part := range split(ops) {
			some, err := decodeOps(encodeOps(part))
			if err != nil {
				r.Fatal(err)
			}
			got = append(got, some...)
		}
		same := func(a, b op) bool {
			return bytes.Equal(a.key, b.key) && bytes.Equal(a.value, b.value) && a.drop == b.drop
		}
		if !slices.EqualFunc(got, ops, same) {
			r.Errorf("got %d changes, want %d, or other ones", len(got), len(ops))
		}
	})
}

func TestAFloorIsNotRaisedOverWhatCameMeanwhile(t *testing.T) {
	f := floor{at: 3}
	seen := f
	f.lower(1)
	f.raise(10, seen)
	if f.at != 1 {
		t.Errorf("the floor is at %d, want 1", f.at)
	}
	f.raise(10, f)
	if f.at != 10 {
		t.Errorf("the floor is at %d, want 10", f.at)
	}
}
