package main

import (
	"fmt"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
)

// progress shows how far a replay is, on a terminal only.
type progress struct {
	bar   *progressbar.ProgressBar // nil where nobody watches
	start time.Time
}

// progress measures the files and starts a bar for them.
func (sh *shell) progress(files []string) (*progress, error) {
	total, err := sizeOf(files)
	if err != nil || !isTerminal(sh.err) {
		return &progress{}, err
	}
	return sh.bar(total, "replay", progressbar.OptionShowBytes(true)), nil
}

// waiting starts a bar for events that are on their way into the contexts.
func (sh *shell) waiting(events int) *progress {
	return sh.counting(int64(events), "into the contexts", "events")
}

// counting starts a bar for so many things.
func (sh *shell) counting(total int64, what, things string) *progress {
	if !isTerminal(sh.err) {
		return &progress{}
	}
	return sh.bar(total, what, progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetItsString(things))
}

func (sh *shell) bar(total int64, what string, more ...progressbar.Option) *progress {
	options := append([]progressbar.Option{
		progressbar.OptionSetWriter(sh.err), progressbar.OptionThrottle(refresh), progressbar.OptionSetWidth(barWidth),
		progressbar.OptionClearOnFinish(), progressbar.OptionSetDescription(what),
	}, more...)
	return &progress{start: time.Now(), bar: progressbar.NewOptions64(total, options...)}
}

const (
	refresh  = 100 * time.Millisecond
	barWidth = 20 // so that a line holds everything in 80 columns
)

// sizeOf is how many bytes will be read, -1 when that cannot be known.
func sizeOf(files []string) (total int64, err error) {
	for _, name := range files {
		if name == stdin {
			return -1, nil
		}
		info, err := os.Stat(name)
		if err != nil {
			return 0, fmt.Errorf("open events: %w", err)
		}
		if info.IsDir() {
			return 0, fmt.Errorf("open events: %s is a folder", name)
		}
		if !info.Mode().IsRegular() {
			return -1, nil
		}
		total += info.Size()
	}
	return total, nil
}

// read is told about bytes that were read.
func (p *progress) read(n int) {
	if p.bar != nil {
		_ = p.bar.Add(n) // a bar that cannot be drawn is no reason to stop
	}
}

// sent is told how many events were sent.
func (p *progress) sent(n int) {
	if p.bar != nil {
		rate := float64(n) / time.Since(p.start).Seconds()
		p.bar.Describe(fmt.Sprintf("%d events, %.0f/s", n, rate))
	}
}

// known is told of how many events it is known what became of them.
func (p *progress) known(n int) {
	if p.bar != nil {
		_ = p.bar.Set(n) // see read
	}
}

func (p *progress) end() {
	if p.bar != nil {
		_ = p.bar.Finish() // see read
	}
}
