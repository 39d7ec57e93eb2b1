package bus

import (
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// answerTime is how long a server may take over a request whose context sets no limit: one whose disk
// is slow answers nothing for seconds while it makes a stream.
const answerTime = 30 * time.Second

// JetStream returns the server's JetStream, with patience for a slow disk.
func JetStream(nc *nats.Conn) (jetstream.JetStream, error) {
	js, err := jetstream.New(nc, jetstream.WithDefaultTimeout(answerTime))
	if err != nil {
		return nil, fmt.Errorf("open jetstream: %w", err)
	}
	return js, nil
}
