// Package bus is everything learnloop knows about JetStream: the embedded server and who may do what on it,
// its streams and buckets, durable appends, and the readers that follow them.
package bus

import (
	"cmp"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

var (
	// ErrListen means that the address of the embedded server cannot be listened on.
	ErrListen = errors.New("address not available")
	// ErrServer means that the embedded server refused to start; the text says why.
	ErrServer = errors.New("embedded server")
)

const (
	maxPayload  = 8 << 20   // bytes; events over 256 KiB must arrive, to be dead-lettered
	maxMemory   = 256 << 20 // bytes of consumers kept in memory
	tlsTime     = 5         // seconds that a handshake may take
	maxBuffered = 100_000   // messages waiting for one stream before publishers are told to slow down
)

// Options say how the embedded server is run; Dir and StoreKey are required.
type Options struct {
	Dir               string           // holds the streams; one process at a time
	StoreKey          string           // encrypts them at rest
	InClear           bool             // nothing is encrypted after all: for tests that read the files
	Host              string           // 127.0.0.1 when empty
	Port              int              // 0 or -1 picks a free one
	Admins            []string         // public keys of the admin credentials, see NewAdminCreds
	AnonymousServices []string         // subjects of the services that need no credentials
	MaxPayload        int              // bytes, 8 MiB when 0
	SyncInterval      time.Duration    // between flushes to disk; 0 flushes before every acknowledgement
	TLS               *tls.Config      // encrypts what comes over the socket; nil: nothing is
	Closed            bool             // nobody comes in without credentials
	Warn              func(msg string) // receives the server's warnings, nil drops them
}

// Server is a NATS server inside this process, with its streams encrypted on disk.
type Server struct {
	nats   *server.Server
	dir    *storeDir
	folder string // once it has started
	gate   *gatekeeper
	watch  *nats.Conn // of the watch desk
	log    *serverLog
	found  []block // the files of messages, as the server found them
}

// Serve starts the embedded server; when it returns, clients can connect.
// It fails with ErrListen, ErrStoreKey, ErrStoreLocked, ErrStoreForeign, ErrStoreDamaged, ErrServer, or an error of the
// file system.
func Serve(o Options) (*Server, error) {
	if err := probe(o.address()); err != nil {
		return nil, fmt.Errorf("serve: %w", err)
	}
	gate, err := newGatekeeper(o.Admins)
	if err != nil {
		return nil, fmt.Errorf("serve: %w", err)
	}
	dir, err := openStoreDir(o.Dir, o.StoreKey)
	if err != nil {
		return nil, fmt.Errorf("serve: %w", err)
	}
	s := &Server{dir: dir, gate: gate, log: &serverLog{warn: o.Warn}}
	if err = s.examine(o.Dir); err == nil {
		err = s.start(o)
	}
	if err == nil {
		s.folder, err = o.Dir, forgetInventory(o.Dir)
	}
	if err != nil {
		s.Shutdown()
		return nil, fmt.Errorf("serve: %w", err)
	}
	return s, nil
}

// examine looks at the files of messages before the server does, tells of what is
// missing, and mends what a kill may leave.
func (s *Server) examine(dir string) error {
	missing, err := compareInventory(dir)
	if err != nil {
		return err
	}
	for _, what := range missing {
		s.log.Warnf("%s", what)
	}
	if err := mend(dir); err != nil {
		return err
	}
	s.found, err = blocks(dir)
	return err
}

// streamKey is empty where nothing is encrypted.
func (o Options) streamKey() string {
	if o.InClear {
		return ""
	}
	return o.StoreKey
}

// start brings up JetStream first, then the door for strangers, and listens last.
func (s *Server) start(o Options) (err error) {
	if s.nats, err = server.NewServer(o.server(s.gate)); err != nil {
		return fmt.Errorf("%w: %w", ErrServer, err)
	}
	s.nats.SetLogger(s.log, false, false)
	s.nats.Start()
	if reason := s.log.fatal(); reason != "" {
		return fmt.Errorf("%w: %s", ErrServer, reason)
	}
	if err := s.complete(o.Dir); err != nil {
		return err
	}
	if !o.Closed {
		if err := openDoor(s.nats, s.gate, o.AnonymousServices); err != nil {
			return fmt.Errorf("%w: door for anonymous clients: %w", ErrServer, err)
		}
	}
	nc, err := s.ConnectStage("watch desk")
	if err != nil {
		return err
	}
	s.watch = nc
	if err := s.tellCut(nc); err != nil {
		return err
	}
	if _, err = ServeWatches(nc); err != nil { // until the connection is closed
		return err
	}
	s.nats.AcceptLoop(make(chan struct{}))
	if s.nats.Addr() == nil {
		return fmt.Errorf("%w: %s", ErrListen, s.log.fatal())
	}
	return nil
}

func (o Options) server(gate *gatekeeper) *server.Options {
	port := o.Port
	if port == 0 {
		port = server.RANDOM_PORT
	}
	return &server.Options{
		ServerName: "learnloop",
		Host:       o.host(),
		Port:       port,
		DontListen: true, // start calls AcceptLoop once the door stands
		NoSigs:     true,

		AlwaysEnableNonce:          true, // the admin signs it
		CustomClientAuthentication: gate,
		TLSConfig:                  o.TLS,
		TLSTimeout:                 tlsTime,
		MaxPayload:                 int32(cmp.Or(o.MaxPayload, maxPayload)),

		JetStream:              true,
		StoreDir:               o.Dir,
		JetStreamKey:           o.streamKey(),
		JetStreamCipher:        server.AES,
		JetStreamMaxMemory:     maxMemory,
		StreamMaxBufferedMsgs:  maxBuffered,
		SyncAlways:             o.SyncInterval == 0,
		SyncInterval:           o.SyncInterval,
		DisableJetStreamBanner: true,
	}
}

func (o Options) host() string { return cmp.Or(o.Host, "127.0.0.1") }

func (o Options) address() string {
	return net.JoinHostPort(o.host(), strconv.Itoa(max(o.Port, 0)))
}

// probe finds a taken address before anything on disk is touched.
func probe(address string) error {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrListen, err)
	}
	return l.Close()
}

// URL is where clients connect.
func (s *Server) URL() string { return "nats://" + s.nats.Addr().String() }

// ConnectStage connects a stage of this process, without a socket and with every permission.
// Whoever connects closes.
func (s *Server) ConnectStage(name string) (*nats.Conn, error) {
	nc, err := nats.Connect("",
		nats.InProcessServer(s.nats),
		nats.Name(name),
		nats.UserInfo(stageUser, s.gate.stagePassword),
		nats.CustomInboxPrefix("_LL."+rand.Text()),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(reconnectWait),
		nats.Timeout(connectTimeout),
	)
	if err != nil {
		return nil, fmt.Errorf("connect stage %s: %w", name, err)
	}
	return nc, nil
}

// Shutdown stops the server and returns when everything is on disk. Close the connections first.
func (s *Server) Shutdown() {
	if s.watch != nil {
		s.watch.Close()
	}
	if s.nats != nil {
		s.nats.Shutdown()
		s.nats.WaitForShutdown()
	}
	if s.folder != "" {
		_ = takeInventory(s.folder) // without it the next start compares nothing
	}
	s.dir.close()
}
