package web

import (
	"math"
	"strconv"
	"strings"

	h "learnloop.dev/web/markup"
)

// x writes a coordinate.
func x(v float64) string { return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64) }

// spot is a place of a drawing.
type spot struct{ x, y float64 }

// line is a straight line of a drawing.
func line(class string, from, to spot) h.Node {
	return h.El("line", h.At("class", class), h.At("x1", x(from.x)), h.At("y1", x(from.y)), h.At("x2", x(to.x)), h.At("y2", x(to.y)))
}

func dot(cx, cy, r float64) h.Node {
	return h.El("circle", h.At("class", "dot"), h.At("cx", x(cx)), h.At("cy", x(cy)), h.At("r", x(r)))
}

// words are text in a drawing.
func words(cx, cy float64, anchor, text string) h.Node {
	return h.El("text", h.At("x", x(cx)), h.At("y", x(cy)), h.At("text-anchor", anchor), h.Text(text))
}

// scale is a range of values on a width.
type scale struct{ low, high, from, to float64 }

// at is where a value lies; what lies outside lies at the edge.
func (s scale) at(v float64) float64 {
	if s.high <= s.low {
		return s.from
	}
	share := (v - s.low) / (s.high - s.low)
	return s.from + min(max(share, 0), 1)*(s.to-s.from)
}

// bar draws an estimate with its interval on a scale; the text beside it says the same.
func bar(estimate, lower, upper float64, s scale) h.Node {
	s.from, s.to = 6, 114
	parts := []h.Part{
		h.At("class", "bar"), h.At("viewBox", "0 0 120 14"), h.At("width", "120"), h.At("height", "14"), h.At("aria-hidden", "true"),
		line("rail", spot{4, 7}, spot{116, 7}),
	}
	if s.low < 0 && s.high > 0 {
		parts = append(parts, line("zero", spot{s.at(0), 0}, spot{s.at(0), 14}))
	}
	parts = append(parts, line("span", spot{s.at(lower), 7}, spot{s.at(upper), 7}), dot(s.at(estimate), 7, 3.5))
	return h.El("svg", parts...)
}

// length draws a share as a bar; the number beside it says the same.
func length(share float64) h.Node {
	return h.El("svg", h.At("class", "bar"), h.At("viewBox", "0 0 120 14"), h.At("width", "120"), h.At("height", "14"), h.At("aria-hidden", "true"),
		h.El("rect", h.At("class", "column"), h.At("x", "0"), h.At("y", "3"), h.At("rx", "2"), h.At("width", x(120*min(max(share, .02), 1))), h.At("height", "8")))
}

// shares are 0 to 1.
func shares() scale { return scale{low: 0, high: 1} }

// around is a scale with zero in its middle that an interval fits into.
func around(values ...float64) scale {
	var most float64
	for _, v := range values {
		if !math.IsInf(v, 0) && !math.IsNaN(v) {
			most = max(most, math.Abs(v))
		}
	}
	if most == 0 {
		most = 1
	}
	return scale{low: -most * 1.1, high: most * 1.1}
}

// point is one of a plot: a value, and what it may be.
type point struct {
	at                  float64 // where it stands, from left to right
	label               string
	value, lower, upper float64
}

// plot is how a value went, with its interval.
type plot struct {
	says      string // what it shows, in words
	points    []point
	low, high float64
	marks     []float64            // values with a line of their own
	tell      func(float64) string // writes a mark
}

// shareOver is how a share went.
func shareOver(says string, points []point) h.Node {
	return plot{says, points, 0, 1, []float64{0, .25, .5, .75, 1}, func(v float64) string { return percent(&v) }}.node()
}

// The size of a drawing, and the room for its labels. Phones get one of their own: text
// in a drawing shrinks with it.
const (
	wide, narrow, high = 760.0, 300.0, 200.0
	bottomRoom         = 24.0
	topRoom            = 10.0
)

// node draws it twice, of which a screen shows one.
func (p plot) node() h.Node {
	return h.El("div", h.At("class", "plot"), p.drawn("roomy", wide), p.drawn("tight", narrow))
}

func (p plot) drawn(class string, width float64) h.Node {
	left := 0.0
	for _, m := range p.marks {
		left = max(left, float64(len([]rune(p.tell(m))))*6.5+8)
	}
	across := scale{from: left, to: width - 6}
	for i, is := range p.points {
		if i == 0 {
			across.low = is.at
		}
		across.high = max(across.high, is.at)
	}
	up := scale{p.low, p.high, high - bottomRoom, topRoom}
	parts := drawing("chart "+class, p.says, width, high)
	for _, m := range p.marks {
		y, class := up.at(m), "grid"
		if m == 0 && p.low < 0 {
			class = "none"
		}
		parts = append(parts, line(class, spot{left, y}, spot{width - 6, y}), words(left-8, y+4, "end", p.tell(m)))
	}
	parts = append(parts, p.band(across, up), p.curve(across, up))
	return h.El("svg", append(parts, p.ends(across)...)...)
}

// band is what the values may be, along the upper ends and back along the lower ones.
func (p plot) band(across, up scale) h.Node {
	var b strings.Builder
	for _, is := range p.points {
		b.WriteString(x(across.at(is.at)) + "," + x(up.at(is.upper)) + " ")
	}
	for i := range p.points {
		is := p.points[len(p.points)-1-i]
		b.WriteString(x(across.at(is.at)) + "," + x(up.at(is.lower)) + " ")
	}
	return h.El("polygon", h.At("class", "band"), h.At("points", strings.TrimSpace(b.String())))
}

// mostDots is how many points are told apart.
const mostDots = 40

func (p plot) curve(across, up scale) h.Node {
	var path strings.Builder
	var dots []h.Node
	for i, is := range p.points {
		command := "L"
		if i == 0 {
			command = "M"
		}
		path.WriteString(command + x(across.at(is.at)) + " " + x(up.at(is.value)))
		if len(p.points) <= mostDots || i == len(p.points)-1 {
			dots = append(dots, dot(across.at(is.at), up.at(is.value), 2.5))
		}
	}
	return h.Join(h.El("path", h.At("class", "curve"), h.At("d", path.String())), h.Join(dots...))
}

// ends are the labels of the first and the last point.
func (p plot) ends(across scale) []h.Part {
	if len(p.points) == 0 {
		return nil
	}
	first, last := p.points[0], p.points[len(p.points)-1]
	out := []h.Part{words(across.to, high-4, "end", last.label)}
	if len(p.points) > 1 && first.label != last.label {
		out = append(out, words(across.from, high-4, "start", first.label))
	}
	return out
}

// drawing begins a drawing.
func drawing(class, says string, width, height float64) []h.Part {
	return []h.Part{
		h.At("class", class), h.At("viewBox", "0 0 "+x(width)+" "+x(height)), h.At("width", x(width)), h.At("height", x(height)),
		h.At("role", "img"), h.At("aria-label", says),
	}
}

// columns draws values side by side, the newest at the right.
func columns(says string, values []float64) h.Node {
	const width, height = 480.0, 72.0
	var most float64
	for _, v := range values {
		most = max(most, v)
	}
	up := scale{low: 0, high: max(most, 1), from: height - 2, to: 6}
	parts := append(drawing("chart", says, width, height), line("grid", spot{0, height - 1.5}, spot{width, height - 1.5}))
	const step = width / mostSeen
	for i, v := range values {
		if v <= 0 {
			continue
		}
		left, top := width-float64(len(values)-i)*step, up.at(v)
		parts = append(parts, h.El("rect", h.At("class", "column"), h.At("x", x(left+1)), h.At("y", x(top)),
			h.At("width", x(step-2)), h.At("height", x(height-2-top))))
	}
	return h.El("svg", parts...)
}
