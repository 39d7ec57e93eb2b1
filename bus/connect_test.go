package bus

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
)

// oldServer greets one client with a version of its own.
func oldServer(t *testing.T, version string) (url string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		fmt.Fprintf(c, "INFO {\"version\":%q,\"headers\":true,\"max_payload\":1024,\"proto\":1}\r\nPONG\r\n", version)
		for buf := make([]byte, 1024); err == nil; {
			_, err = c.Read(buf)
		}
	}()
	return "nats://" + l.Addr().String()
}

func TestServersBeforeAtomicBatchesAreRefused(t *testing.T) {
	for _, version := range []string{"2.11.99", "1.4.1", "2.2.0-beta"} {
		if _, err := Connect(oldServer(t, version), "", "test"); !errors.Is(err, ErrServerTooOld) {
			t.Errorf("%s: got %v", version, err)
		}
	}
	for _, version := range []string{"2.12.0", "2.12.0-RC.3", "3.0.0"} {
		nc, err := Connect(oldServer(t, version), "", "test")
		if err != nil {
			t.Errorf("%s: %v", version, err)
			continue
		}
		nc.Close()
	}
}

func TestAPasswordInAURLIsNotRepeatedInErrors(t *testing.T) {
	_, err := Connect("nats://user:secret@127.0.0.1:1", "", "test")
	if err == nil || strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), "127.0.0.1:1") {
		t.Fatalf("got %v", err)
	}
}
