package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"
)

// Exit codes of the commands.
const (
	exitFailed = 1
	exitUsage  = 2
)

// stopTime is how long a stopping process may take.
const stopTime = 10 * time.Second

// Main runs one stage as a command and returns its exit code.
func Main(role Role, about string, args []string, complaints io.Writer) int {
	var m staged
	c := &cobra.Command{
		Use: string(role), Short: about, Args: cobra.NoArgs, SilenceErrors: true, SilenceUsage: true,
		Example: "  " + string(role) + " --server nats://nats.internal:4222 --creds stage.creds --data /var/lib/learnloop",
		Version: Version(),
		RunE:    func(cmd *cobra.Command, _ []string) error { return m.run(cmd, role) },
	}
	c.SetArgs(args)
	c.SetErr(complaints)
	m.flags(c, Default())
	err := c.Execute()
	if err == nil {
		return 0
	}
	_, _ = fmt.Fprintf(complaints, "%s: %v\n", role, err) // the exit code says it too
	hint, code := HintOf(err), exitFailed
	if !m.started {
		hint, code = cmp.Or(hint, "see "+string(role)+" --help"), exitUsage
	}
	if hint != "" {
		_, _ = fmt.Fprintf(complaints, "hint: %s\n", hint)
	}
	return code
}

// staged is the command line of one stage.
type staged struct {
	file    string
	pairs   []string
	plain   map[string]*string
	started bool
}

func (m *staged) flags(c *cobra.Command, d Config) {
	f := c.Flags()
	m.plain = map[string]*string{
		"server":     f.String("server", d.Server, "the NATS `URL`"),
		"creds":      f.String("creds", "", "credentials `file` of this stage"),
		"data":       f.String("data", d.Data, "`folder` for keys and state"),
		"http":       f.String("http", d.HTTP, "listen for HTTP on this `address`"),
		"ready_file": f.String("ready-file", "", "write the addresses to this `file` when everything answers"),
		"log":        f.String("log", d.Log, "log from this `level` on: debug, info, warn, error"),
	}
	f.StringArrayVar(&m.pairs, "set", nil, "a setting, as `key=value`; may be repeated")
	f.StringVar(&m.file, "config", "", "read settings from this YAML `file`")
}

// config reads everything that was given.
func (m *staged) config(c *cobra.Command) (Config, error) {
	pairs := m.pairs
	for name, value := range m.plain {
		flag := name
		if name == "ready_file" {
			flag = "ready-file"
		}
		if c.Flags().Changed(flag) {
			quoted, err := json.Marshal(*value)
			if err != nil {
				return Config{}, fmt.Errorf("read --%s: %w", flag, err)
			}
			pairs = append(pairs, name+"="+string(quoted))
		}
	}
	return Load(m.file, Environ(), pairs)
}

// run works until it is asked to stop.
func (m *staged) run(c *cobra.Command, role Role) error {
	config, err := m.config(c)
	if err != nil {
		return err
	}
	log, err := NewLogger(config.Log)
	if err != nil {
		return err
	}
	m.started = true
	ctx, stop := Interruptible(context.Background())
	defer stop()
	l, err := OpenRole(ctx, role, config, log)
	if err != nil {
		return err
	}
	context.AfterFunc(ctx, func() { time.AfterFunc(stopTime, func() { os.Exit(exitFailed) }) })
	err = l.Run(ctx)
	stop() // closing has to end in time as well
	return errors.Join(err, l.Close())
}
