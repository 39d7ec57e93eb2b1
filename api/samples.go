package api

import (
	"context"
	"net/http"
	"reflect"
	"time"

	"learnloop.dev/learn/samples"

	"github.com/danielgtaylor/huma/v2"
)

// registerSamples lists the operations on learning samples.
func (a *API) registerSamples(r *Registry) {
	Add(r, Operation[SampleArgs, SampleMetrics]{
		Name: "samples.metrics", Method: http.MethodGet, Path: "/api/samples/metrics", Tag: "samples", Access: Read,
		Summary:     "How good the samples are, over all and by family",
		Description: "Exact to the timestamp, from the records kept. Rates are of samples that have a label; the others stand beside them.",
		Aliases:     sampleAliases(),
		Do:          a.sampleMetrics,
	})
}

// sampleAliases are the names that the source documents have for arguments.
func sampleAliases() map[string]string {
	return map[string]string{"family": "families", "sample_family": "families", "start": "from", "end": "to",
		"start_date": "from", "end_date": "to", "cursor": "after"}
}

// SampleArgs narrow samples down; without any everything counts.
type SampleArgs struct {
	From     time.Time `json:"from,omitzero" query:"from" doc:"Event time from which on samples count, RFC 3339."`
	To       time.Time `json:"to,omitzero" query:"to" doc:"Event time before which samples count."`
	Families []string  `json:"families,omitzero" query:"families,explode" nullable:"false" doc:"Sample families; repeat the argument for several."`
}

func (in *SampleArgs) check() error { return checkPeriod(in.From, in.To) }

func (in *SampleArgs) filter() samples.Filter {
	return samples.Filter{From: in.From, To: in.To, Families: in.Families}
}

// SampleMetrics are the quality metrics of source document 002.
type SampleMetrics struct{ samples.Metrics }

// Schema describes them.
func (*SampleMetrics) Schema(r huma.Registry) *huma.Schema {
	return r.Schema(reflect.TypeFor[samples.Metrics](), true, "")
}

func (a *API) sampleMetrics(ctx context.Context, in *SampleArgs) (*SampleMetrics, error) {
	t, err := a.sampleTallies(ctx, in.filter())
	if err != nil {
		return nil, err
	}
	return &SampleMetrics{t.Metrics()}, nil
}

func (a *API) sampleTallies(ctx context.Context, f samples.Filter) (samples.Tallies, error) {
	parts, err := askModel[samples.Tallies](ctx, a.asker, question{Model: samples.Name, Ask: samples.AskTallies}, f)
	return samples.MergeTallies(parts...), err
}
