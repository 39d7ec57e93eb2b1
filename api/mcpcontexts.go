package api

import (
	"context"
	"net/url"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// contextURI is where resources of contexts begin.
const contextURI = "learnloop://contexts/"

// keyArgument is how a context is named in the template of resources and in prompts.
const keyArgument = "key"

// uriOf is the resource of a key.
func uriOf(key string) string { return contextURI + url.QueryEscape(key) }

// contextOf reads the key of a resource.
func contextOf(uri string) (string, bool) {
	rest, found := strings.CutPrefix(uri, contextURI)
	key, err := url.PathUnescape(rest)
	return key, found && err == nil && key != ""
}

func (d *mcpDoor) addContexts() {
	d.server.AddResourceTemplate(&mcp.ResourceTemplate{
		Name: "context", Title: "Learning context", URITemplate: contextURI + "{" + keyArgument + "}", MIMEType: mediaJSON,
		Description: "What was learned about a rule, category, kind of task, goal or person: percent-encode the key, " +
			"such as rule.passive-voice. Its prompt is ready to inject.",
	}, func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return d.readContext(ctx, req)
	})
}

// readContext reads one context.
func (d *mcpDoor) readContext(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	key, ok := contextOf(req.Params.URI)
	if !ok {
		return nil, mcp.ResourceNotFoundError(req.Params.URI)
	}
	data, p := d.perform(ctx, "contexts.get", mustWrite(ContextArgs{Key: key}))
	switch {
	case p == nil:
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, Text: string(data)}}}, nil
	case p.Code == NotFound:
		return nil, mcp.ResourceNotFoundError(req.Params.URI)
	}
	return nil, told(p)
}

// listContexts lists those that there are, a page at a time.
func (d *mcpDoor) listContexts(ctx context.Context, in *mcp.ListResourcesParams) (mcp.Result, error) {
	args := ListArgs{Limit: mostListed}
	if in != nil { // a client may send none
		args.Cursor = in.Cursor
	}
	page, p := d.keys(ctx, args)
	if p != nil {
		return nil, told(p)
	}
	out := &mcp.ListResourcesResult{NextCursor: page.Next, Resources: []*mcp.Resource{}}
	for _, c := range page.Contexts {
		out.Resources = append(out.Resources, &mcp.Resource{URI: uriOf(c.Key), Name: c.Key, MIMEType: mediaJSON})
	}
	return out, nil
}

// keys asks which contexts there are.
func (d *mcpDoor) keys(ctx context.Context, in ListArgs) (page ContextList, p *Problem) {
	data, p := d.perform(ctx, "contexts.list", mustWrite(in))
	if p != nil {
		return page, p
	}
	if err := json.Unmarshal(data, &page); err != nil {
		return page, asProblem(err)
	}
	return page, nil
}

// mostCompleted is how many values complete an argument, as the protocol has it.
const mostCompleted = 100

// complete finishes a key that somebody types.
func (d *mcpDoor) complete(ctx context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	out := &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}
	if req.Params.Argument.Name != keyArgument {
		return out, nil
	}
	page, p := d.keys(ctx, ListArgs{Prefix: req.Params.Argument.Value, Limit: mostCompleted})
	if p != nil {
		return nil, told(p)
	}
	for _, c := range page.Contexts {
		out.Completion.Values = append(out.Completion.Values, c.Key)
	}
	out.Completion.HasMore = page.Next != ""
	return out, nil
}

// exists reports whether a resource is a context that there is.
func (d *mcpDoor) exists(ctx context.Context, uri string) error {
	key, ok := contextOf(uri)
	if !ok {
		return mcp.ResourceNotFoundError(uri)
	}
	page, p := d.keys(ctx, ListArgs{Prefix: key, Limit: 1})
	switch {
	case p != nil:
		return told(p)
	case len(page.Contexts) == 0 || page.Contexts[0].Key != key:
		return mcp.ResourceNotFoundError(uri)
	}
	return nil
}

// changed tells who subscribed that a context has changed; notice is the data of a
// context.changed.
func (d *mcpDoor) changed(ctx context.Context, notice jsontext.Value) {
	var n struct {
		Key string `json:"key"`
	}
	if json.Unmarshal(notice, &n) == nil && n.Key != "" {
		_ = d.server.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: uriOf(n.Key)}) // who has gone is told nothing
	}
}
