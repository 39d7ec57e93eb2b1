package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"learnloop.dev/app"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"
)

// graceful is how long a stopping loop may take.
const graceful = 10 * time.Second

// settings are what serve was told on its command line.
type settings struct {
	file  string
	pairs []string
	flags map[string]*string // by setting
}

func (sh *shell) serveCommand() *cobra.Command {
	s := settings{flags: map[string]*string{"data": &sh.data}}
	c := &cobra.Command{
		Use:   "serve",
		Short: "Run the whole loop in this process, on one data folder",
		Long: "Runs everything on one data folder that survives restarts, with an embedded NATS server\n" +
			"that any client on this machine can reach. Stop it with Ctrl-C; it stops in an orderly\n" +
			"way too when its terminal is closed, unless it was started with nohup.\n\n" +
			"Every setting, with its default and its variable of the environment, is in docs/settings.md; --set wins\n" +
			"over the environment, which wins over --config.",
		Example: "  learnloop serve\n" +
			"  learnloop serve --data /var/lib/learnloop --http 127.0.0.1:8080\n" +
			"  learnloop serve --nats 127.0.0.1:0 --ready-file ready.json --set privacy.text_mode=full",
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			config, err := app.Load(s.file, sh.environ, s.given(cmd))
			if err != nil {
				return misused(cmd, err)
			}
			return sh.serve(cmd.Context(), config)
		},
	}
	d := app.Default()
	s.flag(c, "http", "listen for HTTP on this `address`; port 0 picks one (LEARNLOOP_HTTP, "+d.HTTP+")")
	s.flag(c, "nats", "listen for NATS on this `address`; port 0 picks one (LEARNLOOP_NATS, "+d.NATS+")")
	s.flag(c, "ready-file", "write the addresses to this `file` when everything answers")
	s.flag(c, "log", "log from this `level` on: debug, info, warn, error ("+d.Log+")")
	c.Flags().StringArrayVar(&s.pairs, "set", nil, "a setting, as `key=value`; may be repeated")
	c.Flags().StringVar(&s.file, "config", "", "read settings from this YAML `file`")
	return c
}

// flag adds a flag that stands for a setting.
func (s *settings) flag(c *cobra.Command, name, usage string) {
	s.flags[name] = c.Flags().String(name, "", usage)
}

// given lists what was set on the command line, as pairs that win over the
// environment.
func (s *settings) given(cmd *cobra.Command) []string {
	pairs := s.pairs
	for name, value := range s.flags {
		if !cmd.Flags().Changed(name) {
			continue
		}
		text, err := json.Marshal(*value) // quoted, so that it stays text
		if err == nil {
			pairs = append(pairs, settingNames[name]+"="+string(text))
		}
	}
	return pairs
}

// settingNames says which setting a flag is.
var settingNames = map[string]string{
	"data": "data", "http": "http", "nats": "nats", "ready-file": "ready_file", "log": "log",
}

// serve runs a loop until somebody asks it to stop; who asks twice does not
// want to wait. Who reads what it says may leave before.
func (sh *shell) serve(ctx context.Context, c app.Config) error {
	ctx, stop := app.Interruptible(ctx)
	defer stop()
	signal.Ignore(syscall.SIGPIPE)
	key := filepath.Join(c.Data, masterFile)
	_, before := os.Stat(key)
	r, err := launch(ctx, c)
	switch {
	case err != nil && ctx.Err() != nil && errors.Is(err, context.Canceled):
		return nil // it was asked to stop before there was anything to stop
	case err != nil:
		return err
	}
	var said error
	if r.up(ctx) {
		_, err := os.Stat(key)
		said = sh.sayServing(r.Loop, c.Data, before != nil && err == nil)
	}
	if said == nil {
		r.wait(ctx)
	}
	defer sh.watchdog()()
	return errors.Join(said, r.stop())
}

// watchdog ends the process unless it is called off in time.
func (sh *shell) watchdog() (callOff func() bool) {
	return time.AfterFunc(graceful, func() {
		sh.complain(fmt.Errorf("stop: not done after %v", graceful))
		os.Exit(exitFailed)
	}).Stop
}

// sayServing tells where the loop is, and to keep the key of a folder that is new.
func (sh *shell) sayServing(l *app.Loop, data string, isNew bool) error {
	at := l.Addresses()
	if full, err := filepath.Abs(data); err == nil {
		data = full
	}
	if sh.json {
		return sh.answerWith(map[string]any{"http": at.HTTP, "nats": at.NATS, "pid": at.PID, "data": data})
	}
	sh.sayf("%s\n", sh.mark(bold, "learnloop is running"))
	sh.sayf("  HTTP   %s", at.HTTP)
	sh.sayf("  NATS   %s", at.NATS)
	sh.sayf("  data   %s", data)
	sh.sayf("\nTo sign a browser in, once, within a quarter of an hour (later: learnloop dashboard):\n  %s", l.SignInLink())
	sh.sayf("\nStop it with Ctrl-C.")
	if isNew {
		sh.sayf("\nThis folder is new. Keep a copy of its %s elsewhere: without it nobody can read the folder again.", masterFile)
	}
	return nil
}
