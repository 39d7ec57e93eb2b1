package app_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"learnloop.dev/events"
	"learnloop.dev/events/capture"
	"learnloop.dev/kv"

	"github.com/nats-io/nats.go"
)

// snippet is the Go snippet of the README between its marks, so that it compiles.
func snippet(ctx context.Context, nc *nats.Conn, prompt string) (string, error) {
	// begin
	pub := capture.New(nc, capture.Options{Source: "/my/agent"})
	defer pub.Close(ctx)
	if err := capture.Publish(pub, events.FeedbackFix, events.FixFeedback{ /* what the person decided */ }); err != nil {
		return "", err
	}

	contexts, err := kv.NewReader(ctx, nc, kv.ReaderOptions{})
	if err != nil {
		return "", err
	}
	prompt += contexts.Prompt("rule", "passive-voice")
	// end
	return prompt, nil
}

func TestTheReadmesGoSnippetCompiles(t *testing.T) {
	_ = snippet
	source, err := os.ReadFile("readme_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(source), "// begin\n")
	body, _, _ := strings.Cut(rest, "\t// end")
	readme, err := os.ReadFile(filepath.Join("..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(readme), "```go\n")
	shown, _, _ := strings.Cut(rest, "```")
	if !found || shown != strings.ReplaceAll("\n"+body, "\n\t", "\n")[1:] {
		t.Errorf("the README has\n%s\nwhich is not what compiles here:\n%s", shown, body)
	}
}
