package app_test

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

// wrapping is a message that is wrong around its data.
type wrapping struct {
	name              string
	message           message
	pointer, expected string
}

func wrappings() []wrapping {
	with := func(attribute string) message {
		return structured(strings.Replace(event("e", fixType, fix("r")), `"id":"e"`, attribute, 1))
	}
	header := func(name, value string) message {
		m := binary("e", fixType, fix("r"))
		m.header[name] = value
		return m
	}
	return []wrapping{
		{"half an event", structured(`{"specversion":"1.0","id":"` + marker), "", "JSON"},
		{"no event", structured(quoted(marker)), "", "object"},
		{"no id", with(`"x":"` + marker + `"`), "/id", "required"},
		{"an empty id", with(`"id":""`), "/id", "not empty"},
		{"another version", structured(strings.Replace(event("e", fixType, fix("r")), "1.0", marker, 1)), "/specversion", "1.0"},
		{"an attribute twice", with(`"id":"e","source":"` + marker + `"`), "/source", "once"},
		{"a time that is none", with(`"id":"e","time":"` + marker + `"`), "/time", "RFC 3339"},
		{"CR and LF in an id", with(`"id":"` + marker + `\r\n"`), "/id", "control characters"},
		{"NUL in an id", with(`"id":"` + marker + `\u0000"`), "/id", "control characters"},
		{"a long id", with(`"id":"` + strings.Repeat(marker, 200) + `"`), "/id", "2048 bytes"},
		{"a name that is none", with(`"id":"e","` + marker + `":"x"`), "/*", "lower-case"},
		{"CR and LF in a header", header("ce-id", marker+"%0D%0A"), "/id", "control characters"},
		{"latin 1 in a header", header("ce-source", marker+"%E4"), "/source", "UTF-8"},
		{"a header name that is none", header("ce-"+marker, "x"), "/*", "lower-case"},
		{"another encoding", header("Content-Type", "application/json; charset="+marker), "/datacontenttype", "UTF-8"},
		{"a batch that is none", message{batch().header, event(marker, fixType, fix("r"))}, "", "array"},
		{"a format that is none", message{map[string]string{"Content-Type": "application/cloudevents+" + marker}, "{}"}, "", "application/cloudevents+json"},
	}
}

func TestAnEventWhoseEnvelopeIsWrongIsRefusedWithItsPlace(t *testing.T) {
	a := meet(t, t.TempDir())
	for _, w := range wrappings() {
		t.Run(w.name, func(t *testing.T) {
			a.publish(t, w.message)
			m := mistake{reason: "malformed", pointer: w.pointer, expected: w.expected}
			m.check(t, a.letter(t, "ingest"))
			if got := a.post(t, w.message); got.Status < 400 || got.Status >= 500 {
				t.Errorf("%+v", got)
			}
		})
	}
	a.unsaid(t, marker)
}

func TestABatchThatIsCutOffKeepsWhatIsWhole(t *testing.T) {
	a := meet(t, t.TempDir())
	cut := batch(event("1", fixType, fix("r")), event("2", fixType, fix("r")))
	cut.body = cut.body[:len(cut.body)-20]
	a.publish(t, cut)
	mistake{reason: "malformed"}.check(t, a.letter(t, "ingest"))
	a.drained(t)
	a.reflected(t, 1)
	if got := a.total(t); got != 1 {
		t.Errorf("%d events count", got)
	}
}

func TestEachRefusalLeavesALetterOfItsOwn(t *testing.T) {
	a := meet(t, t.TempDir())
	refused := []message{
		structured(`{"half`), structured(`{"another half`), structured(`{}`), batch(`{`), batch(`{}`, `{}`),
		structured(event("1", fixType, `{}`)), structured(event("2", fixType, `{}`)),
	}
	const letters = 9 // each of the batches leaves two
	for range 2 {     // the same again is the same letter
		for _, m := range refused {
			a.post(t, m)
		}
	}
	var list struct {
		Letters []struct{ Size int }
	}
	_, body := a.ask(t, "GET /api/dlq", a.operator(t))
	decode(t, body, &list)
	if len(list.Letters) != letters {
		t.Errorf("%d letters, want %d", len(list.Letters), letters)
	}
	for _, l := range list.Letters {
		if l.Size == 0 {
			t.Errorf("a letter does not tell the size: %+v", list.Letters)
		}
	}
}

func TestWhatIsLargerThanAnyMessageIsRefusedAtTheDoor(t *testing.T) {
	a := meet(t, t.TempDir())
	const size = 8<<20 + 64<<10 // a little more than is read, so that nobody writes into a closed door
	huge := structured(event("huge", fixType, fix("r", "was done", strings.Repeat(marker, size/len(marker)))))
	if got := a.post(t, huge); got.Status != 413 || got.Code != "too_large" {
		t.Errorf("%+v", got)
	}
	if err := a.nc.Publish("learn.in.feedback.fix", []byte(huge.body)); !errors.Is(err, nats.ErrMaxPayload) {
		t.Errorf("over NATS: %v", err)
	}
	a.publish(t, structured(event("right", fixType, fix("r"))))
	a.drained(t)
	a.reflected(t, 1)
	if got := a.total(t); got != 1 {
		t.Errorf("%d events count", got)
	}
}

// blocks are header blocks that are none, as a client of its own making sends them.
var blocks = []string{
	marker + "\r\n\r\n",
	"NATS/1.0\r\n" + marker + "\r\n\r\n",
	"NATS/1.0\r\nce-id: " + marker + "\r\nce-id: a\rb\nc\r\n\r\n",
	"NATS/1.0\r\nce-id:\x00\x01\x7f" + marker + "\r\n\r\n",
	"NATS/1.0\r\n ce-id : " + marker + "\r\n\r\n",
	"NATS/1.0\r\nce-id: " + marker,
	"NATS/1.0\r\nce-id: \xff\xfe" + marker + "\r\nce-type: " + fixType + "\r\n\r\n",
	"HTTP/1.1 200 OK\r\nce-id: " + marker + "\r\n\r\n",
	"\r\n\r\n\r\n\r\n",
}

func TestHeadersThatAreNoneAreRefusedAndTheConnectionLives(t *testing.T) {
	a := meet(t, t.TempDir())
	c := dial(t, strings.TrimPrefix(a.Addresses().NATS, "nats://"))
	for _, block := range blocks {
		body := fix("r")
		c.send(t, fmt.Sprintf("HPUB learn.in.feedback.fix %d %d\r\n%s%s\r\n", len(block), len(block)+len(body), block, body))
		if l := a.letter(t, "ingest"); l.Reason != "malformed" || strings.Contains(l.raw, marker) {
			t.Errorf("%q: %s", block, l.raw)
		}
	}
	right := event("right", fixType, fix("r"))
	c.send(t, fmt.Sprintf("PUB learn.in.feedback.fix %d\r\n%s\r\n", len(right), right))
	a.drained(t)
	a.reflected(t, 1)
	if got := a.total(t); got != 1 {
		t.Errorf("%d events count", got)
	}
	a.unsaid(t, marker)
}

// raw is a connection that speaks the protocol itself.
type raw struct {
	net.Conn
	in *bufio.Reader
}

func dial(t *testing.T, address string) raw {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	c := raw{conn, bufio.NewReader(conn)}
	if line, err := c.in.ReadString('\n'); err != nil || !strings.HasPrefix(line, "INFO") {
		t.Fatalf("%q %v", line, err)
	}
	c.send(t, `CONNECT {"verbose":false,"pedantic":false,"headers":true,"no_responders":true,"protocol":1}`+"\r\n")
	return c
}

// send sends bytes and waits until the server has read them.
func (c raw) send(t *testing.T, text string) {
	t.Helper()
	if _, err := c.Write([]byte(text + "PING\r\n")); err != nil {
		t.Fatal(err)
	}
	for {
		switch line, err := c.in.ReadString('\n'); {
		case err != nil:
			t.Fatalf("the connection is lost: %v", err)
		case strings.HasPrefix(line, "-ERR"):
			t.Fatal(line)
		case strings.HasPrefix(line, "PONG"):
			return
		}
	}
}
