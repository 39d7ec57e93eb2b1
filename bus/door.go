package bus

import (
	"fmt"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/kv"

	"github.com/nats-io/nats-server/v2/server"
)

const (
	// Where the watch desk takes orders, and where pushed contexts leave for a stranger's inbox.
	deskCreate    = "_LL.desk.create"
	deskDelete    = "_LL.desk.delete"
	deliverPrefix = "_LL.deliver."
	inboxPrefix   = "_INBOX."

	strangerReplies = 10 * time.Minute // how long the way back of a pull or a service call is kept
)

// openBuckets are those that anybody may read who reaches the loop.
func openBuckets() []string { return []string{kv.Contexts, kv.Learnings} }

// reserved are the subjects of the kinds that only the product and its operators publish.
func reserved() []string {
	subjects := []string{events.Kind("control.>").Subject()}
	for spec := range events.All() {
		if kind := spec.Name(); kind.Reviewed() {
			subjects = append(subjects, kind.Subject())
		}
	}
	return subjects
}

// passage is one subject that leads from the strangers' account into ours.
type passage struct {
	from, to string // to is from when empty
	many     bool   // more than one message may come back
}

// openDoor lets clients without credentials in, into an account of their own. Permissions alone
// would not do: the server answers to whatever reply or deliver subject a request names, on its own
// authority, so that inside our account a stranger could have a context, a log entry or a control
// event written by asking for an answer there. Here every answer comes out in the strangers' account.
func openDoor(s *server.Server, gate *gatekeeper, services []string) error {
	ours := s.GlobalAccount()
	strangers, err := s.RegisterAccount("STRANGERS")
	if err != nil {
		return err
	}
	passages := passages(services)
	for _, p := range passages {
		if err := p.open(ours, strangers); err != nil {
			return fmt.Errorf("open %s: %w", p.from, err)
		}
	}
	if err := ours.AddStreamExport(deliverPrefix+">", []*server.Account{strangers}); err != nil {
		return err
	}
	if err := strangers.AddMappedStreamImport(ours, deliverPrefix+">", inboxPrefix+">"); err != nil {
		return err
	}
	gate.anonymous.Store(&server.User{
		Username:    anonymousUser,
		Account:     strangers,
		Permissions: strangerPermissions(passages),
	})
	return nil
}

func (p passage) open(ours, strangers *server.Account) error {
	to, reply := p.to, server.Singleton
	if to == "" {
		to = p.from
	}
	if p.many {
		reply = server.Streamed
	}
	if err := ours.AddServiceExportWithResponse(to, reply, []*server.Account{strangers}); err != nil {
		return err
	}
	if p.many {
		if err := ours.SetServiceExportResponseThreshold(to, strangerReplies); err != nil {
			return err
		}
	}
	return strangers.AddServiceImport(ours, p.from, to)
}

// passages are what a stranger may send: events, calls of read services and their discovery, and
// what the NATS clients send to read and watch the open buckets. The notices on learn.out. are not
// among them: whoever may watch the contexts sees what they tell, and others' notices are not for strangers.
func passages(services []string) []passage {
	all := []passage{
		{from: events.InboxPrefix + ">"},
		{from: "$SRV.>", many: true},
		{from: "$JS.API.INFO"},
	}
	for _, bucket := range openBuckets() {
		all = append(all, readings(streamOf(bucket))...)
	}
	for _, subject := range services {
		all = append(all, passage{from: subject, many: true})
	}
	return all
}

// readings are what clients send to read and watch the bucket of a stream.
func readings(stream string) []passage {
	return []passage{
		{from: "$JS.API.STREAM.INFO." + stream},
		{from: "$JS.API.STREAM.MSG.GET." + stream},
		{from: "$JS.API.DIRECT.GET." + stream, many: true},
		{from: "$JS.API.DIRECT.GET." + stream + ".>"},
		{from: "$JS.API.CONSUMER.CREATE." + stream, to: deskCreate},
		{from: "$JS.API.CONSUMER.CREATE." + stream + ".>", to: deskCreate},
		{from: "$JS.API.CONSUMER.DELETE." + stream + ".*", to: deskDelete + "." + stream + ".*"},
		{from: "$JS.API.CONSUMER.INFO." + stream + ".*"},
		{from: "$JS.API.CONSUMER.MSG.NEXT." + stream + ".*", many: true},
		{from: "$JS.ACK." + stream + ".>"},
		{from: "$JS.FC." + stream + ".>"},
	}
}

// strangerPermissions keep strangers from reading each other's traffic and tell them what is refused.
func strangerPermissions(passages []passage) *server.Permissions {
	publish := &server.SubjectPermission{Deny: reserved()}
	for _, p := range passages {
		publish.Allow = append(publish.Allow, p.from)
	}
	return &server.Permissions{
		Publish:   publish,
		Subscribe: &server.SubjectPermission{Allow: []string{inboxPrefix + ">"}},
	}
}
