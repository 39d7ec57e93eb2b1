package api

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// mostBehind is how many parts of a stream may wait for a client to read them.
const mostBehind = 512

// errBehind says that a client does not read what it asked for.
var errBehind = errors.New("the client does not read")

// outlet passes on what is told to one client without keeping the others waiting, whom the
// protocol's library tells one after the other. Who falls too far behind is cut off.
type outlet struct {
	*rephrased
	waiting chan []byte // nil: send what was written
	cutOff  func()
}

// stand serves what a client listens to.
func (m *mcpHTTP) stand(w *rephrased, r *http.Request) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	o := &outlet{w, make(chan []byte, mostBehind), cancel}
	var writer errgroup.Group
	writer.Go(o.pass)
	defer func() {
		close(o.waiting)
		_ = writer.Wait() // who has gone hears nothing
	}()
	m.next.ServeHTTP(o, r.WithContext(ctx))
}

// Write leaves a part to be sent.
func (o *outlet) Write(data []byte) (int, error) {
	select {
	case o.waiting <- slices.Clone(data):
		return len(data), nil
	default:
		o.cutOff()
		return 0, errBehind
	}
}

// Flush has sent what was written.
func (o *outlet) Flush() {
	select {
	case o.waiting <- nil:
	default: // there is much to send already
	}
}

// pass sends what waits until there is no more.
func (o *outlet) pass() (err error) {
	for data := range o.waiting {
		switch {
		case err != nil: // nobody reads
		case data == nil:
			o.rephrased.Flush()
		default:
			if _, err = o.rephrased.Write(data); err != nil {
				o.cutOff()
			}
		}
	}
	return err
}

// rephrased says what the protocol's library found wrong with a request the way every
// door of ours does, and gives every write its own time, however long a stream lasts.
type rephrased struct {
	http.ResponseWriter
	control *http.ResponseController
	status  int // of what was wrong; 0: nothing
	detail  strings.Builder
}

// WriteHeader holds back what is wrong.
func (w *rephrased) WriteHeader(status int) {
	if status >= http.StatusBadRequest && strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		w.status = status
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write sends a part.
func (w *rephrased) Write(data []byte) (int, error) {
	if w.status != 0 {
		if w.detail.Len() < mostShown {
			w.detail.Write(data)
		}
		return len(data), nil
	}
	_ = w.control.SetWriteDeadline(time.Now().Add(writeTime)) // where there is none, nothing is lost
	return w.ResponseWriter.Write(data)
}

// Flush sends what was written.
func (w *rephrased) Flush() {
	if w.status == 0 {
		_ = w.control.Flush() // who has gone hears nothing
	}
}

// end says what was wrong, if anything was.
func (w *rephrased) end() {
	if w.status == 0 {
		return
	}
	code, hint := BadRequest, "docs/mcp.md shows how clients are set up"
	switch w.status {
	case http.StatusNotFound:
		code, hint = NotFound, "initialize again: the session has ended"
	case http.StatusMethodNotAllowed:
		code = MethodNotAllowed
	case http.StatusConflict:
		code, hint = Conflict, "one stream of a session at a time"
	case http.StatusUnsupportedMediaType:
		code, hint = UnsupportedMedia, "send Content-Type: "+mediaJSON
	case http.StatusInternalServerError:
		code = Internal
	}
	problem(code, strings.TrimSpace(w.detail.String())).hint(hint).reply(w.ResponseWriter)
}
