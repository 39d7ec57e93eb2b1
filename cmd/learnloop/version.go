package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// build is which program this is.
type build struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitzero"`
	Go       string `json:"go"`
	System   string `json:"system"`
}

func (sh *shell) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Say which version this is", Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			b := thisBuild()
			if sh.json {
				return sh.answerWith(b)
			}
			sh.sayf("%s version %s", cmd.Root().Name(), b.text())
			return nil
		},
	}
}

// text says it to a person, behind the program's name.
func (b build) text() string { return fmt.Sprintf("%s (%s, %s)", b.Version, b.Go, b.System) }

func thisBuild() build {
	b := build{Version: "(devel)", Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if info.Main.Version != "" {
		b.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			b.Revision = s.Value
		}
	}
	return b
}
