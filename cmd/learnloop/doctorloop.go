package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"learnloop.dev/api"
	"learnloop.dev/app"
	"learnloop.dev/bus"
)

// What the findings about a running loop are about.
const (
	aboutLoop    = "loop"
	aboutVersion = "version"
	aboutClock   = "clock"
	aboutStages  = "stages"
	aboutInbox   = "inbox"
	aboutFolding = "folding"
	aboutRender  = "contexts"
	aboutRefused = "refused"
)

// examineLoop looks at the loop itself, as far as it answers.
func (sh *shell) examineLoop(ctx context.Context) []app.Finding {
	l, err := sh.connect()
	if err != nil {
		return []app.Finding{sh.unreached(err)}
	}
	defer l.close()
	var first api.Status
	asked := time.Now()
	if err := l.client.Call(ctx, "status", nil, &first); err != nil {
		err = l.advise(err)
		return []app.Finding{{About: aboutLoop, Verdict: app.Faulty, Found: err.Error(),
			Do: cmp.Or(hintOf(err), "is a loop behind that NATS server? start one with: learnloop serve")}}
	}
	found := []app.Finding{
		{About: aboutLoop, Verdict: app.Fine, Found: "answers at " + sh.server},
		versionFinding(first), clockFinding(first, asked, time.Now()), stagesFinding(first),
		inboxFinding(streamOf(first, bus.InboxStream)),
	}
	second, err := lookAgain(ctx, l, first)
	if err != nil {
		return append(found, app.Finding{About: aboutFolding, Verdict: app.NotChecked, Found: err.Error()})
	}
	return append(found,
		readersFinding(aboutFolding, "facts to fold", streamOf(first, bus.EventsStream), streamOf(second, bus.EventsStream)),
		readersFinding(aboutRender, "insights to render", streamOf(first, bus.InsightsStream), streamOf(second, bus.InsightsStream)),
		refusedFinding(ctx, l))
}

// between is how long after the first look at readers that are behind the second is.
const between = 3 * time.Second

// lookAgain looks a second time where something is behind: whether it gets on.
func lookAgain(ctx context.Context, l *loop, first api.Status) (second api.Status, err error) {
	if streamWaiting(streamOf(first, bus.EventsStream)) <= manyWaiting && streamWaiting(streamOf(first, bus.InsightsStream)) <= manyWaiting {
		return first, nil
	}
	select {
	case <-time.After(between):
	case <-ctx.Done():
		return first, context.Cause(ctx)
	}
	return second, l.client.Call(ctx, "status", nil, &second)
}

// unreached explains why nobody answers; a process that holds the folder answers
// elsewhere.
func (sh *shell) unreached(err error) app.Finding {
	f := app.Finding{About: aboutLoop, Verdict: app.Faulty, Found: err.Error(), Do: hintOf(err)}
	if pid, held := app.Holder(sh.data); held {
		f.Found = fmt.Sprintf("process %s uses %s, and does not answer at %s", cmp.Or(pid, "(unknown)"), sh.data, sh.server)
		f.Do = "give the NATS address that it printed with --server, or wait until it has started"
	}
	return f
}

func versionFinding(s api.Status) app.Finding {
	if own := app.Version(); own != s.Version {
		return app.Finding{About: aboutVersion, Verdict: app.Worrying,
			Found: fmt.Sprintf("the loop is %s, this command is %s", s.Version, own), Do: "use one version for both"}
	}
	return app.Finding{About: aboutVersion, Verdict: app.Fine, Found: s.Version}
}

// skewed is how far clocks may be apart: sessions and retention go by the clock of who sends.
const skewed = 5 * time.Second

// clockFinding compares the loop's clock with ours; the answer was made between two
// looks at ours.
func clockFinding(s api.Status, asked, told time.Time) app.Finding {
	apart := max(asked.Sub(s.At), s.At.Sub(told), 0)
	if apart > skewed {
		return app.Finding{About: aboutClock, Verdict: app.Worrying, Found: fmt.Sprintf("this machine and the loop are %s apart", apart.Round(time.Second)),
			Do: "set both clocks by a time server: sessions and retention go by the times of events"}
	}
	return app.Finding{About: aboutClock, Verdict: app.Fine, Found: "agrees with this machine's"}
}

func stagesFinding(s api.Status) app.Finding {
	if s.Ready {
		return app.Finding{About: aboutStages, Verdict: app.Fine, Found: "all run"}
	}
	return app.Finding{About: aboutStages, Verdict: app.Faulty, Found: "not ready: " + s.Waiting,
		Do: "wait while it starts; if it stays, the loop's log says why"}
}

// nearlyFull is the part of the inbox's limit from which on somebody should look.
const nearlyFull = .9

func inboxFinding(s api.StreamStatus) app.Finding {
	found := fmt.Sprintf("%s of %s", bytesText(s.Bytes), bytesText(s.Limit))
	if s.Limit > 0 && float64(s.Bytes) >= nearlyFull*float64(s.Limit) {
		return app.Finding{About: aboutInbox, Verdict: app.Faulty, Found: found + " are taken: when it is full, events are turned away",
			Do: "is ingest running and its disk fast enough? events wait with their senders meanwhile"}
	}
	if len(s.Consumers) == 0 {
		return app.Finding{About: aboutInbox, Verdict: app.Faulty, Found: "nobody reads it", Do: "start ingest"}
	}
	return app.Finding{About: aboutInbox, Verdict: app.Fine, Found: found}
}

// manyWaiting is how much may lie before a reader that moves.
const manyWaiting = 10_000

// readersFinding compares two looks at a stream: who has work and does not get on is stuck.
func readersFinding(about, what string, before, now api.StreamStatus) app.Finding {
	if len(now.Consumers) == 0 {
		return app.Finding{About: about, Verdict: app.Faulty, Found: "nobody reads " + now.Name, Do: "start the stage that does"}
	}
	waiting := streamWaiting(now)
	found := strconv.FormatUint(waiting, 10) + " " + what
	switch {
	case waiting > manyWaiting && waiting >= streamWaiting(before):
		return app.Finding{About: about, Verdict: app.Faulty, Found: found + ", and it does not get on",
			Do: "the loop's log says why; learnloop_retried_total at /metrics counts what is tried again"}
	case waiting > manyWaiting:
		return app.Finding{About: about, Verdict: app.Worrying, Found: found + ": contexts are behind",
			Do: "it catches up by itself when less comes in; learnloop status shows how far it is"}
	}
	return app.Finding{About: about, Verdict: app.Fine, Found: found}
}

// streamWaiting is what lies before the slowest reader.
func streamWaiting(s api.StreamStatus) (most uint64) {
	for _, c := range s.Consumers {
		most = max(most, c.Pending)
	}
	return most
}

func streamOf(s api.Status, name string) api.StreamStatus {
	i := slices.IndexFunc(s.Streams, func(o api.StreamStatus) bool { return o.Name == name })
	if i < 0 {
		return api.StreamStatus{Name: name}
	}
	return s.Streams[i]
}

// lately is how long ago a refusal still concerns somebody.
const lately = 24 * time.Hour

// refusedFinding counts what was refused lately, by stage and reason.
func refusedFinding(ctx context.Context, l *loop) app.Finding {
	var list api.Letters
	if err := l.client.Call(ctx, "dlq.list", api.LettersArgs{Limit: 1000}, &list); err != nil {
		return app.Finding{About: aboutRefused, Verdict: app.NotChecked, Found: l.advise(err).Error()}
	}
	counts := map[string]int{}
	for _, letter := range list.Letters {
		if time.Since(letter.At) < lately {
			counts[letter.Stage+" "+string(letter.Reason)]++
		}
	}
	if len(counts) == 0 {
		return app.Finding{About: aboutRefused, Verdict: app.Fine, Found: "nothing in the last day"}
	}
	var parts []string
	for _, why := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%d %s", counts[why], why))
	}
	return app.Finding{About: aboutRefused, Verdict: app.Worrying, Found: "in the last day: " + strings.Join(parts, ", "),
		Do: "learnloop dlq list shows what was wrong, and where"}
}
