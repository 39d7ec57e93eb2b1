package api

import (
	"context"
	"net/http"

	"learnloop.dev/events"
	"learnloop.dev/pipeline/ingest"

	"github.com/go-json-experiment/json/jsontext"
)

// local does operations in this process.
type local struct{ api *API }

// offers lists all operations of this process.
func (l local) offers() (all []offer) {
	schemas := argumentSchemas()
	for _, e := range l.api.registry.entries {
		all = append(all, offer{e.name, metadata(schemas, e)})
	}
	return all
}

// admit goes by what the request brought, as the guard before this door did: what is
// known of a session is not what each of its requests may do.
func (l local) admit(header http.Header) (Visitor, *Problem) {
	who, p := l.api.porter.identify(&http.Request{Method: http.MethodPost, Header: header})
	who.Door = doorMCP
	return who, p
}

func (l local) perform(ctx context.Context, name string, args jsontext.Value) (jsontext.Value, *Problem) {
	call := Call{Name: name}
	if len(args) > 0 {
		call.Args = args
	}
	data, err := l.api.Do(ctx, call)
	if err != nil {
		return nil, asProblem(err)
	}
	return data, nil
}

func (l local) leave(ctx context.Context, item events.Item) *Problem {
	item.Time = l.api.now()
	if err := l.api.send(ctx, ingest.Anyone, item); err != nil {
		return l.api.registry.told(publishing, err)
	}
	return nil
}
