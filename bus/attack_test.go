package bus

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// The server publishes its answers on its own authority, wherever the request says.
func TestWhereAStrangerWantsAnswersMatters(t *testing.T) {
	s := serve(t, func(o *Options) { o.AnonymousServices = []string{"learn.svc.stats.get"} })
	ours := product(t, s)
	if _, err := ours.Conn().Subscribe("learn.svc.stats.get", func(m *nats.Msg) { m.Respond([]byte("answer")) }); err != nil {
		t.Fatal(err)
	}
	write(t, ours, "$KV.learn_contexts.rule.evil", 1)
	requests := [][2]string{
		{"$JS.API.INFO"},
		{"$JS.API.STREAM.INFO.KV_learn_contexts"},
		{"$JS.API.DIRECT.GET.KV_learn_contexts", `{"last_by_subj":"$KV.learn_contexts.rule.evil"}`},
		{"$JS.API.DIRECT.GET.KV_learn_contexts.$KV.learn_contexts.rule.evil"},
		{"$JS.API.STREAM.MSG.GET.KV_learn_contexts", `{"seq":1}`},
		{"$JS.API.CONSUMER.CREATE.KV_learn_contexts", `{"stream_name":"KV_learn_contexts","config":{"ack_policy":"none"}}`},
		{"learn.svc.stats.get"},
	}
	targets := []string{"$KV.learn_contexts.rule.passive", "learn.ev.0.feedback.fix", "learn.in.control.settings.changed", "learn.in.learning.revised"}
	c := connectStranger(t, s)
	for _, r := range requests {
		for _, target := range targets {
			if err := c.PublishRequest(r[0], target, []byte(r[1])); err != nil {
				t.Fatal(err)
			}
		}
		c.ask(t, r[0], r[1]) // answered after those above
	}
	// Whatever came before would have taken these sequences.
	write(t, ours, "$KV.learn_contexts.rule.good", 2)
	write(t, ours, "learn.ev.0.feedback.fix", 1)
	write(t, ours, "learn.in.control.settings.changed", 1)
}

func write(t *testing.T, js jetstream.JetStream, subject string, want uint64) {
	t.Helper()
	ack, err := js.Publish(t.Context(), subject, []byte("ours"))
	if err != nil || ack.Sequence != want {
		t.Fatalf("%s: stored as %v %v, want %d", subject, ack, err, want)
	}
}

func (c stranger) ask(t *testing.T, subject, body string) string {
	t.Helper()
	reply, err := c.Request(subject, []byte(body), soon)
	if err != nil {
		t.Fatalf("%s: %v", subject, err)
	}
	return string(reply.Data)
}

func TestAnAnswerOnASubjectThatLeadsBackInIsLost(t *testing.T) {
	s := serve(t)
	ours := product(t, s)
	c := connectStranger(t, s)
	// The acknowledgement of an event is no event, and not one of control either.
	for _, reply := range []string{"learn.in.control.settings.changed", "learn.in.learning.archived"} {
		if err := c.PublishRequest("learn.in.feedback.fix", reply, []byte("{}")); err != nil {
			t.Fatal(err)
		}
	}
	js := newJetStream(t, c.Conn)
	if ack, err := js.Publish(t.Context(), "learn.in.feedback.fix", []byte("{}")); err != nil || ack.Sequence != 3 {
		t.Fatalf("%v %v", ack, err)
	}
	write(t, ours, "learn.in.control.settings.changed", 4)
}

func TestAStrangerMayNotPublishWhatIsReserved(t *testing.T) {
	s := serve(t)
	product(t, s)
	for _, subject := range []string{
		"learn.in.control.settings.changed", "learn.in.control.data.cleared",
		"learn.in.learning.reviewed", "learn.in.learning.revised", "learn.in.learning.archived", "learn.in.learning.superseded",
		"learn.ev.0.feedback.fix", "learn.know.0.rules.a", "learn.at.0", "learn.dlq.ingest.schema", "learn.out.x",
		"$KV.learn_contexts.rule.passive", "$KV.learn_settings.privacy", "_INBOX.somebody", "_LL.deliver.x", deskCreate,
		"learn.svc.data.clear",
		"$JS.API.STREAM.CREATE.X", "$JS.API.STREAM.DELETE.KV_learn_contexts", "$JS.API.STREAM.PURGE.KV_learn_contexts",
		"$JS.API.STREAM.UPDATE.KV_learn_contexts", "$JS.API.STREAM.MSG.DELETE.KV_learn_contexts", "$JS.API.STREAM.SNAPSHOT.KV_learn_contexts",
		"$JS.API.STREAM.NAMES", "$JS.API.STREAM.LIST",
		"$JS.API.STREAM.INFO.LEARN_INBOX", "$JS.API.STREAM.MSG.GET.LEARN_INBOX", "$JS.API.DIRECT.GET.LEARN_EVENTS", "$JS.API.DIRECT.GET.KV_learn_settings",
		"$KV.learn_learnings.learn_a", "$JS.API.STREAM.PURGE.KV_learn_learnings", "$JS.API.STREAM.MSG.DELETE.KV_learn_learnings",
		"$JS.API.CONSUMER.CREATE.LEARN_INBOX", "$JS.API.CONSUMER.CREATE.LEARN_INBOX.x.learn.in.>", "$JS.API.CONSUMER.DURABLE.CREATE.KV_learn_contexts.x",
		"$JS.API.CONSUMER.MSG.NEXT.LEARN_INBOX.ingest", "$JS.API.CONSUMER.DELETE.LEARN_INBOX.ingest", "$JS.API.CONSUMER.INFO.LEARN_EVENTS.x",
		"$JS.API.STREAM.MSG.GET.LEARN_OUT", "$JS.API.DIRECT.GET.LEARN_OUT", "$JS.API.CONSUMER.CREATE.LEARN_OUT.x.learn.out.>",
		"$JS.API.DIRECT.GET.KV_learn_owners", "$KV.learn_owners.x", "$KV.learn_owners.wait.x.y",
		"$JS.ACK.LEARN_INBOX.ingest.1.1.1.1.0", "$SYS.REQ.SERVER.PING", "$JS.EVENT.ADVISORY.X", "refused.x",
	} {
		c := connectStranger(t, s)
		if err := c.Publish(subject, []byte("{}")); err != nil {
			t.Fatal(err)
		}
		c.wantRefused(t, subject)
	}
}

func TestAStrangerMayNotListen(t *testing.T) {
	s := serve(t)
	product(t, s)
	for _, subject := range []string{
		">", "*", "learn.>", "learn.in.>", "learn.in.feedback.fix", "learn.svc.>",
		"learn.out.>", "learn.out.context.changed", // a stranger watches the contexts themselves
		"$JS.>", "$KV.>", "$SYS.>", "$SRV.>", "_LL.>", "_R_.>", "_INBOX_OTHER.>",
	} {
		c := connectStranger(t, s)
		if _, err := c.SubscribeSync(subject); err != nil {
			t.Fatal(err)
		}
		c.wantRefused(t, subject)
	}
}

func TestAStrangerDoesNotHearTheRepliesOfOthers(t *testing.T) {
	creds, public := adminFile(t)
	s := serve(t, func(o *Options) { o.Admins = []string{public} })
	ours := product(t, s)
	c := connectStranger(t, s)
	heard, err := c.SubscribeSync("_INBOX.>")
	if err != nil {
		t.Fatal(err)
	}
	c.ask(t, "$JS.API.INFO", "") // the subscription stands
	before, _ := heard.Delivered()
	left, _, err := heard.Pending()
	if err != nil {
		t.Fatal(err)
	}
	// Even an admin with a client that uses the default inbox.
	admin, err := nats.Connect(s.URL(), nats.UserCredentials(creds))
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close()
	for _, nc := range []*nats.Conn{admin, ours.Conn()} {
		if _, err := nc.Request("$JS.API.STREAM.INFO.LEARN_INBOX", nil, soon); err != nil {
			t.Fatal(err)
		}
	}
	c.ask(t, "$JS.API.INFO", "")
	if now, _, _ := heard.Pending(); now-left != 1 || before != 0 {
		t.Fatalf("heard %d messages besides its own", now-left-1)
	}
}

func TestTheWatchDeskRefusesAnythingButAWatch(t *testing.T) {
	s := serve(t)
	ours := product(t, s)
	c := connectStranger(t, s)
	watch := func(config string) string {
		return c.ask(t, "$JS.API.CONSUMER.CREATE.KV_learn_contexts.w",
			`{"stream_name":"KV_learn_contexts","config":{"name":"w","ack_policy":"none","deliver_policy":"all","replay_policy":"instant"`+config+`}}`)
	}
	for _, config := range []string{
		`,"deliver_subject":"learn.in.control.settings.changed"`,
		`,"deliver_subject":"$KV.learn_contexts.rule.passive"`,
		`,"deliver_subject":"_INBOX"`,
		`,"deliver_subject":"_INBOX.>"`,
		`,"deliver_subject":"_INBOX.a b"`,
		`,"deliver_subject":["learn.in.x"]`,
		`,"durable_name":"w"`,
		`,"Deliver_Subject":"learn.in.x"`,
		`,"sourcing":true`,
		`,"backoff":[1]`,
		`,"filter_subject":"learn.in.>"`,
		`,"filter_subjects":["$KV.learn_contexts.>","$KV.learn_settings.>"]`,
		`,"filter_subject":"$KV.learn_learnings.>"`,
		`,"name":"w"`,
	} {
		if got := watch(config); !strings.Contains(got, `"error"`) {
			t.Errorf("%s: %s", config, got)
		}
	}
	for _, body := range []string{"", "{", `{"stream_name":"LEARN_INBOX","config":{}}`, `{"config":{"name":"a.b"},"stream_name":"KV_learn_contexts"}`} {
		if got := c.ask(t, "$JS.API.CONSUMER.CREATE.KV_learn_contexts", body); !strings.Contains(got, `"error"`) {
			t.Errorf("%s: %s", body, got)
		}
	}
	if got := watch(`,"inactive_threshold":999999999999999,"num_replicas":5,"mem_storage":false,"durable_name":""`); strings.Contains(got, `"error"`) {
		t.Fatalf("a plain watch: %s", got)
	}
	consumer, err := ours.Consumer(t.Context(), "KV_learn_contexts", "w")
	if err != nil {
		t.Fatal(err)
	}
	if got := consumer.CachedInfo().Config; got.InactiveThreshold != idleWatch || !got.MemoryStorage || got.Replicas != 1 {
		t.Fatalf("%+v", got)
	}
}

func TestAStrangerTouchesItsOwnWatchesOnly(t *testing.T) {
	s := serve(t)
	ours := product(t, s)
	watch := jetstream.ConsumerConfig{Name: "ours", AckPolicy: jetstream.AckNonePolicy, MemoryStorage: true, Replicas: 1}
	if _, err := ours.CreateConsumer(t.Context(), "KV_learn_contexts", watch); err != nil {
		t.Fatal(err)
	}
	c := connectStranger(t, s)
	for name, refused := range map[string]bool{"ours": true, "theirs": false} {
		for _, request := range [][2]string{
			{"CREATE", `{"stream_name":"KV_learn_contexts","config":{"name":"` + name + `","ack_policy":"none","deliver_policy":"all","replay_policy":"instant"}}`},
			{"DELETE", ""},
		} {
			got := c.ask(t, "$JS.API.CONSUMER."+request[0]+".KV_learn_contexts."+name, request[1])
			if strings.Contains(got, `"error"`) != refused {
				t.Errorf("%s %s: %s", request[0], name, got)
			}
		}
	}
}

func TestAStrangerPullsToo(t *testing.T) {
	s := serve(t)
	write(t, product(t, s), "$KV.learn_contexts.rule.a", 1)
	js := newJetStream(t, connectStranger(t, s).Conn)
	pull := jetstream.ConsumerConfig{FilterSubject: "$KV.learn_contexts.>", AckPolicy: jetstream.AckExplicitPolicy}
	consumer, err := js.CreateConsumer(t.Context(), "KV_learn_contexts", pull)
	if err != nil {
		t.Fatal(err)
	}
	m, err := consumer.Next(jetstream.FetchMaxWait(soon))
	if err != nil || m.Subject() != "$KV.learn_contexts.rule.a" {
		t.Fatalf("%v %v", m, err)
	}
	if err := m.DoubleAck(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestAStrangersHeadersDoNothingToTheInbox(t *testing.T) {
	s := serve(t)
	ours := stage(t, s)
	if _, err := Ensure(t.Context(), ours, small); err != nil {
		t.Fatal(err)
	}
	c := connectStranger(t, s)
	write(t, ours, "learn.in.feedback.fix", 1)
	for i, header := range []nats.Header{
		{"Nats-Rollup": {"all"}}, {"Nats-Rollup": {"sub"}}, {"Nats-TTL": {"1s"}},
		{batchID: {"b"}, batchSequence: {"1"}, batchCommit: {"1"}},
		{"Nats-Schedule": {"@every 1s"}, "Nats-Schedule-Target": {"learn.in.control.x"}},
	} {
		reply, err := c.RequestMsg(&nats.Msg{Subject: "learn.in.feedback.fix", Header: header}, soon)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(reply.Data), `"error"`) {
			t.Errorf("header %d: %s", i, reply.Data)
		}
	}
	trace := &nats.Msg{Subject: "learn.in.feedback.fix", Header: nats.Header{"Nats-Trace-Dest": {"learn.in.control.x"}}}
	if err := c.PublishMsg(trace); err != nil {
		t.Fatal(err)
	}
	c.wantRefused(t, "a trace to control")
	write(t, ours, "learn.in.feedback.fix", 2)
}

func TestWrongCredentialsAreRefused(t *testing.T) {
	_, public := adminFile(t)
	stolen, _ := adminFile(t)
	s := serve(t, func(o *Options) { o.Admins = []string{public} })
	for name, option := range map[string]nats.Option{
		"unknown key": nats.UserCredentials(stolen),
		"password":    nats.UserInfo(stageUser, "guess"),
		"no password": nats.UserInfo(stageUser, ""),
		"token":       nats.Token("guess"),
	} {
		if nc, err := nats.Connect(s.URL(), option); err == nil {
			nc.Close()
			t.Errorf("%s was let in", name)
		}
	}
}

func TestAnAdminMayDoEverything(t *testing.T) {
	creds, public := adminFile(t)
	s := serve(t, func(o *Options) { o.Admins = []string{public} })
	nc, err := Connect(s.URL(), creds, "admin")
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js := newJetStream(t, nc)
	if _, err := Ensure(t.Context(), js, small); err != nil {
		t.Fatal(err)
	}
	write(t, js, "learn.in.control.settings.changed", 1)
	write(t, js, "$KV.learn_settings.privacy", 1)
}

func TestAServiceIsDiscoveredAndCalledByAStranger(t *testing.T) {
	s := serve(t, func(o *Options) { o.AnonymousServices = []string{"learn.svc.stats.get"} })
	ours := stage(t, s)
	for i := range 2 {
		for _, subject := range []string{"learn.svc.stats.get", "$SRV.PING"} {
			if _, err := ours.Conn().Subscribe(subject, func(m *nats.Msg) { m.Respond(fmt.Append(nil, "from ", i)) }); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := ours.Conn().FlushTimeout(soon); err != nil {
		t.Fatal(err)
	}
	c := connectStranger(t, s)
	if got := c.ask(t, "learn.svc.stats.get", ""); !strings.HasPrefix(got, "from ") {
		t.Fatal(got)
	}
	inbox := c.NewInbox()
	answers, err := c.SubscribeSync(inbox)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.PublishRequest("$SRV.PING", inbox, nil); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := answers.NextMsg(soon); err != nil {
			t.Fatal(err)
		}
	}
}
