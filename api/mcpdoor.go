package api

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"learnloop.dev/events"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// host does operations for clients of the Model Context Protocol: this process, or a
// loop elsewhere.
type host interface {
	// admit tells who sent a message with these headers, if any.
	admit(header http.Header) (Visitor, *Problem)
	// perform does an operation for the context's visitor and returns JSON.
	perform(ctx context.Context, name string, args jsontext.Value) (jsontext.Value, *Problem)
	// leave puts an event into the inbox, for where nobody takes it in.
	leave(ctx context.Context, item events.Item) *Problem
}

// offer is an operation as its metadata describes it.
type offer struct {
	name     string
	metadata map[string]string
}

// access is what the caller of the operation needs: everything, if it does not say.
func (o offer) access() Access {
	for a := Admin; a <= Public; a++ {
		if o.metadata[metaAccess] == a.String() {
			return a
		}
	}
	return Admin
}

// mcpDoor makes tools, resources and prompts of what a host offers.
type mcpDoor struct {
	host
	offers []offer
	failed func(operation string, err error) // is told what went wrong on our side; nil drops it

	server *mcp.Server
	needs  map[string]Access // by tool
}

// instructions tell the model of a client what this is.
const instructions = "learnloop learns from what people do with an agent's suggestions, and from how tasks end. " +
	"Before you suggest something about a rule, read its context (get_context). Before a task, ask what was learned " +
	"(inject_learnings, search_learnings) and follow it. Afterwards say what became of it: record_feedback for a decision " +
	"about a suggestion, record_outcome for a task, learnings_feedback for a learning that helped or did not, " +
	"propose_learning for what should be remembered. Errors say what to do about them."

// mostListed is how many tools, prompts or resources are listed at a time.
const mostListed = 1000

// furnish makes the server, which tells of changed contexts if something calls changed.
func (d *mcpDoor) furnish(version string, o mcp.ServerOptions) {
	d.needs = map[string]Access{}
	o.Instructions, o.PageSize = instructions, mostListed
	o.CompletionHandler = d.complete
	o.Capabilities = &mcp.ServerCapabilities{
		Tools: &mcp.ToolCapabilities{}, Prompts: &mcp.PromptCapabilities{}, Resources: &mcp.ResourceCapabilities{},
	}
	d.server = mcp.NewServer(&mcp.Implementation{Name: serviceName, Title: "learnloop", Version: version}, &o)
	for _, o := range d.offers {
		d.addTool(o.tool(), o.access(), d.call(o))
	}
	d.addCaptures()
	d.addContexts()
	d.addPrompts()
	d.server.AddReceivingMiddleware(d.also)
}

// addTool offers a tool to who may use it.
func (d *mcpDoor) addTool(t *mcp.Tool, needs Access, call mcp.ToolHandler) {
	d.needs[t.Name] = needs
	d.server.AddTool(t, call)
}

// also finds out who sent a message, lists what they may use, and answers what changes
// too often for a list, and calls of tools by the names of their operations. The library
// answers in goroutines of its own, where a panic would end the process.
func (d *mcpDoor) also(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (_ mcp.Result, err error) {
		defer func() {
			if v := recover(); v != nil {
				err = d.crashed(method, v)
			}
		}()
		who, p := d.admit(headerOf(req))
		if p != nil {
			return nil, told(p)
		}
		ctx = WithVisitor(ctx, who)
		switch p := req.GetParams().(type) {
		case *mcp.CallToolParamsRaw:
			p.Name = firstName(p.Name)
		case *mcp.ListResourcesParams:
			return d.listContexts(ctx, p)
		}
		answer, err := next(ctx, method, req)
		if list, ok := answer.(*mcp.ListToolsResult); ok && list != nil {
			list.Tools = slices.DeleteFunc(list.Tools, func(t *mcp.Tool) bool { return !who.May(d.needs[t.Name]) })
		}
		return answer, err
	}
}

// crashed tells the operator of a panic.
func (d *mcpDoor) crashed(method string, v any) error {
	if d.failed != nil {
		d.failed(method, panicked(v))
	}
	return told(problem(Internal, ""))
}

// call is a tool that does an operation.
func (d *mcpDoor) call(o offer) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return toolResult(d.perform(ctx, o.name, jsontext.Value(req.Params.Arguments))), nil
	}
}

// headerOf is what a request over HTTP came with; nil over other ways.
func headerOf(req mcp.Request) http.Header {
	if extra := req.GetExtra(); extra != nil {
		return extra.Header
	}
	return nil
}

// toolResult tells a model what came of a call: a problem is for it to mend.
func toolResult(data jsontext.Value, p *Problem) *mcp.CallToolResult {
	if p != nil {
		return &mcp.CallToolResult{IsError: true, Content: content(string(p.encode()))}
	}
	r := &mcp.CallToolResult{Content: content(string(data))}
	if data.Kind() == '{' {
		r.StructuredContent = data
	}
	return r
}

func content(text string) []mcp.Content { return []mcp.Content{&mcp.TextContent{Text: text}} }

// tool describes an operation as a tool.
func (o offer) tool() *mcp.Tool {
	t := &mcp.Tool{
		Name: toolName(o.name), Title: o.metadata[metaSummary], Annotations: o.annotations(),
		Description: strings.TrimSpace(o.metadata[metaSummary] + ". " + o.metadata[metaDescription]),
		InputSchema: jsontext.Value(`{"type":"object"}`),
	}
	if s := objectSchema(o.metadata[metaRequest]); s != nil {
		t.InputSchema = s
	}
	if s := objectSchema(o.metadata[metaResponse]); s != nil {
		t.OutputSchema = s
	}
	switch o.access() {
	case Admin:
		t.Description += " For operators."
	case Review:
		t.Description += " For reviewers."
	case Read, Capture, Public: // who connects has it, or sees no such tool
	}
	return t
}

// annotations say what an operation does to the loop, by its method and by who may call it.
func (o offer) annotations() *mcp.ToolAnnotations {
	method, access := o.metadata[metaMethod], o.access()
	reads := method == http.MethodGet || access == Read
	destroys := !reads && (access == Admin || access == Review)
	return &mcp.ToolAnnotations{
		ReadOnlyHint: reads, DestructiveHint: &destroys, IdempotentHint: reads || method != http.MethodPost,
		OpenWorldHint: new(bool), // the loop is all there is
	}
}

// firstNames are the tools that agents use most, by their operations.
var firstNames = map[string]string{
	"contexts.get": "get_context", "inject": "inject_learnings", "learnings.search": "search_learnings",
}

// toolName is the name of an operation as models may write it.
func toolName(operation string) string {
	if name, ok := firstNames[operation]; ok {
		return name
	}
	return spelled(operation)
}

func spelled(operation string) string {
	return strings.NewReplacer(".", "_", "-", "_").Replace(operation)
}

// firstName is the name under which a tool is listed.
func firstName(tool string) string {
	for operation, name := range firstNames {
		if tool == spelled(operation) {
			return name
		}
	}
	return tool
}

// objectSchema is a schema of an object with its properties at the top, as tools have it;
// nil for what is none.
func objectSchema(text string) jsontext.Value {
	var s map[string]jsontext.Value
	if json.Unmarshal([]byte(text), &s) != nil {
		return nil
	}
	if at, found := s["$ref"]; found {
		var place string
		var known, referred map[string]jsontext.Value
		if json.Unmarshal(at, &place) != nil || json.Unmarshal(s["$defs"], &known) != nil ||
			json.Unmarshal(known[strings.TrimPrefix(place, defs)], &referred) != nil {
			return nil
		}
		referred["$defs"] = s["$defs"]
		s = referred
	}
	if string(s["type"]) != `"object"` {
		return nil
	}
	return mustWrite(s)
}

// offered reports whether an operation is among those that there are.
func (d *mcpDoor) offered(name string) bool {
	return slices.ContainsFunc(d.offers, func(o offer) bool { return o.name == name })
}

// told is a problem as an error of the protocol, where there is no result to carry it.
func told(p *Problem) error {
	text := p.Error()
	if p.Hint != "" {
		text += " (" + p.Hint + ")"
	}
	return &jsonrpc.Error{Code: p.Code.ofProtocol(), Message: string(p.Code) + ": " + text, Data: p.encode()}
}

// refusedCode is the protocol's for what a server does not do, for reasons of its own.
const refusedCode = -32000

// ofProtocol is the code of JSON-RPC that says the same.
func (c Code) ofProtocol() int64 {
	switch c {
	case Invalid, BadRequest:
		return jsonrpc.CodeInvalidParams
	case NotFound:
		return mcp.CodeResourceNotFound
	case Internal:
		return jsonrpc.CodeInternalError
	default:
		return refusedCode
	}
}
