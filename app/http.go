package app

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"syscall"
	"time"
)

// Limits of a connection, and how long answers in flight may take at the end.
const (
	headerTime = 5 * time.Second
	readTime   = 30 * time.Second
	writeTime  = 60 * time.Second
	idleTime   = 2 * time.Minute
	drainTime  = 5 * time.Second
	headerSize = 512 << 10 // bytes, the request line among them
)

// httpServer listens as soon as it is built, so that its address is known.
type httpServer struct {
	listener net.Listener
	server   *http.Server
	scheme   string
}

// listenHTTP listens, encrypted when there is a configuration for that.
func listenHTTP(addr string, secure *tls.Config) (*httpServer, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, WithHint(fmt.Errorf("listen for HTTP on %s: %w", addr, err), listenHint(err))
	}
	if secure != nil {
		return &httpServer{listener: tls.NewListener(l, secure), scheme: "https"}, nil
	}
	return &httpServer{listener: l, scheme: "http"}, nil
}

// listenHint says what to do when nobody can listen there.
func listenHint(err error) string {
	if errors.Is(err, syscall.EADDRINUSE) {
		return "another program has the port: stop it, or choose another with --http 127.0.0.1:0"
	}
	return "choose another address with --http 127.0.0.1:0"
}

// url is where clients connect.
func (h *httpServer) url() string { return h.scheme + "://" + h.listener.Addr().String() }

// handle sets what answers, and what ends it when the server does.
func (h *httpServer) handle(handler http.Handler, drain func()) {
	h.server = &http.Server{Handler: handler, ReadHeaderTimeout: headerTime, ReadTimeout: readTime,
		WriteTimeout: writeTime, IdleTimeout: idleTime, MaxHeaderBytes: headerSize}
	h.server.RegisterOnShutdown(drain)
}

// run serves until the context ends, then lets answers in flight finish.
func (h *httpServer) run(ctx context.Context, up func()) error {
	done := make(chan error, 1)
	go func() { done <- h.server.Serve(h.listener) }()
	up()
	select {
	case err := <-done:
		return fmt.Errorf("serve HTTP: %w", err)
	case <-ctx.Done():
	}
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
	defer cancel()
	err := h.server.Shutdown(drain)
	if serr := <-done; !errors.Is(serr, http.ErrServerClosed) {
		err = errors.Join(err, serr)
	}
	return err
}

func (h *httpServer) close() error {
	if err := h.listener.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
		return fmt.Errorf("close HTTP listener: %w", err)
	}
	return nil
}
