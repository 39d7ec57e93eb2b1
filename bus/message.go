package bus

import (
	"errors"
	"fmt"
)

var (
	// ErrTooLarge means that a message, or a fenced batch, is larger than the server takes.
	ErrTooLarge = errors.New("too large")
	// ErrSubject means that a subject is empty, holds a wildcard or a space, or is too long.
	ErrSubject = errors.New("subject is not valid")
)

const (
	subjectBytes = 1000 // a protocol line of 4096 bytes closes the connection
	headerBytes  = 512  // room for the headers of the batch itself
)

// Message is one message to append.
type Message struct {
	Subject string
	Header  map[string][]string
	Data    []byte
	// Value is what Data says, if somebody in this process would otherwise decode it: it goes to a Tap
	// only. Nobody may change it any more.
	Value any
	// ExpectLast fences the message: its subject must be at this sequence, 0 for no message yet.
	// At most one message of an append may be on a fenced subject.
	ExpectLast *uint64
	// ExpectOn is the subject that must be at ExpectLast when it is another one; only a Sender knows it.
	ExpectOn string
}

func (m Message) size() int { return len(m.Subject) + len(m.Data) + headerSize(m.Header) }

func headerSize(header map[string][]string) (n int) {
	for name, values := range header {
		for _, value := range values {
			n += len(name) + len(value) + 4
		}
	}
	return n
}

// check refuses what would close the connection or leave a batch half sent.
func (m Message) check(maxPayload int64) error {
	if !validSubject(m.Subject) {
		return ErrSubject
	}
	if int64(m.size()+headerBytes) > maxPayload {
		return fmt.Errorf("message of %d bytes: %w", m.size(), ErrTooLarge)
	}
	return nil
}

func validSubject(s string) bool {
	token := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == '.' && token == 0, c <= ' ', c == 0x7f, c == '*', c == '>':
			return false
		case c == '.':
			token = 0
		default:
			token++
		}
	}
	return token > 0 && len(s) <= subjectBytes
}
