package web_test

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"learnloop.dev/api"
	"learnloop.dev/web"

	"github.com/chromedp/chromedp"
	"github.com/go-json-experiment/json"
)

// pictured are the pages that are shown in the documentation: all by day, some otherwise.
func pictured() map[string][]string {
	return map[string][]string{
		"light": web.Names(),
		"dark":  {"overview", "rule", "experiment"},
		"phone": {"overview", "rules"},
	}
}

// pictureFile is where a page is shown as it looks.
func pictureFile(name, look string) string {
	if look == "light" {
		return name + ".png"
	}
	return name + "-" + look + ".png"
}

func TestEveryPageIsPicturedInTheDocumentation(t *testing.T) {
	text, err := os.ReadFile("../docs/dashboard.md")
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for look, names := range pictured() {
		for _, name := range names {
			file := pictureFile(name, look)
			want = append(want, file)
			if !strings.Contains(string(text), "(screenshots/"+file+")") {
				t.Errorf("docs/dashboard.md does not show %s", file)
			}
		}
	}
	files, err := os.ReadDir("../docs/screenshots")
	if err != nil {
		t.Fatal(err)
	}
	var size int64
	for _, f := range files {
		about, err := f.Info()
		if err != nil {
			t.Fatal(err)
		}
		got, size = append(got, f.Name()), size+about.Size()
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("there are %q, the pages are %q: task screenshots takes them", got, want)
	}
	if size > 1_500_000 {
		t.Errorf("the pictures weigh %d bytes", size)
	}
}

// Takes the pictures of the documentation (task screenshots): look at each before it is kept.
func TestPicturesForTheDocumentation(t *testing.T) {
	dir := os.Getenv("LEARNLOOP_SHOTS")
	if dir == "" {
		t.Skip("task screenshots takes them")
	}
	s := sit(t)
	s.open(t, "/signin")
	s.keep(t, dir, pictureFile("signin", "light"))
	happened := invented(time.Now())
	s.furnish(t, happened)
	s.settled(t)
	s.signIn(t)
	pages := s.furnished(t)
	s.open(t, "/")
	s.do(t, chromedp.WaitReady("section .figures"))
	for n := range 3 { // something comes in while somebody watches
		s.send(t, happened[:40+30*n]) // again: it counts no more
		s.do(t, chromedp.WaitReady(fmt.Sprintf("main rect.column:nth-of-type(%d)", n+1)))
	}
	for look, names := range pictured() {
		s.do(t, looks()[look]...)
		for _, name := range names {
			if name == "signin" {
				continue
			}
			s.open(t, pages[name])
			s.keep(t, dir, pictureFile(name, look))
			s.quiet(t, name+" "+look)
		}
	}
}

// settled waits until contexts reflect all of the log.
func (s *sitting) settled(tb testing.TB) {
	tb.Helper()
	for {
		var st api.Status
		if err := json.Unmarshal([]byte(s.get(tb, "/api/status")), &st); err != nil {
			tb.Fatal(err)
		}
		if slices.Max(st.Reflected) >= st.Log {
			return
		}
		if tb.Context().Err() != nil {
			tb.Fatal("contexts do not follow the log")
		}
	}
}

// furnished are all pages of a loop with something in it.
func (s *sitting) furnished(tb testing.TB) map[string]string {
	tb.Helper()
	pages := everyPage()
	for list, one := range map[string]string{"rules": "rule", "learnings": "learning", "routing": "task", "templates": "template",
		"experiments": "experiment", "people": "person", "dead-letters": "letter"} {
		s.open(tb, pages[list])
		if pages[one] = told(tb, s, chromedp.Evaluate[string](`document.querySelector("tbody th a")?.getAttribute("href") || ""`)); pages[one] == "" {
			tb.Errorf("%s lists nothing: %s", list, told(tb, s, chromedp.Text("main")))
		}
	}
	maps.Copy(pages, map[string]string{ // what says most
		"rule": "/rule?id=revive%2Funused-parameter", "learning": "/learning?id=learn_migrate",
		"task": "/task?type=fix-bug", "experiment": "/experiment?name=shorter_prompts",
	})
	return pages
}

// mostHigh is how much of a page a picture shows, in pixels.
const mostHigh = 2400

// keep takes a picture of the page and writes it with few colours.
func (s *sitting) keep(tb testing.TB, dir, file string) {
	tb.Helper()
	tall := told(tb, s, chromedp.Evaluate[[]int64](`[innerWidth, Math.max(innerHeight, document.documentElement.scrollHeight)]`))
	if tall[0] > 600 { // on a phone the bars of the browser would change what fits
		s.do(tb, chromedp.EmulateViewport(tall[0], tall[1]))
		defer s.do(tb, chromedp.EmulateViewport(tall[0], 900))
	}
	shot, err := png.Decode(bytes.NewReader(told(tb, s, chromedp.FullScreenshot(100))))
	if err != nil {
		tb.Fatal(err)
	}
	out, err := os.Create(filepath.Join(dir, file))
	if err != nil {
		tb.Fatal(err)
	}
	enc := png.Encoder{CompressionLevel: png.BestCompression}
	if err := cmp.Or(enc.Encode(out, painted(shot)), out.Close()); err != nil {
		tb.Fatal(err)
	}
}

// painted is a picture in the 256 colours it has most of, and as high as it may be.
func painted(shot image.Image) *image.Paletted {
	area := shot.Bounds()
	area.Max.Y = min(area.Max.Y, area.Min.Y+mostHigh)
	count := map[color.RGBA]int{}
	each(area, func(x, y int) { count[rgba(shot, x, y)]++ })
	palette := telling(count)
	index := map[color.RGBA]uint8{}
	for c := range count {
		index[c] = uint8(palette.Index(c))
	}
	out := image.NewPaletted(area, palette)
	each(area, func(x, y int) { out.SetColorIndex(x, y, index[rgba(shot, x, y)]) })
	return out
}

// telling are up to 256 colours in which a picture loses least: each is the one that was
// missed most, by how many dots have it and how far it is from those chosen.
func telling(count map[color.RGBA]int) (palette color.Palette) {
	type candidate struct {
		color.RGBA
		dots, far int
	}
	var list []candidate
	for c, n := range count {
		list = append(list, candidate{c, n, 1 << 20})
	}
	slices.SortFunc(list, func(a, b candidate) int { // the same picture, the same palette
		return cmp.Or(int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B))
	})
	for range min(len(list), 256) {
		next := slices.MaxFunc(list, func(a, b candidate) int { return cmp.Compare(a.dots*a.far, b.dots*b.far) })
		palette = append(palette, next.RGBA)
		for i, c := range list {
			r, g, b := int(c.R)-int(next.R), int(c.G)-int(next.G), int(c.B)-int(next.B)
			list[i].far = min(c.far, r*r+g*g+b*b)
		}
	}
	return palette
}

func each(area image.Rectangle, do func(x, y int)) {
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			do(x, y)
		}
	}
}

func rgba(m image.Image, x, y int) color.RGBA {
	c, _ := color.RGBAModel.Convert(m.At(x, y)).(color.RGBA)
	return c
}
