package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"

	"learnloop.dev/app"

	"github.com/spf13/cobra"
)

// figure is one measured number.
type figure struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
	Aim   string  `json:"aim,omitzero"` // what it should be, on two cores
}

// report is what a run of the benchmark found.
type report struct {
	Machine string   `json:"machine"`
	Events  int      `json:"events"`
	Figures []figure `json:"figures"`
}

// bench measures this program on this machine.
type bench struct {
	sh     *shell
	dir    string
	events int
	rules  int // that they are about
	quick  bool
	report report
}

func (sh *shell) benchCommand() *cobra.Command {
	b := bench{sh: sh}
	c := &cobra.Command{
		Use: "bench", Short: "Measure the loop on this machine",
		Long: "Measures a loop on a temporary folder, encrypted, every append on disk before it is\n" +
			"acknowledged, beside what the log and the store alone can do in the same run.",
		Example: "  learnloop bench\n  learnloop bench --quick --json\n  learnloop bench --events 1000000 --rules 1000",
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case b.rules < 1:
				return misused(cmd, errors.New("--rules: want at least 1"))
			case b.events < b.rules:
				return misused(cmd, fmt.Errorf("--events: want at least %d", b.rules))
			}
			return b.run(cmd.Context())
		},
	}
	c.Flags().IntVar(&b.events, "events", 50_000, "the `number` of events that go through the loop")
	c.Flags().IntVar(&b.rules, "rules", 200, "the `number` of rules they are about")
	c.Flags().BoolVar(&b.quick, "quick", false, "measure for a few seconds only")
	return c
}

func (b *bench) run(ctx context.Context) (err error) {
	ctx, stop := app.Interruptible(ctx)
	defer stop()
	if b.dir, err = os.MkdirTemp("", "learnloop-bench-"); err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.dir)) }()
	if b.quick {
		b.events = min(b.events, 5_000)
	}
	b.report.Events = b.events
	b.report.Machine = fmt.Sprintf("%d cores, %s, %s/%s", runtime.NumCPU(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	for _, part := range []func(context.Context) error{
		b.bareLog, b.bareStore, b.wholeLoop, b.fold, b.idle, b.size,
	} {
		if err := part(ctx); err != nil {
			return fmt.Errorf("bench: %w", err)
		}
	}
	if b.sh.json {
		return b.sh.answerWith(b.report)
	}
	return b.print()
}

func (b *bench) print() error {
	b.sh.sayf("%s\n%s, %d events of about 1 KB over %d rules\n", b.sh.mark(bold, "learnloop bench"),
		b.report.Machine, b.events, b.rules)
	rows := [][]string{{"FIGURE", "MEASURED", "", "AIM"}}
	for _, f := range b.report.Figures {
		rows = append(rows, []string{f.Name, f.number(), f.Unit, f.Aim})
	}
	return b.sh.table(rows)
}

// number writes a value with about three digits that mean something.
func (f figure) number() string {
	switch {
	case f.Value >= 100 || f.Value == float64(int64(f.Value)):
		return fmt.Sprintf("%.0f", f.Value)
	case f.Value >= 1:
		return fmt.Sprintf("%.1f", f.Value)
	}
	return fmt.Sprintf("%.2f", f.Value)
}

// add notes a figure, and says so to whoever waits.
func (b *bench) add(name string, value float64, unit, aim string) {
	f := figure{name, value, unit, aim}
	b.report.Figures = append(b.report.Figures, f)
	if isTerminal(b.sh.err) {
		_, _ = fmt.Fprintf(b.sh.err, "%s: %s %s\n", name, f.number(), unit)
	}
}
