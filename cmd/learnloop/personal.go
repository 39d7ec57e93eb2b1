package main

import (
	"fmt"
	"io"
	"os"
	"strconv"

	"learnloop.dev/api"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"
)

func (sh *shell) promptCommand() *cobra.Command {
	var in api.PromptRequest
	c := &cobra.Command{
		Use: "prompt USER [FILE]", Short: "Print a system prompt as a person should have it",
		Long: "FILE holds the prompt as for anybody (- for the standard input). It is printed byte for byte where too little is known of the\n" +
			"person; why it is as it is goes to the standard error. Without a FILE only what is known of the person is printed.",
		Example: "  learnloop prompt anna system.txt\n  learnloop prompt p1a2b_MZXW6YTB --json",
		Args:    aPersonAnd("FILE", 0),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			in.User = args[0]
			if in.Base, err = sh.text(args[1:]); err != nil {
				return err
			}
			return sh.call(cmd.Context(), "prompt", in, reading(sh.showTuned))
		},
	}
	inUnit(c, &in.Whose)
	return c
}

// inUnit takes the unit whose arms of experiments count.
func inUnit(c *cobra.Command, w *api.Whose) {
	c.Flags().StringVar(&w.Unit, "unit", "", "the raw id of the `session`: what arms of running experiments set for it counts")
}

func (sh *shell) showTuned(t api.TunedPrompt) error {
	_, _ = fmt.Fprintln(sh.err, t.Reason) // the prompt stays clean
	for _, c := range t.Changes {
		_, _ = fmt.Fprintf(sh.err, "%s: %s\n", c.What, c.Why)
	}
	for _, arm := range t.Experiments {
		_, _ = fmt.Fprintln(sh.err, arm)
	}
	_, err := io.WriteString(sh.out, t.Prompt)
	return err
}

func (sh *shell) rerankCommand() *cobra.Command {
	var in api.RerankRequest
	c := &cobra.Command{
		Use: "rerank USER FILE", Short: "Order what was retrieved as it suits a person",
		Long:    "FILE holds results as JSON (- for the standard input): [{\"id\":\"a\",\"score\":0.9,\"text\":\"…\"}, …].",
		Example: "  learnloop rerank anna results.json",
		Args:    aPersonAnd("FILE", 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			in.User = args[0]
			text, err := sh.text(args[1:])
			if err != nil {
				return err
			}
			if json.Unmarshal([]byte(text), &in.Results, json.RejectUnknownMembers(true)) != nil {
				return fmt.Errorf("read results from %s: not the JSON of a list of them", args[1])
			}
			return sh.call(cmd.Context(), "rerank", in, reading(sh.showRanking))
		},
	}
	inUnit(c, &in.Whose)
	return c
}

func (sh *shell) showRanking(r api.Reranking) error {
	rows := [][]string{{"ID", "FINAL", "SCORE", "TOPIC", "QUALITY", "BEFORE", "WHY"}}
	for _, x := range r.Results {
		rows = append(rows, []string{x.ID, hundredths(x.Final), hundredths(x.Normalised), hundredths(x.TopicBoost), hundredths(x.QualityBoost),
			strconv.Itoa(x.Before + 1), x.Why})
	}
	for _, arm := range r.Experiments {
		_, _ = fmt.Fprintln(sh.err, arm)
	}
	return sh.table(rows)
}

func (sh *shell) calibrateCommand() *cobra.Command {
	var in api.CalibrateRequest
	c := &cobra.Command{
		Use: "calibrate USER FILE", Short: "Say where an answer is not as a person likes it",
		Long:    "FILE holds the answer (- for the standard input). It is measured, neither changed nor kept.",
		Example: "  learnloop calibrate anna answer.md",
		Args:    aPersonAnd("FILE", 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := sh.text(args[1:])
			if err != nil {
				return err
			}
			in.User, in.Response = args[0], text
			return sh.call(cmd.Context(), "calibrate", in, reading(sh.showFindings))
		},
	}
	inUnit(c, &in.Whose)
	return c
}

func (sh *shell) showFindings(c api.Calibration) error {
	switch {
	case !c.Personalized:
		sh.sayf("Too little is known of this person.")
	case len(c.Findings) == 0:
		sh.sayf("It suits this person.")
	}
	for _, f := range c.Findings {
		sh.sayf("%s: %s", f.What, f.Text)
	}
	for _, arm := range c.Experiments {
		_, _ = fmt.Fprintln(sh.err, arm)
	}
	return nil
}

// aPersonAnd takes a user and an argument that must be there when wanted is 1.
func aPersonAnd(name string, wanted int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > wanted && len(args) <= 2 {
			return nil
		}
		return misused(cmd, wantArguments([]string{"USER", name}[:1+wanted], len(args)))
	}
}

// text reads the file that an argument names, the standard input for -, and nothing
// without one.
func (sh *shell) text(args []string) (string, error) {
	if len(args) == 0 {
		return "", nil
	}
	var data []byte
	var err error
	if args[0] == "-" {
		data, err = io.ReadAll(sh.in)
	} else {
		data, err = os.ReadFile(args[0])
	}
	if err != nil {
		return "", fmt.Errorf("read text: %w", err)
	}
	return string(data), nil
}
