package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// idle measures a server that has nothing to do, as a process of its own.
func (b *bench) idle(ctx context.Context) error {
	s, err := b.serving(ctx, filepath.Join(b.dir, "idle"))
	if err != nil {
		return err
	}
	defer s.end()
	b.add("serve, from start to ready", millis(s.took), "ms", "")
	return b.observe(ctx, s.Process.Pid)
}

// observe reads what Linux knows about a process; elsewhere nothing is added.
func (b *bench) observe(ctx context.Context, pid int) error {
	rest, span := 10*time.Second, 20*time.Second // the clock it is read by ticks a hundred times a second
	if b.quick {
		rest, span = time.Second, 2*time.Second
	}
	if err := pause(ctx, rest); err != nil { // for what follows the start
		return err
	}
	before, err := processTime(pid)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = pause(ctx, span)
	}
	if err != nil {
		return err
	}
	after, err := processTime(pid)
	if err != nil {
		return err
	}
	resident, err := processResident(pid)
	if err != nil {
		return err
	}
	b.add("idle serve, resident", float64(resident)/1e6, "MB", "≤ 80")
	b.add("idle serve, CPU", 100*(after-before).Seconds()/span.Seconds(), "%", "< 1")
	return nil
}

// processTime is the CPU time of a process.
func processTime(pid int) (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(text), ") ") // the name may hold spaces
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0, fmt.Errorf("read CPU time of %d: %d fields", pid, len(fields))
	}
	user, uerr := strconv.Atoi(fields[11])
	system, serr := strconv.Atoi(fields[12])
	const perSecond = 100 // the unit of this file on every Linux
	return time.Duration(user+system) * time.Second / perSecond, errors.Join(uerr, serr)
}

// processResident is the memory of a process, in bytes.
func processResident(pid int) (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0, fmt.Errorf("read memory of %d: %d fields", pid, len(fields))
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize()), err
}

// size is that of this program.
func (b *bench) size(context.Context) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	info, err := os.Stat(self)
	if err != nil {
		return err
	}
	b.add("program", float64(info.Size())/1e6, "MB", "≤ 45 stripped")
	return nil
}
