package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// served is a server of the benchmark's, as a process of its own.
type served struct {
	*exec.Cmd
	took time.Duration // from its start until it was ready
	cpu  time.Duration // meanwhile, 0 where nobody knows
}

// serving starts a server on a folder and returns when it is ready. Whoever starts it
// ends it.
func (b *bench) serving(ctx context.Context, data string) (*served, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	ready := filepath.Join(b.dir, "ready.json")
	s := &served{Cmd: exec.CommandContext(ctx, self, //nolint:gosec // this very program
		"serve", "--data", data, "--ready-file", ready, "--http", "127.0.0.1:0", "--nats", "127.0.0.1:0", "--log", "error")}
	s.Cancel = func() error { return s.Process.Signal(os.Interrupt) }
	begin := time.Now()
	if err := s.Start(); err != nil {
		return nil, err
	}
	if err := thereIs(ctx, ready); err != nil {
		s.end()
		return nil, fmt.Errorf("wait for a server to be ready: %w", err)
	}
	s.took = time.Since(begin)
	return s, nil
}

// thereIs waits for a file.
func thereIs(ctx context.Context, file string) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	for {
		if _, err := os.Stat(file); err == nil {
			return nil
		}
		if err := pause(ctx, 5*time.Millisecond); err != nil {
			return err
		}
	}
}

// end stops the server and returns when everything is on disk.
func (s *served) end() {
	_ = s.Process.Signal(os.Interrupt) // it may have ended
	_ = s.Wait()                       // how it ends is measured elsewhere
}

// again measures how fast a log of decisions is folded anew by a server that lost its
// state, and how soon one that has it is back. What the second one takes is the start;
// what the first takes more is the folding.
func (b *bench) again(ctx context.Context, data string, total int) error {
	if err := os.RemoveAll(filepath.Join(data, "state")); err != nil {
		return err
	}
	anew, err := b.started(ctx, data, "log folded again, resident at most")
	if err != nil {
		return err
	}
	back, err := b.started(ctx, data, "restart to ready, resident at most")
	if err != nil {
		return err
	}
	b.add("log folded again", rate(total, max(anew.took-back.took, time.Millisecond)), "events/s", "≥ 50000")
	b.add("log folded again, with start", rate(total, anew.took), "events/s", "")
	if anew.cpu > 0 {
		b.add("log folded again, CPU", micros(max(anew.cpu-back.cpu, 0), total), "µs/event", "")
	}
	b.add("restart to ready", millis(back.took), "ms", "≤ 3000")
	return nil
}

// started measures a server on a folder, until it is ready, and ends it.
func (b *bench) started(ctx context.Context, data, resident string) (*served, error) {
	s, err := b.serving(ctx, data)
	if err != nil {
		return nil, err
	}
	defer s.end()
	if s.cpu, err = processTime(s.Process.Pid); errors.Is(err, fs.ErrNotExist) {
		err = nil // nobody knows
	}
	if err != nil {
		return nil, err
	}
	return s, b.peak(resident, s.Process.Pid)
}

// peak adds the most memory that a process had; where nobody knows, nothing.
func (b *bench) peak(name string, pid int) error {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	line, _, _ := strings.Cut(rest, " kB")
	kilobytes, err := strconv.ParseFloat(strings.TrimSpace(line), 64)
	if err != nil {
		return fmt.Errorf("read memory of %d: %w", pid, err)
	}
	b.add(name, kilobytes*1024/1e6, "MB", "≤ 400")
	return nil
}
