package main

import (
	"fmt"
	"slices"
	"strconv"

	"learnloop.dev/api"

	"github.com/spf13/cobra"
)

func (sh *shell) statusCommand() *cobra.Command {
	return &cobra.Command{
		Use: "status", Short: "Show how the loop is doing", Args: exactly(),
		Example: "  learnloop status\n  learnloop status --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return sh.call(cmd.Context(), "status", nil, reading(sh.showStatus))
		},
	}
}

func (sh *shell) showStatus(s api.Status) error {
	state := sh.mark(green, "ready")
	if !s.Ready {
		state = sh.mark(red, "not ready: "+s.Waiting)
	}
	sh.sayf("learnloop %s is %s", s.Version, state)
	sh.sayf("log: %d partitions, last sequence %d, contexts current up to %d\n", s.Partitions, s.Log, slices.Max(append(s.Reflected, 0)))
	rows := [][]string{{"STREAM", "MESSAGES", "SIZE", "WAITING", "IN HAND"}}
	for _, stream := range s.Streams {
		rows = append(rows, streamRow(stream))
	}
	return sh.table(rows)
}

// streamRow sums up what the readers of a stream have before them.
func streamRow(s api.StreamStatus) []string {
	var pending uint64
	var unacked int
	for _, c := range s.Consumers {
		pending, unacked = max(pending, c.Pending), unacked+c.Unacked
	}
	return []string{s.Name, strconv.FormatUint(s.Messages, 10), bytesText(s.Bytes),
		strconv.FormatUint(pending, 10), strconv.Itoa(unacked)}
}

// bytesText writes a size the way people say it.
func bytesText(n uint64) string {
	const kib = 1 << 10
	size, unit := float64(n), "B"
	for _, larger := range []string{"KiB", "MiB", "GiB", "TiB"} {
		if size < kib {
			break
		}
		size, unit = size/kib, larger
	}
	if unit == "B" {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.1f %s", size, unit)
}
