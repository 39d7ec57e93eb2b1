package ingest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/inorder"

	"github.com/go-json-experiment/json"
)

// ReplayJudged is the kind of the notice with what one process has counted of a
// replay so far; the last one counts. Its subject goes on with the replay and the
// process.
const ReplayJudged events.Kind = "replay.judged"

// Judged counts the events of a replay that did not go into the log. It is for
// the person who waits for the replay: a crash may count some twice.
type Judged struct {
	Refused  int `json:"refused"`
	Declined int `json:"declined"`
	// Waiting are parked, less those released; negative where others had parked them.
	Waiting int `json:"waiting"`
	// Letters tells of the first that were refused where they came and where their letter is.
	Letters []Found `json:"letters,omitzero"`
}

// Found is where a refused event came in, and its dead letter, which may be older.
type Found struct {
	Sequence uint64 `json:"sequence" doc:"Of the message in the inbox."`
	Index    int    `json:"index" doc:"Within a batch message."`
	Letter   uint64 `json:"dlq_sequence" doc:"Of its dead letter, which an earlier event like it may have left."`
}

// mostFound is of how many refused events of a replay it is told where they are.
const mostFound = 100

func (j Judged) plus(more Judged) Judged {
	letters := slices.Concat(j.Letters, more.Letters)
	inorder.Sort(letters, func(a, b Found) int {
		return cmp.Or(cmp.Compare(a.Sequence, b.Sequence), cmp.Compare(a.Index, b.Index), cmp.Compare(a.Letter, b.Letter))
	})
	letters = slices.Compact(letters) // what was delivered again
	return Judged{j.Refused + more.Refused, j.Declined + more.Declined, j.Waiting + more.Waiting,
		letters[:min(len(letters), mostFound)]}
}

// judged are counts by replay.
type judged map[string]Judged

// add counts more; an event of no replay is nobody's.
func (c *judged) add(replay string, more Judged) {
	if replay == "" {
		return
	}
	if *c == nil {
		*c = judged{}
	}
	(*c)[replay] = (*c)[replay].plus(more)
}

// Notices publishes what whoever listens may want to know.
type Notices interface {
	Put(ctx context.Context, notices []bus.Notice) error
}

// Replays tells what this process counted of the latest replays. It is safe for
// concurrent use.
type Replays struct {
	notices Notices
	process string

	mu    sync.Mutex // held while publishing, so that the last notice is the newest
	byID  judged     // guarded by mu
	order []string   // guarded by mu; oldest first
}

// remembered is how many replays are kept.
const remembered = 64

// NewReplays tells over notices; process is a name that no other process has,
// not even this one after a restart.
func NewReplays(notices Notices, process string) *Replays {
	return &Replays{notices: notices, process: process, byID: judged{}}
}

// tell adds counts and publishes the sums.
func (r *Replays) tell(ctx context.Context, counts judged) error {
	if len(counts) == 0 {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	var notices []bus.Notice
	for replay, more := range counts {
		sum := r.byID[replay].plus(more)
		data, err := json.Marshal(sum)
		if err != nil {
			return fmt.Errorf("encode counts of a replay: %w", err)
		}
		notices = append(notices, bus.Notice{Kind: ReplayJudged, ID: replay + "/" + r.process,
			About: []string{replay, r.process}, Data: data})
	}
	if err := r.notices.Put(ctx, notices); err != nil {
		return fmt.Errorf("tell how %d replays are: %w", len(counts), err)
	}
	for replay, more := range counts {
		r.keep(replay, more)
	}
	return nil
}

// keep adds counts to what is remembered.
func (r *Replays) keep(replay string, more Judged) {
	if _, known := r.byID[replay]; !known {
		if len(r.order) == remembered {
			delete(r.byID, r.order[0])
			r.order = r.order[1:]
		}
		r.order = append(r.order, replay)
	}
	r.byID[replay] = r.byID[replay].plus(more)
}
