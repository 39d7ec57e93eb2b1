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

// label is text in a drawing.
func label(cx, cy float64, anchor, text string) h.Node {
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

// point is one of a curve.
type point struct {
	label string
	value float64
}

// The size of a drawing, and the room for its labels.
const (
	drawWidth, drawHeight = 640.0, 180.0
	leftRoom, bottomRoom  = 44.0, 22.0
	topRoom               = 10.0
)

// curve draws values over time, on a scale of shares; says is what it shows, in words.
func curve(says string, points []point) h.Node {
	across := scale{low: 0, high: float64(max(len(points)-1, 1)), from: leftRoom, to: drawWidth - 8}
	up := scale{low: 0, high: 1, from: drawHeight - bottomRoom, to: topRoom}
	parts := drawing(says)
	for _, share := range []float64{0, .5, 1} {
		parts = append(parts, line("grid", spot{leftRoom, up.at(share)}, spot{drawWidth - 8, up.at(share)}),
			label(leftRoom-6, up.at(share)+4, "end", percent(&share)))
	}
	var path strings.Builder
	for i, p := range points {
		path.WriteString([...]string{"L", "M"}[btoi(i == 0)] + x(across.at(float64(i))) + " " + x(up.at(p.value)))
	}
	parts = append(parts, h.El("path", h.At("class", "curve"), h.At("d", path.String())))
	for i, p := range points {
		parts = append(parts, dot(across.at(float64(i)), up.at(p.value), 2.5))
	}
	return h.El("svg", append(parts, ends(points)...)...)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// drawing begins a drawing.
func drawing(says string) []h.Part {
	return []h.Part{
		h.At("class", "chart"), h.At("viewBox", "0 0 "+x(drawWidth)+" "+x(drawHeight)), h.At("width", x(drawWidth)), h.At("height", x(drawHeight)),
		h.At("role", "img"), h.At("aria-label", says),
	}
}

// ends are the labels of the first and the last point.
func ends(points []point) []h.Part {
	if len(points) == 0 {
		return nil
	}
	last := points[len(points)-1]
	out := []h.Part{label(drawWidth-8, drawHeight-4, "end", last.label)}
	if len(points) > 1 {
		out = append(out, label(leftRoom, drawHeight-4, "start", points[0].label))
	}
	return out
}

// columns draws values side by side, the newest at the right.
func columns(says string, values []float64) h.Node {
	var most float64
	for _, v := range values {
		most = max(most, v)
	}
	up := scale{low: 0, high: max(most, 1), from: 60, to: 6}
	parts := []h.Part{
		h.At("class", "chart"), h.At("viewBox", "0 0 640 64"), h.At("width", "640"), h.At("height", "64"), h.At("role", "img"), h.At("aria-label", says),
		line("grid", spot{0, 60.5}, spot{640, 60.5}),
	}
	const step = 640.0 / mostSeen
	for i, v := range values {
		if v <= 0 {
			continue
		}
		left, top := 640-float64(len(values)-i)*step, up.at(v)
		parts = append(parts, h.El("rect", h.At("class", "column"), h.At("x", x(left+.5)), h.At("y", x(top)),
			h.At("width", x(step-1)), h.At("height", x(60-top))))
	}
	return h.El("svg", parts...)
}
