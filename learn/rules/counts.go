package rules

import (
	"strings"

	"learnloop.dev/events"
	"learnloop.dev/inorder"
	"learnloop.dev/stats"
)

// counts are cells and confidences of a rule that are added up and taken apart.
type counts struct {
	cells      map[cellName]cell
	confidence stats.Calibration
}

// cellName is what tells the cells of a rule apart.
type cellName struct {
	category string
	bulk     bool
}

func (c *counts) take(list []cell, sign int64) {
	for _, in := range list {
		at := cellName{in.Category, in.Bulk}
		own := c.cells[at]
		c.cells[at] = cell{
			Rule: in.Rule, Category: in.Category, Bulk: in.Bulk,
			Tally: own.Tally.plus(in.Tally, sign), Graded: own.Graded + sign*in.Graded, Hits: own.Hits + sign*in.Hits,
		}
	}
}

// out are the counts as they travel.
func (c *counts) out() (to events.ImportedRule) {
	for _, own := range c.cells {
		if own.Tally != (Tally{}) {
			to.Cells = append(to.Cells, events.ImportedCell{
				Category: own.Category, Bulk: own.Bulk, Accepted: own.Tally.Accepted, Modified: own.Tally.Modified,
				Rejected: own.Tally.Rejected, Skipped: own.Tally.Skipped, Graded: own.Graded, Hits: own.Hits,
			})
		}
	}
	inorder.Sort(to.Cells, func(a, b events.ImportedCell) int {
		switch d := strings.Compare(a.Category, b.Category); {
		case d != 0 || a.Bulk == b.Bulk:
			return d
		case a.Bulk:
			return 1
		}
		return -1
	})
	calibrationOut(&c.confidence, &to)
	return to
}

// cellsIn are imported cells as they are counted here.
func cellsIn(d *events.DataImported) (list []cell) {
	for _, in := range d.Counts.Cells {
		list = append(list, cell{
			Rule: string(d.RuleID), Category: in.Category, Bulk: in.Bulk, Graded: in.Graded, Hits: in.Hits,
			Tally: Tally{in.Accepted, in.Modified, in.Rejected, in.Skipped},
		})
	}
	return list
}
