package web_test

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// palettes are the colours of the style sheet by name, for light and for dark.
func palettes(t *testing.T) (light, dark map[string]string) {
	t.Helper()
	data, err := os.ReadFile("assets/style.css")
	if err != nil {
		t.Fatal(err)
	}
	before, after, found := strings.Cut(string(data), "@media (prefers-color-scheme: dark)")
	if !found {
		t.Fatal("the style sheet has no dark side")
	}
	after, _, _ = strings.Cut(after, "* {")
	colour := regexp.MustCompile(`--([a-z-]+): (#[0-9a-f]{6});`)
	read := func(text string) map[string]string {
		out := map[string]string{}
		for _, m := range colour.FindAllStringSubmatch(text, -1) {
			out[m[1]] = m[2]
		}
		return out
	}
	return read(before), read(after)
}

// luminance is that of WCAG 2.
func luminance(colour string) float64 {
	var sum float64
	for i, weight := range []float64{.2126, .7152, .0722} {
		n, _ := strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8)
		c := float64(n) / 255
		if c <= .04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}

func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + .05) / (min(x, y) + .05)
}

func TestColoursCanBeReadByDayAndByNight(t *testing.T) {
	light, dark := palettes(t)
	if len(light) != len(dark) || len(light) < 10 {
		t.Fatalf("%d light colours, %d dark ones", len(light), len(dark))
	}
	texts := []string{"ink on ground", "ink on sheet", "minor on ground", "minor on sheet", "accent on ground", "accent on sheet",
		"on-accent on accent", "good on good-ground", "bad on bad-ground", "warn on warn-ground", "bad on sheet"}
	controls := []string{"edge on sheet", "edge on ground", "accent on sheet", "accent on ground"}
	for name, colours := range map[string]map[string]string{"light": light, "dark": dark} {
		for least, pairs := range map[float64][]string{4.5: texts, 3: controls} {
			for _, pair := range pairs {
				over, under, _ := strings.Cut(pair, " on ")
				if got := contrast(colours[over], colours[under]); got < least {
					t.Errorf("%s: %s has a contrast of %.2f, %.1f is needed", name, pair, got, least)
				}
			}
		}
	}
	if got := fmt.Sprintf("%.2f", contrast("#777777", "#ffffff")); got != "4.48" {
		t.Errorf("grey on white has %s: the formula is wrong", got)
	}
}
