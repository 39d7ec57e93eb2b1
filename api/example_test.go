package api_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	"learnloop.dev/api"
	"learnloop.dev/bus"

	"github.com/nats-io/nats.go/jetstream"
)

// A client asks for what generators know about a rule, here of one nobody gave
// feedback about, and branches on the code of an error.
func ExampleClient() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "learnloop")
	if err != nil {
		log.Panic(err)
	}
	defer os.RemoveAll(dir)
	server, err := bus.Serve(bus.Options{Dir: dir, StoreKey: "an example"})
	if err != nil {
		log.Panic(err)
	}
	defer server.Shutdown()
	nc, err := server.ConnectStage("example")
	if err != nil {
		log.Panic(err)
	}
	defer nc.Close()
	if js, err := jetstream.New(nc); err != nil {
		log.Panic(err)
	} else if _, err := bus.Ensure(ctx, js, bus.Layout{Partitions: 1}); err != nil {
		log.Panic(err)
	}
	a, err := api.New(api.Deps{Conn: nc, Partitions: 1})
	if err != nil {
		log.Panic(err)
	}
	stop, err := a.ServeNATS(nc)
	if err != nil {
		log.Panic(err)
	}
	defer func() { _ = stop() }()

	client := api.NewClient(nc)
	var rule struct {
		ID          string `json:"id"`
		SampleCount int    `json:"sample_count"`
	}
	if err := client.Call(ctx, "rules.get", api.RuleArgs{ID: "passive-voice"}, &rule); err != nil {
		log.Panic(err)
	}
	fmt.Println(rule.ID, rule.SampleCount)

	err = client.Call(ctx, "contexts.get", api.ContextArgs{Kind: "goal", ID: "migrate"}, nil)
	if p, ok := errors.AsType[*api.Problem](err); ok {
		fmt.Println(p.Code, p.Status)
	}
	// Output:
	// passive-voice 0
	// not_found 404
}
