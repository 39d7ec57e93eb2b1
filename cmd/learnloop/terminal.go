package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"unicode/utf8"

	"learnloop.dev/api"
	"learnloop.dev/app"

	"golang.org/x/term"
)

// browsePatterns lets somebody look through patterns, and delete some, until they leave.
func (sh *shell) browsePatterns(ctx context.Context) error {
	screen, ok := sh.in.(*os.File)
	if !ok || !term.IsTerminal(int(screen.Fd())) {
		return errors.New("--tui needs a terminal: learnloop learned list works anywhere")
	}
	l, err := sh.connect()
	if err != nil {
		return err
	}
	defer l.close()
	restore, err := sh.takeOver(screen)
	if err != nil {
		return err
	}
	defer restore()
	ctx, stop := app.Interruptible(ctx)
	defer stop()
	defer context.AfterFunc(ctx, func() { // nothing ends the waiting for a key
		restore()
		os.Exit(exitInterrupted)
	})()
	return l.advise(sh.browse(ctx, l, screen))
}

// takeOver makes a terminal tell each key and show another screen. What restores it
// works once, whoever calls it.
func (sh *shell) takeOver(screen *os.File) (restore func(), err error) {
	before, err := term.MakeRaw(int(screen.Fd()))
	if err != nil {
		return nil, fmt.Errorf("take over the terminal: %w", err)
	}
	_, _ = io.WriteString(sh.out, enterScreen) // drawing tells
	return sync.OnceFunc(func() {
		_, _ = io.WriteString(sh.out, leaveScreen)
		_ = term.Restore(int(screen.Fd()), before)
	}), nil
}

// What a terminal is told: another screen without a cursor, and back.
const (
	enterScreen = "\x1b[?1049h\x1b[?25l"
	leaveScreen = "\x1b[?25h\x1b[?1049l"
	clearScreen = "\x1b[H\x1b[2J"
)

func (sh *shell) browse(ctx context.Context, l *loop, screen *os.File) error {
	b, next, typed := &browser{}, reload, keys{from: screen}
	for {
		if err := l.grant(ctx, b, next); err != nil {
			return err
		}
		width, height, err := term.GetSize(int(screen.Fd()))
		if err != nil || width == 0 || height == 0 {
			width, height = 100, 30
		}
		if _, err := io.WriteString(sh.out, clearScreen+strings.Join(b.view(width, height), "\r\n")); err != nil {
			return fmt.Errorf("draw: %w", err)
		}
		key, err := typed.next()
		if err != nil {
			return nil //nolint:nilerr // whoever closes the terminal leaves
		}
		if next = b.press(key); next == leave {
			return nil
		}
	}
}

// grant does what a key asked for. What may not be deleted is told, and ends nothing.
func (l *loop) grant(ctx context.Context, b *browser, w wish) error {
	if w == nothing {
		return nil
	}
	if p, ok := b.chosen(); ok && w == remove {
		err := l.client.Call(ctx, "patterns.delete", api.PatternArgs{Type: string(p.Type), Key: p.Key}, nil)
		b.note = "forgot " + p.Key
		if err != nil {
			b.note = err.Error()
		}
	}
	var found struct {
		Total    int            `json:"total"`
		Patterns []shownPattern `json:"patterns"`
	}
	if err := l.client.Call(ctx, "patterns.list", b.query(), &found); err != nil {
		return err
	}
	b.show(found.Patterns, found.Total)
	return nil
}

// keys reads keys: a terminal hands over the bytes of one key together, and of several
// when somebody types faster than we draw.
type keys struct {
	from    io.Reader
	pending []byte
}

// next is one key: a character, or the name of another one.
func (k *keys) next() (string, error) {
	if len(k.pending) == 0 {
		buf := make([]byte, 64)
		n, err := k.from.Read(buf)
		if err != nil {
			return "", err
		}
		k.pending = buf[:n]
	}
	switch k.pending[0] {
	case '\r', '\n':
		return k.take(1, keyEnter), nil
	case 0x7f, '\b':
		return k.take(1, keyErase), nil
	case 0x1b:
		return k.sequence(), nil
	}
	_, size := utf8.DecodeRune(k.pending)
	return k.take(size, string(k.pending[:size])), nil
}

func (k *keys) take(bytes int, key string) string {
	k.pending = k.pending[bytes:]
	return key
}

// sequence is an arrow or another key that moves, or the key that sequences begin with.
func (k *keys) sequence() string {
	if len(k.pending) < 3 || k.pending[1] != '[' && k.pending[1] != 'O' {
		return k.take(1, keyEscape)
	}
	end := 2
	for end < len(k.pending)-1 && k.pending[end] < '@' { // parameters
		end++
	}
	named := map[string]string{
		"A": keyUp, "B": keyDown, "H": keyHome, "F": keyEnd, "1~": keyHome, "4~": keyEnd, "7~": keyHome, "8~": keyEnd,
		"5~": keyPageUp, "6~": keyPageDown,
	}
	return k.take(end+1, named[string(k.pending[2:end+1])])
}
