package api

import (
	"cmp"
	"context"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func (d *mcpDoor) addPrompts() {
	d.server.AddPrompt(&mcp.Prompt{
		Name: "learnings_for_task", Title: "What was learned for a task",
		Description: "The learnings that help with a task, ready to stand before it. What is given is recorded under the task's id.",
		Arguments: []*mcp.PromptArgument{
			{Name: "task_id", Title: "Task", Description: "Names the task, so that its outcome tells what helped.", Required: true},
			{Name: "title", Title: "Title", Description: "What is to be done, in a line.", Required: true},
			{Name: "description", Title: "Description", Description: "What is to be done, at length."},
		},
	}, d.promptForTask)
	d.server.AddPrompt(&mcp.Prompt{
		Name: "context", Title: "What was learned about one thing",
		Description: "The prompt of a learning context: how suggestions about a rule, a category, a kind of task or a goal are taken.",
		Arguments: []*mcp.PromptArgument{
			{Name: keyArgument, Title: "Key", Description: "Kind and id, such as rule.passive-voice.", Required: true},
		},
	}, d.promptOfContext)
}

// promptForTask renders the learnings for a task.
func (d *mcpDoor) promptForTask(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	data, p := d.perform(ctx, "inject", mustWrite(req.Params.Arguments))
	if p != nil {
		return nil, told(p)
	}
	var given struct {
		Markdown string `json:"markdown"`
	}
	return asPrompt(data, &given, func() string { return cmp.Or(given.Markdown, "Nothing was learned for this task yet.") })
}

// promptOfContext is what generators are told about a key.
func (d *mcpDoor) promptOfContext(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	key := req.Params.Arguments[keyArgument]
	data, p := d.perform(ctx, "contexts.get", mustWrite(map[string]string{"key": key}))
	if p != nil {
		return nil, told(p)
	}
	var known struct {
		Prompt string `json:"prompt"`
	}
	return asPrompt(data, &known, func() string { return cmp.Or(known.Prompt, "Nothing was learned about it yet.") })
}

// asPrompt makes a prompt of what an answer says.
func asPrompt(data jsontext.Value, into any, text func() string) (*mcp.GetPromptResult, error) {
	if err := json.Unmarshal(data, into); err != nil {
		return nil, told(asProblem(err))
	}
	return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text()}}}}, nil
}
