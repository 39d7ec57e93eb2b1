package api

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"time"

	"learnloop.dev/bus"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Repeating is part of the arguments of what creates something: who does not hear the
// answer sends the same again under the same key, and is answered as the first time.
type Repeating struct {
	Key string `json:"idempotency_key,omitzero" header:"Idempotency-Key" maxLength:"200" doc:"Of your choice: the same request with it is done once."`
}

func (r Repeating) once() string { return r.Key }

// fresh is an id that follows from a request that has a key: who sends it again when the
// answer was lost finds what was made.
func (r Repeating) fresh(who string, request any) (string, error) {
	if r.Key == "" {
		return freshName(), nil
	}
	seal, err := sealOf("id\x00"+who+"\x00"+r.Key, request)
	return strings.ToLower(base32.StdEncoding.EncodeToString(seal)[:freshID]), err
}

// event is the id of the event of a request; one that follows from it when it has a key.
func (r Repeating) event(who string, request any) (string, error) {
	if r.Key == "" {
		return eventID(), nil
	}
	return r.fresh("event\x00"+who, request)
}

// bodySchema is the schema of a body, to add to.
func bodySchema(r huma.Registry, body reflect.Type) *huma.Schema {
	s := *r.Schema(body, false, "")
	s.Properties = maps.Clone(s.Properties)
	return &s
}

// repeating adds the key to the schema of a body.
func repeating(s *huma.Schema) *huma.Schema {
	s.Properties["idempotency_key"] = &huma.Schema{Type: huma.TypeString, MaxLength: new(200),
		Description: "Of your choice: the same request with it is done once."}
	s.PrecomputeMessages()
	return s
}

// repeatable is an In that may bring a key.
type repeatable interface{ once() string }

// receipts remember answers to requests that brought a key, in a bucket of their own, so
// that any process knows them, and after a restart too. Neither the request nor the
// answer can be read from what stands there without the key.
type receipts struct {
	now    func() time.Time
	bucket *bus.Bucket
}

const (
	slots    = 1 << 14        // keys of the bucket: of two requests in one the later is remembered
	keptTime = 24 * time.Hour // how long an answer is remembered
	mostKept = 8 << 10        // the largest answer that is, in bytes; all of learnings.create fit but those with long texts
)

// kept is what is kept of a request.
type kept struct {
	Key    []byte    `json:"key"`             // seal of the key
	Seal   []byte    `json:"seal"`            // of the request, by the key
	Answer []byte    `json:"answer,omitzero"` // encrypted by the key; absent while it is being done
	Until  time.Time `json:"until"`
}

// keptAnswer is an answer as it is kept.
type keptAnswer struct {
	Data    jsontext.Value    `json:"data"`
	Headers map[string]string `json:"headers,omitzero"`
	Status  int               `json:"status"`
	Made    string            `json:"made,omitzero"`
}

// once does what a request asks for, unless it was done for the same key before.
func (r *receipts) once(ctx context.Context, secret []byte, in any, do func() (answer, error)) (answer, error) {
	seal, err := sealOf(string(secret), in)
	if err != nil {
		return answer{}, err
	}
	now := kept{Key: tagOf(secret), Seal: seal}
	cell, was, err := r.find(ctx, slotOf(secret))
	if err != nil {
		return answer{}, err
	}
	if hmac.Equal(was.Key, now.Key) && r.now().Before(was.Until) {
		return was.again(secret, seal)
	}
	if err := r.put(ctx, cell, now, patience+answerTime); errors.Is(err, bus.ErrFenced) {
		return answer{}, beingDone()
	} else if err != nil {
		return answer{}, unreachable(err)
	}
	ans, err := do()
	if data, kerr := json.Marshal(keptAnswer{ans.data, ans.headers, ans.status, ans.made}); err == nil && kerr == nil && len(data) <= mostKept {
		now.Answer = closed(secret, data)
	}
	r.settle(context.WithoutCancel(ctx), slotOf(secret), now)
	return ans, err
}

func beingDone() *Problem {
	return problem(Conflict, "the same request is being done").with("Retry-After", "1").hint("send it again in a moment")
}

// again is what the same request was told.
func (k kept) again(secret, seal []byte) (ans answer, err error) {
	if !hmac.Equal(k.Seal, seal) {
		return ans, wrong(Invalid, "/idempotency_key", "a key that was not sent with another request")
	}
	if k.Answer == nil {
		return ans, beingDone()
	}
	var was keptAnswer
	data, err := opened(secret, k.Answer)
	if err == nil {
		err = json.Unmarshal(data, &was)
	}
	if err != nil {
		return ans, errors.New("read an answer that was kept") // the error itself may quote it
	}
	return answer{data: was.Data, headers: was.Headers, status: was.Status, made: was.Made}, nil
}

// find returns what stands in a slot.
func (r *receipts) find(ctx context.Context, slot string) (c bus.Cell, k kept, err error) {
	c.Key = slot
	found, err := r.bucket.Find(ctx, slot)
	if err != nil {
		return c, k, unreachable(fmt.Errorf("look up an answer: %w", err))
	}
	if len(found) > 0 {
		c = found[0]
		_ = json.Unmarshal(c.Value, &k) // what is not ours is no answer
	}
	return c, k, nil
}

func (r *receipts) put(ctx context.Context, c bus.Cell, k kept, keep time.Duration) error {
	k.Until = r.now().Add(keep).UTC()
	data, err := json.Marshal(k)
	if err != nil {
		return fmt.Errorf("encode an answer: %w", err)
	}
	c.Value, c.Keep = data, keep
	return r.bucket.Put(ctx, []bus.Cell{c})
}

// settle keeps an answer. What failed, and what is too large, has none and is forgotten:
// the same request is done again then. So it is when this fails, or when the slot has
// another owner.
func (r *receipts) settle(ctx context.Context, slot string, now kept) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	cell, was, err := r.find(ctx, slot)
	switch {
	case err != nil || !hmac.Equal(was.Key, now.Key):
	case now.Answer == nil:
		_ = r.bucket.Remove(ctx, cell)
	default:
		_ = r.put(ctx, cell, now, keptTime)
	}
}

// secretOf is what a key stands for, to one caller of one operation.
func secretOf(name, who, key string) []byte {
	sum := sha256.Sum256([]byte(name + "\x00" + who + "\x00" + key))
	return sum[:]
}

// tagOf tells secrets apart, and nothing about them.
func tagOf(secret []byte) []byte {
	h := hmac.New(sha256.New, secret)
	_, _ = h.Write([]byte("tag")) // a hash does not fail
	return h.Sum(nil)
}

// slotOf is where an answer is kept.
func slotOf(secret []byte) string {
	return fmt.Sprintf("%04x", binary.BigEndian.Uint16(tagOf(secret))%slots)
}

// closed encrypts what only who has the secret may read.
func closed(secret, data []byte) []byte {
	box := boxOf(secret)
	nonce := make([]byte, box.NonceSize(), box.NonceSize()+len(data)+box.Overhead())
	_, _ = rand.Read(nonce) // does not fail
	return box.Seal(nonce, nonce, data, nil)
}

func opened(secret, data []byte) ([]byte, error) {
	box := boxOf(secret)
	n := min(box.NonceSize(), len(data))
	return box.Open(nil, data[:n], data[n:], nil)
}

func boxOf(secret []byte) cipher.AEAD {
	block, err := aes.NewCipher(secret)
	if err != nil {
		panic("api: a secret has 32 bytes") // a sum of SHA-256
	}
	box, err := cipher.NewGCM(block)
	if err != nil {
		panic("api: AES has blocks of 16 bytes")
	}
	return box
}
