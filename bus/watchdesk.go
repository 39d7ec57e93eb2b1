package bus

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/nats-io/nats.go"
)

const (
	deskTimeout  = 15 * time.Second
	idleWatch    = 5 * time.Minute // a watch without a watcher is forgotten after at most this
	strangerMark = "learnloop_stranger"
)

var (
	consumerName = regexp.MustCompile(`^[A-Za-z0-9_=-]{1,128}$`)
	plainSubject = regexp.MustCompile(`^[^\s\x00-\x1f"\\]{1,1000}$`)
	inboxSubject = regexp.MustCompile(`^_INBOX(\.[A-Za-z0-9_-]{1,64}){1,8}$`)
)

// watchFields are the consumer settings that the official clients use to read a bucket.
// A request that sets any other is refused.
var watchFields = []string{
	"name", "description", "deliver_subject", "deliver_policy", "opt_start_seq", "opt_start_time",
	"ack_policy", "ack_wait", "max_deliver", "filter_subject", "filter_subjects", "replay_policy",
	"flow_control", "idle_heartbeat", "headers_only", "max_waiting", "max_ack_pending", "max_batch",
	"max_expires", "max_bytes", "inactive_threshold", "num_replicas", "mem_storage", "metadata",
}

// watchDesk creates the consumers through which strangers watch the open buckets. It decides
// where they deliver, so that the server never publishes where a stranger says.
type watchDesk struct{ nc *nats.Conn }

// deskQueue is what all desks of a server form together: each request is taken once.
const deskQueue = "learnloop"

// ServeWatches creates the consumers of clients that may not create their own, on a server elsewhere,
// until stop is called. Any number of processes may serve them; the embedded server does it itself.
func ServeWatches(nc *nats.Conn) (stop func() error, err error) {
	d := &watchDesk{nc: nc}
	var subs []*nats.Subscription
	stop = func() (err error) {
		for _, sub := range subs {
			err = errors.Join(err, sub.Unsubscribe())
		}
		return err
	}
	for subject, handle := range map[string]func(*nats.Msg) ([]byte, error){deskCreate: d.create, deskDelete + ".*.*": d.remove} {
		sub, err := nc.QueueSubscribe(subject, deskQueue, d.answer(handle))
		if err != nil {
			return nil, errors.Join(fmt.Errorf("open watch desk: %w", err), stop())
		}
		subs = append(subs, sub)
	}
	if err := nc.Flush(); err != nil {
		return nil, errors.Join(fmt.Errorf("open watch desk: %w", err), stop())
	}
	return stop, nil
}

// answer replies in the form of the JetStream API, refusals included.
func (d *watchDesk) answer(handle func(*nats.Msg) ([]byte, error)) nats.MsgHandler {
	return func(m *nats.Msg) {
		reply, err := handle(m)
		if err != nil {
			reply = refusal(err)
		}
		_ = m.Respond(reply) // a stranger without a reply subject does not want to know
	}
}

func refusal(err error) []byte {
	type apiError struct {
		Code        int    `json:"code"`
		ErrCode     int    `json:"err_code"`
		Description string `json:"description"`
	}
	raw, _ := json.Marshal(struct {
		Error apiError `json:"error"`
	}{apiError{Code: 403, ErrCode: 10025, Description: err.Error()}}, jsontext.AllowInvalidUTF8(true))
	return raw
}

// order is a consumer create request of the JetStream API.
type order struct {
	Stream   string `json:"stream_name"`
	Config   spec   `json:"config"`
	Action   string `json:"action,omitempty"`
	Pedantic bool   `json:"pedantic,omitempty"`
}

func (d *watchDesk) create(m *nats.Msg) ([]byte, error) {
	request, err := readOrder(m.Data)
	if err != nil {
		return nil, err
	}
	reply, err := d.nc.Request(request.subject, request.body, deskTimeout)
	if err != nil {
		return nil, errors.New("consumer could not be created")
	}
	return bytes.ReplaceAll(reply.Data, []byte(`"`+request.delivery+`"`), []byte(`"`+request.inbox+`"`)), nil
}

// deskRequest is what the desk sends to the server.
type deskRequest struct {
	subject         string
	body            []byte
	inbox, delivery string // where the stranger listens, and where the server delivers instead
}

// readOrder makes a request of ours out of a stranger's, or refuses it.
func readOrder(raw []byte) (r deskRequest, err error) {
	var o order
	if err := json.Unmarshal(raw, &o, json.RejectUnknownMembers(true)); err != nil {
		return r, errors.New("consumer request is not valid")
	}
	bucket, ok := strings.CutPrefix(o.Stream, streamOf(""))
	if !ok || !slices.Contains(openBuckets(), bucket) {
		return r, errors.New("consumers without credentials are for the buckets " + strings.Join(openBuckets(), ", "))
	}
	if o.Config == nil {
		return r, errors.New("consumer request has no configuration")
	}
	if err := o.Config.restrict(); err != nil {
		return r, err
	}
	r.inbox, r.delivery = o.Config.redirect()
	if r.subject, err = o.Config.createSubject(bucket); err != nil {
		return r, err
	}
	o.Action = "create" // never changes a consumer that stands
	if r.body, err = json.Marshal(o); err != nil {
		return r, errors.New("consumer request is not valid")
	}
	return r, nil
}

// remove deletes consumers that this desk created and no others.
func (d *watchDesk) remove(m *nats.Msg) ([]byte, error) {
	path := strings.TrimPrefix(m.Subject, deskDelete) // the door leads here from the open buckets alone
	info, err := d.nc.Request("$JS.API.CONSUMER.INFO"+path, nil, deskTimeout)
	if err != nil {
		return nil, errors.New("consumer could not be looked up")
	}
	if !bytes.Contains(info.Data, []byte(`"`+strangerMark+`"`)) && !bytes.Contains(info.Data, []byte(`"error"`)) {
		return nil, errors.New("consumer belongs to somebody else")
	}
	reply, err := d.nc.Request("$JS.API.CONSUMER.DELETE"+path, nil, deskTimeout)
	if err != nil {
		return nil, errors.New("consumer could not be deleted")
	}
	return reply.Data, nil
}

// spec is a consumer configuration whose unread fields pass as they are.
type spec map[string]jsontext.Value

func (s spec) restrict() error {
	for field, value := range s {
		if isZero(value) {
			delete(s, field)
		} else if !slices.Contains(watchFields, field) {
			return errors.New("consumers without credentials are short-lived and read only")
		}
	}
	if to := s.text("deliver_subject"); s["deliver_subject"] != nil && !inboxSubject.MatchString(to) {
		return errors.New("consumers without credentials deliver to " + inboxPrefix + "> only")
	}
	idle := idleWatch
	if given := s.number("inactive_threshold"); given > 0 {
		idle = min(idle, time.Duration(given))
	}
	s["inactive_threshold"] = jsontext.Value(strconv.FormatInt(idle.Nanoseconds(), 10))
	s["mem_storage"] = jsontext.Value("true")
	s["num_replicas"] = jsontext.Value("1")
	s["metadata"] = jsontext.Value(`{"` + strangerMark + `":"1"}`)
	return nil
}

// redirect moves the delivery to where the strangers' account imports it from.
func (s spec) redirect() (inbox, delivery string) {
	if s["deliver_subject"] == nil {
		return "", ""
	}
	inbox = s.text("deliver_subject")
	delivery = deliverPrefix + strings.TrimPrefix(inbox, inboxPrefix)
	s["deliver_subject"] = jsontext.Value(`"` + delivery + `"`)
	return inbox, delivery
}

// createSubject names the consumer and its filter, as the server wants it.
func (s spec) createSubject(bucket string) (string, error) {
	keys := "$KV." + bucket + "."
	filters := []string{}
	if raw := s["filter_subjects"]; raw != nil && json.Unmarshal(raw, &filters) != nil {
		return "", errors.New("filter_subjects is not a list of subjects")
	}
	single := s["filter_subject"] != nil
	if single {
		filters = append(filters, s.text("filter_subject"))
	}
	for _, filter := range filters {
		if !strings.HasPrefix(filter, keys) || !plainSubject.MatchString(filter) {
			return "", errors.New("consumers without credentials filter " + keys + "> only")
		}
	}
	subject := "$JS.API.CONSUMER.CREATE." + streamOf(bucket)
	if s["name"] == nil {
		return subject, nil
	}
	name := s.text("name")
	if !consumerName.MatchString(name) {
		return "", errors.New("consumer name is not valid")
	}
	subject += "." + name
	if single {
		subject += "." + filters[0]
	}
	return subject, nil
}

func (s spec) text(field string) (text string) {
	_ = json.Unmarshal(s[field], &text) // anything but a string reads as empty and is refused where it matters
	return text
}

func (s spec) number(field string) (n int64) {
	_ = json.Unmarshal(s[field], &n)
	return n
}

func isZero(v jsontext.Value) bool {
	switch string(v) {
	case `null`, `""`, `0`, `false`, `[]`, `{}`:
		return true
	}
	return false
}
