package api

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"learnloop.dev/events"
	"learnloop.dev/pipeline/ingest"
	"learnloop.dev/schemas"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// capture is a tool that takes events of one kind in: its arguments are their data.
type capture struct {
	tool, title, description string
	kind                     events.Kind
	required                 []string // nil: as the schema of the kind says
	names                    bool     // the event names what it makes: an id is given when there is none
}

// captures are the tools by which agents report.
func captures() []capture {
	return []capture{
		{
			tool: "record_feedback", kind: events.FeedbackFix.Kind, title: "Record what somebody did with a suggestion",
			description: "What a person did with one suggestion of yours: took it, changed it, turned it down, or passed it by. " +
				"With a feedback_id a repeated call counts once. For an answer in a conversation use feedback_add, for a learning learnings_feedback.",
		},
		{
			tool: "record_outcome", kind: events.TaskFinished.Kind, title: "Record how a task ended",
			description: "A task that ended, with what became of each step. A later report about the same task_id replaces the earlier.",
		},
		{
			tool: "propose_learning", kind: events.LearningProposed.Kind, title: "Propose a learning",
			description: "Something worth remembering: what you were working on (context), what you noticed (observation), how it should " +
				"change future work (implication), and the concrete thing to do (action). It waits for a person's review. " +
				"To replace an older learning name it in supersedes.",
			required: []string{"title", "context", "observation", "implication", "action"}, names: true,
		},
	}
}

// reportedBy is the source of events that agents report through tools.
const reportedBy = ingest.Source + "/mcp"

// Captured says that an event was taken in.
type Captured struct {
	Recorded bool   `json:"recorded" doc:"The event is on disk, protected."`
	EventID  string `json:"event_id" doc:"The id it has in the log."`
	ID       string `json:"id,omitzero" doc:"Of what it names, where an id was given."`
}

func (d *mcpDoor) addCaptures() {
	known := argumentSchemas()
	answer := objectSchema(describe(known, known.Schema(reflect.TypeFor[Captured](), false, "")))
	for _, c := range captures() {
		destroys := false
		d.addTool(&mcp.Tool{
			Name: c.tool, Title: c.title, Description: c.title + ". " + c.description,
			InputSchema: c.schema(), OutputSchema: answer,
			Annotations: &mcp.ToolAnnotations{DestructiveHint: &destroys, OpenWorldHint: &destroys},
		}, Capture, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return toolResult(d.capture(ctx, jsontext.Value(req.Params.Arguments), c)), nil
		})
	}
}

// schema is that of the kind's data; examples would only cost tokens.
func (c capture) schema() jsontext.Value {
	data, _ := schemas.Kind(string(c.kind)) // every kind has one
	var s map[string]jsontext.Value
	if err := json.Unmarshal(data, &s); err != nil {
		panic(fmt.Sprintf("api: schema of %s: %v", c.kind, err))
	}
	for _, name := range []string{"$id", "$schema", "title", "description", "examples"} {
		delete(s, name)
	}
	if c.required != nil {
		s["required"] = mustWrite(c.required)
	}
	s["properties"] = plain(s["properties"])
	return mustWrite(s)
}

// plain is a schema, or several by name, in the words that every model's tools know: one
// type, the fullest, where there are several, and no bounds that nobody meets. What the
// loop takes stays what the schema of the kind says.
func plain(v jsontext.Value) jsontext.Value {
	var members map[string]jsontext.Value
	if json.Unmarshal(v, &members) != nil {
		return v
	}
	var types []string
	if json.Unmarshal(members["type"], &types) == nil && len(types) > 0 && types[0] != "boolean" { // null is an answer, too
		best := types[0]
		if slices.Contains(types, "array") {
			best = "array"
		}
		members["type"] = mustWrite(best)
		if best == "string" || best == "array" { // bounds of the other types
			delete(members, "minimum")
			delete(members, "maximum")
		}
	}
	if string(members["maxLength"]) == anyLength {
		delete(members, "maxLength")
	}
	var words []any
	if json.Unmarshal(members["enum"], &words) == nil {
		members["enum"] = mustWrite(slices.DeleteFunc(words, func(w any) bool { return w == nil }))
	}
	for name, inner := range members {
		members[name] = plain(inner)
	}
	return mustWrite(members)
}

// anyLength is the bound of every text.
const anyLength = "65536"

// capture takes an event in.
func (d *mcpDoor) capture(ctx context.Context, args jsontext.Value, c capture) (jsontext.Value, *Problem) {
	if p := VisitorOf(ctx).refused(Capture); p != nil {
		return nil, p
	}
	var given map[string]jsontext.Value
	if err := json.Unmarshal(args, &given); err != nil || given == nil {
		return nil, problem(BadRequest, "the arguments are not one JSON object")
	}
	for _, name := range c.required {
		if string(given[name]) == "null" || given[name] == nil {
			return nil, wrong(Invalid, "/"+name, needed)
		}
	}
	out := Captured{Recorded: true, EventID: eventID()}
	if _, named := given["id"]; c.names && !named {
		out.ID = ownID + freshName()
		given["id"] = mustWrite(out.ID)
	}
	if p := d.take(ctx, draught{c.kind, out.EventID, mustWrite(given)}); p != nil {
		return nil, p
	}
	return mustWrite(out), nil
}

// take has an event taken in where that is done, and leaves it in the inbox else.
func (d *mcpDoor) take(ctx context.Context, e draught) *Problem {
	if !d.offered(publishing) {
		return d.leave(ctx, e.item())
	}
	data, p := d.perform(ctx, publishing, e.structured())
	if p != nil {
		return p
	}
	var taken Taken
	if err := json.Unmarshal(data, &taken); err != nil {
		return asProblem(err)
	}
	for why := range taken.Declined {
		return declined(why)
	}
	return nil
}

// draught is an event that an agent reports.
type draught struct {
	kind events.Kind
	id   string
	data jsontext.Value
}

// item is the event as the door for events takes it.
func (d draught) item() events.Item {
	return events.Item{Envelope: events.Envelope{ID: d.id, Source: reportedBy, Kind: d.kind, Data: d.data}}
}

// structured is the event as a message.
func (d draught) structured() jsontext.Value {
	return mustWrite(map[string]any{
		"specversion": "1.0", "id": d.id, "source": reportedBy, "type": d.kind.Type(), "data": d.data,
	})
}
