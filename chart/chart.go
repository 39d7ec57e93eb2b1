// Package chart draws what is known of a difference while evidence comes in, as SVG that
// stands by itself: no script, no style sheet, no font of its own.
package chart

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
)

// Point is what is known after so many outcomes.
type Point struct {
	N     int64   `json:"n"`
	Value float64 `json:"value"` // the estimate
	Lower float64 `json:"lower"` // of its interval
	Upper float64 `json:"upper"`
}

// The drawing, in pixels.
const (
	width, height = 640, 320
	left, right   = 64, 16
	top, bottom   = 40, 40
	marks         = 5 // on the axis of values
)

// Sequence draws an estimate with its interval over the number of outcomes; zero is drawn
// as no difference. Points that are no numbers are left out. The title is text.
func Sequence(title string, points []Point) []byte {
	s := scaleOf(points)
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" font-family="sans-serif" font-size="12">`, width, height)
	say(`<title>%s</title><rect width="100%%" height="100%%" fill="#fff"/>`, html.EscapeString(title))
	say(`<text x="%d" y="22" font-size="14">%s</text>`, left, html.EscapeString(title))
	if len(s.points) == 0 {
		say(`<text x="%d" y="%d" fill="#555">nothing is known yet</text></svg>`, left, height/2)
		return []byte(b.String())
	}
	s.axes(say)
	say(`<polygon points="%s" fill="#9bc" fill-opacity=".5"/>`, s.band())
	say(`<line x1="%d" x2="%d" y1="%s" y2="%s" stroke="#000" stroke-dasharray="4 3"/>`, left, width-right, s.y(0), s.y(0))
	say(`<polyline points="%s" fill="none" stroke="#146" stroke-width="2"/>`, s.line())
	say(`</svg>`)
	return []byte(b.String())
}

// scale places points on the drawing.
type scale struct {
	points    []Point
	n         int64 // the most outcomes
	low, high float64
}

func scaleOf(points []Point) scale {
	var s scale
	for _, p := range points {
		if p.N <= 0 || !number(p.Value) || !number(p.Lower) || !number(p.Upper) {
			continue
		}
		s.points, s.n = append(s.points, p), max(s.n, p.N)
		s.low, s.high = min(s.low, p.Lower, p.Value), max(s.high, p.Upper, p.Value)
	}
	if s.high == s.low {
		s.low, s.high = s.low-1, s.high+1
	}
	return s
}

// number reports whether a number can be placed: none as great as the greatest there are.
func number(x float64) bool { return math.Abs(x) < math.MaxFloat64/marks }

func (s scale) x(n int64) string {
	return pixel(left + float64((width-left-right)*float64(float64(n)/float64(s.n))))
}

func (s scale) y(v float64) string {
	return pixel(height - bottom - float64((height-top-bottom)*float64((v-s.low)/(s.high-s.low))))
}

// pixel is a place to a tenth of a pixel.
func pixel(at float64) string { return strconv.FormatFloat(at, 'f', 1, 64) }

func (s scale) axes(say func(string, ...any)) {
	for i := range marks {
		v := s.low + float64((s.high-s.low)*float64(i))/(marks-1)
		say(`<line x1="%d" x2="%d" y1="%s" y2="%s" stroke="#ddd"/>`, left, width-right, s.y(v), s.y(v))
		say(`<text x="%d" y="%s" text-anchor="end" fill="#555">%.3g</text>`, left-6, s.y(v), v)
	}
	say(`<text x="%d" y="%d" fill="#555">0</text>`, left, height-bottom+18)
	say(`<text x="%d" y="%d" text-anchor="end" fill="#555">%d outcomes</text>`, width-right, height-bottom+18, s.n)
}

func (s scale) line() string {
	var b strings.Builder
	for _, p := range s.points {
		b.WriteString(s.x(p.N) + "," + s.y(p.Value) + " ")
	}
	return strings.TrimSpace(b.String())
}

// band goes along the upper ends and back along the lower ones.
func (s scale) band() string {
	var there, back []string
	for i, p := range s.points {
		there = append(there, s.x(p.N)+","+s.y(p.Upper))
		last := s.points[len(s.points)-1-i]
		back = append(back, s.x(last.N)+","+s.y(last.Lower))
	}
	return strings.Join(append(there, back...), " ")
}
