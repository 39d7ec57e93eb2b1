package providers

import (
	"context"
	"errors"
	"fmt"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/shared"
)

// OpenAI writes through the Chat Completions API, which most servers of local models
// imitate.
type OpenAI struct {
	chat  openai.ChatCompletionService
	model string
}

// Models that are asked unless others are named.
const (
	OpenAIModel          = shared.ChatModelGPT5_4Mini
	OpenAIEmbeddingModel = openai.EmbeddingModelTextEmbedding3Small
)

// NewOpenAI asks as an account; the environment has no say.
func NewOpenAI(a Account) *OpenAI {
	model := a.Model
	if model == "" {
		model = OpenAIModel
	}
	return &OpenAI{openai.NewChatCompletionService(openaiOptions(a)...), model}
}

func openaiOptions(a Account) []option.RequestOption {
	opts := []option.RequestOption{
		option.WithEnvironmentProduction(), option.WithHTTPClient(client()),
		option.WithMaxRetries(0), // Bounded counts each attempt
	}
	if a.BaseURL != "" {
		opts = append(opts, option.WithBaseURL(a.BaseURL))
	}
	if a.Key != "" {
		opts = append(opts, option.WithAPIKey(a.Key))
	}
	return opts
}

// Name says who writes.
func (o *OpenAI) Name() string { return "openai/" + o.model }

// Write asks once.
func (o *OpenAI) Write(ctx context.Context, q Question) (string, error) {
	turns := []openai.ChatCompletionMessageParamUnion{openai.SystemMessage(q.System)}
	for _, t := range q.Turns {
		if t.Answer {
			turns = append(turns, openai.AssistantMessage(t.Text))
		} else {
			turns = append(turns, openai.UserMessage(t.Text))
		}
	}
	answer, err := o.chat.New(ctx, openai.ChatCompletionNewParams{
		Model: o.model, Messages: turns, MaxCompletionTokens: openai.Int(int64(q.Form.Tokens)),
		ResponseFormat: openai.ChatCompletionNewParamsResponseFormatUnion{OfJSONSchema: &shared.ResponseFormatJSONSchemaParam{
			JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{Name: q.Form.Name, Strict: openai.Bool(true), Schema: q.Form.Schema},
		}},
	})
	if err != nil {
		return "", openaiError(ctx, o.Name(), err)
	}
	if len(answer.Choices) == 0 {
		return "", nil
	}
	return answer.Choices[0].Message.Content, nil
}

func openaiError(ctx context.Context, name string, err error) error {
	if refusal, is := errors.AsType[*openai.Error](err); is {
		return answered(name, refusal.StatusCode, refusal.Response)
	}
	return unanswered(ctx, name, err)
}

// OpenAIEmbedder embeds through the Embeddings API, or a server that imitates it.
type OpenAIEmbedder struct {
	embeddings openai.EmbeddingService
	model      string
	dim        int
}

// NewOpenAIEmbedder asks as an account for vectors of a dimension, which the model
// must be able to give; 0 is its own.
func NewOpenAIEmbedder(a Account, dim int) *OpenAIEmbedder {
	model := a.Model
	if model == "" {
		model = OpenAIEmbeddingModel
	}
	return &OpenAIEmbedder{openai.NewEmbeddingService(openaiOptions(a)...), model, dim}
}

// ID names the model and its dimension.
func (o *OpenAIEmbedder) ID() string { return fmt.Sprintf("openai/%s/%d", o.model, o.dim) }

// Dim is how many numbers a vector has, 0 where that is up to the model.
func (o *OpenAIEmbedder) Dim() int { return o.dim }

// Embed returns one vector for each text.
func (o *OpenAIEmbedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	asked := openai.EmbeddingNewParams{
		Model: o.model, EncodingFormat: openai.EmbeddingNewParamsEncodingFormatFloat,
		Input: openai.EmbeddingNewParamsInputUnion{OfArrayOfStrings: texts},
	}
	if o.dim > 0 {
		asked.Dimensions = openai.Int(int64(o.dim))
	}
	answer, err := o.embeddings.New(ctx, asked)
	if err != nil {
		return nil, openaiError(ctx, o.ID(), err)
	}
	vectors := make([][]float32, len(texts))
	for _, e := range answer.Data {
		if e.Index < 0 || int(e.Index) >= len(texts) || !o.fits(len(e.Embedding)) {
			return nil, &Error{Who: o.ID(), Why: Unusable}
		}
		vectors[e.Index] = narrow(e.Embedding)
	}
	for _, v := range vectors {
		if v == nil {
			return nil, &Error{Who: o.ID(), Why: Unusable}
		}
	}
	return vectors, nil
}

// fits reports whether a vector may have so many numbers.
func (o *OpenAIEmbedder) fits(n int) bool { return n == o.dim || o.dim == 0 && n > 0 }

func narrow(v []float64) []float32 {
	short := make([]float32, len(v))
	for i, x := range v {
		short[i] = float32(x)
	}
	return short
}
