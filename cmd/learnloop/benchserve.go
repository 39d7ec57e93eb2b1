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

// again measures how fast the log is folded anew by a server that lost its state, and
// how soon one that has it is back.
func (b *bench) again(ctx context.Context, data string, total int) error {
	if err := os.RemoveAll(filepath.Join(data, "state")); err != nil {
		return err
	}
	s, err := b.serving(ctx, data)
	if err != nil {
		return err
	}
	b.add("log folded again, with start", rate(total, s.took), "events/s", "≥ 50000")
	err = b.peak("log folded again, resident at most", s.Process.Pid)
	s.end()
	if err != nil {
		return err
	}
	if s, err = b.serving(ctx, data); err != nil {
		return err
	}
	defer s.end()
	b.add("restart to ready", millis(s.took), "ms", "≤ 3000")
	return b.peak("restart to ready, resident at most", s.Process.Pid)
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
