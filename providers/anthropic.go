package providers

import (
	"context"
	"errors"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
)

// Anthropic writes through Anthropic's Messages API, or a server that imitates it.
type Anthropic struct {
	messages anthropic.MessageService
	model    string
}

// AnthropicModel is asked unless another is named. It is younger than the SDK (ADR 0031).
const AnthropicModel anthropic.Model = "claude-haiku-5-5"

// NewAnthropic asks as an account; the environment has no say.
func NewAnthropic(a Account) *Anthropic {
	opts := []option.RequestOption{
		option.WithoutEnvironmentDefaults(), option.WithEnvironmentProduction(), option.WithHTTPClient(client()),
		option.WithMaxRetries(0), // Bounded counts each attempt
	}
	if a.BaseURL != "" {
		opts = append(opts, option.WithBaseURL(a.BaseURL))
	}
	if a.Key != "" {
		opts = append(opts, option.WithAPIKey(a.Key))
	}
	model := a.Model
	if model == "" {
		model = AnthropicModel
	}
	return &Anthropic{anthropic.NewMessageService(opts...), model}
}

// Name says who writes.
func (a *Anthropic) Name() string { return "anthropic/" + a.model }

// Write asks once.
func (a *Anthropic) Write(ctx context.Context, q Question) (string, error) {
	turns := make([]anthropic.MessageParam, len(q.Turns))
	for i, t := range q.Turns {
		if t.Answer {
			turns[i] = anthropic.NewAssistantMessage(anthropic.NewTextBlock(t.Text))
		} else {
			turns[i] = anthropic.NewUserMessage(anthropic.NewTextBlock(t.Text))
		}
	}
	answer, err := a.messages.New(ctx, anthropic.MessageNewParams{
		Model: a.model, MaxTokens: int64(q.Form.Tokens),
		System: []anthropic.TextBlockParam{{Text: q.System}}, Messages: turns,
		OutputConfig: anthropic.OutputConfigParam{Format: anthropic.JSONOutputFormatParam{Schema: q.Form.Schema}},
	})
	if err != nil {
		if refusal, is := errors.AsType[*anthropic.Error](err); is {
			return "", answered(a.Name(), refusal.StatusCode, refusal.Response)
		}
		return "", unanswered(ctx, a.Name(), err)
	}
	var text strings.Builder
	for _, block := range answer.Content {
		text.WriteString(block.Text)
	}
	return text.String(), nil
}
