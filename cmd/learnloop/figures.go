package main

import (
	"fmt"
	"strconv"
	"time"
)

// when writes a moment for people who read many of them below each other.
func when(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format("2006-01-02 15:04:05Z")
}

// percent writes a rate, "-" where there was nothing to divide by.
func percent(rate *float64) string {
	if rate == nil {
		return "-"
	}
	return fmt.Sprintf("%.0f %%", 100**rate)
}

func count(n int64) string { return strconv.FormatInt(n, 10) }
