package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/learn"
	"learnloop.dev/learn/all"
	"learnloop.dev/store"
)

// bareStream is a stream of the benchmark's own, kept like the log.
const bareStream = `{"name":"BENCH","subjects":["bench.>"],"storage":"file","retention":"limits","discard":"new",` +
	`"max_msgs":-1,"max_bytes":-1,"max_age":0,"max_consumers":-1,"max_msg_size":-1,"num_replicas":1,"allow_atomic":true}`

const (
	bareBatch = 1000
	bareBytes = 1000
)

// bareLog measures the log alone: encrypted atomic batches, each on disk before
// the next.
func (b *bench) bareLog(ctx context.Context) error {
	server, err := bus.Serve(bus.Options{Dir: filepath.Join(b.dir, "bare-log"), StoreKey: rand.Text()})
	if err != nil {
		return err
	}
	defer server.Shutdown()
	nc, err := server.ConnectStage("bench")
	if err != nil {
		return err
	}
	defer nc.Close()
	if _, err := nc.Request("$JS.API.STREAM.CREATE.BENCH", []byte(bareStream), 5*time.Second); err != nil {
		return fmt.Errorf("create stream: %w", err)
	}
	appender := bus.NewAppender(nc, "BENCH")
	batch := make([]bus.Message, bareBatch)
	body := make([]byte, bareBytes)
	_, _ = rand.Read(body) // never fails
	for i := range batch {
		batch[i] = bus.Message{Subject: fmt.Sprintf("bench.%d", i%32), Data: body}
	}
	watch := startWatch()
	n := 0
	for ; n < max(b.events, bareBatch); n += bareBatch {
		if _, err := appender.Append(ctx, batch); err != nil {
			return err
		}
	}
	took, cpu := watch.stop()
	b.add("log alone, atomic batches", rate(n, took), "messages/s", "")
	b.add("log alone, CPU", micros(cpu, n), "µs/message", "")
	return nil
}

// bareRow is about as large as what a model keeps.
type bareRow struct {
	N    int64  `json:"n"`
	Text string `json:"text"`
}

// bareStore measures the store alone: read, change and write rows, a thousand
// in each transaction.
func (b *bench) bareStore(ctx context.Context) error {
	s, err := store.Open(store.Options{Dir: filepath.Join(b.dir, "bare-store"), Key: make([]byte, 32)})
	if err != nil {
		return err
	}
	model := all.Models()[0]
	text := benchText("the team wrote the report", 0)[:100]
	watch := startWatch()
	n := 0
	for ; n < max(b.events, bareBatch) && ctx.Err() == nil; n += bareBatch {
		batch := s.Begin()
		for i := range bareBatch {
			rows := model.Open(batch.Partition(i % 32))
			row := learn.At[bareRow](rows, learn.Key{Kind: "bench", ID: strconv.Itoa((n + i*7) % 100_000)}, "row")
			row.N, row.Text = row.N+1, text
		}
		if err := batch.Commit(); err != nil {
			return err
		}
		if err := s.Flush(); err != nil {
			return err
		}
	}
	took, cpu := watch.stop()
	b.add("store alone, 1000 rows a transaction", rate(n, took), "rows/s", "")
	b.add("store alone, CPU", micros(cpu, n), "µs/row", "")
	return s.Close()
}
