package search

import "slices"

// column holds one value per document, each value once.
type column struct {
	values []string // sorted
	codes  []uint16 // by document
}

// noCode is what no document of a column has.
const noCode = 1<<16 - 1

// code returns what stands for a value in this column.
func (c *column) code(value string) uint16 {
	if i, ok := slices.BinarySearch(c.values, value); ok {
		return uint16(i)
	}
	return noCode
}

// joinColumns builds the column of a merged segment from those of its parts.
func joinColumns(from []*column, moved [][]uint16, docs int) column {
	joined := column{codes: make([]uint16, docs)}
	recode := make([][]uint16, len(from))
	for i, c := range from {
		recode[i] = make([]uint16, len(c.values))
	}
	values := make([]sorted, len(from))
	for i, c := range from {
		values[i] = sorted{len(c.values), func(j int) string { return c.values[j] }}
	}
	weave(values, func(value string, at []place) {
		for _, p := range at {
			recode[p.list][p.index] = uint16(len(joined.values))
		}
		joined.values = append(joined.values, value)
	})
	for i, c := range from {
		for doc, code := range c.codes {
			if to := moved[i][doc]; to != gone {
				joined.codes[to] = recode[i][code]
			}
		}
	}
	return joined
}
