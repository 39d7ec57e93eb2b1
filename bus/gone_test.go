package bus

import (
	"errors"
	"testing"

	"github.com/nats-io/nats.go"
)

func TestAnAppenderWhoseServerIsAwaySaysSoAtOnce(t *testing.T) {
	s := serve(t)
	nc, err := s.ConnectStage("appender")
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	gone := nc.StatusChanged(nats.RECONNECTING, nats.CLOSED)
	a := NewAppender(nc, EventsStream)
	s.Shutdown()
	<-gone
	if _, err := a.Append(t.Context(), facts(0, 1, 10)); !errors.Is(err, ErrUnavailable) {
		t.Errorf("%v", err)
	}
}
