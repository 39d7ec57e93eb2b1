package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"
)

// period is what --from and --to were given.
type period struct{ from, to string }

// flags asks for a period, in words that say what of.
func (p *period) flags(c *cobra.Command, from, to string) {
	c.Flags().StringVar(&p.from, "from", "", from)
	c.Flags().StringVar(&p.to, "to", "", to)
}

// read reads the moments, zero where none was given.
func (p *period) read(cmd *cobra.Command, from, to *time.Time) (err error) {
	if *from, err = moment(p.from); err != nil {
		return misused(cmd, fmt.Errorf("--from: %w", err))
	}
	if *to, err = moment(p.to); err != nil {
		return misused(cmd, fmt.Errorf("--to: %w", err))
	}
	return nil
}

// moment reads a day (UTC) or an exact time; zero for none.
func moment(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q: want 2026-01-31 or 2026-01-31T08:00:00Z", text)
}
