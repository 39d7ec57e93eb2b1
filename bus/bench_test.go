//go:build unix

package bus

import (
	"context"
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// perMessage reports throughput and the CPU of the whole process, server included.
func perMessage(b *testing.B, messages int) (stop func()) {
	b.Helper()
	cpu := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	before := cpu()
	b.ResetTimer()
	return func() {
		b.StopTimer()
		n := float64(messages * b.N)
		b.ReportMetric(n/b.Elapsed().Seconds(), "msg/s")
		b.ReportMetric(float64((cpu()-before).Microseconds())/n, "cpu-µs/msg")
	}
}

func BenchmarkAppendThousandOfOneKilobyte(b *testing.B) {
	a := NewAppender(ensured(b, serve(b)).Conn(), EventsStream)
	msgs := facts(0, 1000, 1024)
	stop := perMessage(b, len(msgs))
	for b.Loop() {
		if _, err := a.Append(context.Background(), msgs); err != nil {
			b.Fatal(err)
		}
	}
	stop()
}

// BenchmarkAppendFew shows from how many messages on an atomic batch costs less than
// storing them one by one: see singles.
func BenchmarkAppendFew(b *testing.B) {
	a := NewAppender(ensured(b, serve(b)).Conn(), EventsStream)
	for name, store := range map[string]func([]*request){"singly": a.singly, "together": a.together} {
		for _, n := range []int{2, 8, 32, 128} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				msgs := facts(0, n, 1024)
				stop := perMessage(b, n)
				for b.Loop() {
					r := &request{msgs: msgs}
					if store([]*request{r}); r.err != nil {
						b.Fatal(r.err)
					}
				}
				stop()
			})
		}
	}
}

func BenchmarkAppendOneFromSixtyFourCallers(b *testing.B) {
	a := NewAppender(ensured(b, serve(b)).Conn(), EventsStream)
	msgs := facts(0, 1, 1024)
	b.SetParallelism(32)
	stop := perMessage(b, 1)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := a.Append(context.Background(), msgs); err != nil {
				b.Error(err)
			}
		}
	})
	stop()
}

func BenchmarkPublishAsyncOneKilobyte(b *testing.B) {
	for _, sync := range []time.Duration{0, 2 * time.Minute} {
		b.Run(fmt.Sprintf("sync=%v", sync), func(b *testing.B) {
			js := ensured(b, serve(b, func(o *Options) { o.SyncInterval = sync }))
			msgs := facts(0, 1000, 1024)
			stop := perMessage(b, len(msgs))
			for b.Loop() {
				for _, m := range msgs {
					if _, err := js.PublishAsync(m.Subject, m.Data, jetstream.WithStallWait(time.Minute)); err != nil {
						b.Fatal(err)
					}
				}
				<-js.PublishAsyncComplete()
			}
			stop()
		})
	}
}

func BenchmarkReadTheLog(b *testing.B) {
	js := ensured(b, serve(b))
	const n = 50_000
	appendTo(b, js, EventsStream, facts(0, n, 1024)...)
	stop := perMessage(b, n)
	for b.Loop() {
		l := ReadLog(js, EventsStream, 1)
		for got := 0; got < n; {
			entries, err := l.Next(context.Background())
			if err != nil {
				b.Fatal(err)
			}
			got += len(entries)
		}
		l.Close()
	}
	stop()
}

func BenchmarkTakeFromTheInbox(b *testing.B) {
	js := ensured(b, serve(b, func(o *Options) { o.SyncInterval = time.Minute }))
	const n = 5_000
	fillInbox(b, js, n)
	stop := perMessage(b, n)
	for b.Loop() {
		in := NewInbox(js)
		for got := 0; got < n; {
			batch, err := in.Next(context.Background())
			if err != nil {
				b.Fatal(err)
			}
			for _, d := range batch {
				if err := d.Ack(); err != nil {
					b.Fatal(err)
				}
			}
			got += len(batch)
		}
		in.Close()
		if err := js.DeleteConsumer(context.Background(), InboxStream, "ingest"); err != nil {
			b.Fatal(err)
		}
	}
	stop()
}

func fillInbox(b *testing.B, js jetstream.JetStream, n int) {
	b.Helper()
	for range n {
		if _, err := js.PublishAsync("learn.in.feedback.fix", make([]byte, 1024), jetstream.WithStallWait(time.Minute)); err != nil {
			b.Fatal(err)
		}
	}
	<-js.PublishAsyncComplete()
}

func BenchmarkAStrangerPublishes(b *testing.B) {
	s := serve(b, func(o *Options) { o.SyncInterval = time.Minute })
	ours := ensured(b, s)
	nc, err := Connect(s.URL(), "", "bench")
	if err != nil {
		b.Fatal(err)
	}
	defer nc.Close()
	js := newJetStream(b, nc)
	stop := perMessage(b, 1000)
	for b.Loop() {
		fillInbox(b, js, 1000)
		if err := PurgeUpTo(context.Background(), ours, Purge{InboxStream, "", 1 << 60}); err != nil {
			b.Fatal(err)
		}
	}
	stop()
}
