package app

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strconv"
	"sync"
	"time"
)

// Access decides how others than this machine may reach the loop.
type Access struct {
	// TLSCert and TLSKey are files in PEM, for HTTP and for a NATS address that others reach.
	TLSCert string `json:"tls_cert"`
	TLSKey  string `json:"tls_key"`
	// BehindProxy says that a proxy encrypts what comes over HTTP, and tells where from.
	BehindProxy bool `json:"behind_proxy"`
	// URL is where browsers reach the loop, when that is not the address it listens on: behind a proxy.
	URL string `json:"url"`
	// RequestsPerSecond is how many requests over HTTP one caller may send on and on; 0 is no limit.
	RequestsPerSecond int `json:"requests_per_second"`
}

func (a Access) tls() bool { return a.TLSCert != "" }

// closed reports whether everybody has to say who they are over HTTP.
func (c Config) closed() bool { return c.Access.BehindProxy || !loopback(c.HTTP) }

// checkAddresses refuses addresses that others reach when what they send could be read
// on the way.
func (c Config) checkAddresses() error {
	for name, addr := range map[string]string{"http": c.HTTP, "nats": c.NATS} {
		if err := checkAddress(addr); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if a := c.Access; (a.TLSCert == "") != (a.TLSKey == "") {
		return errors.New("access.tls_cert, access.tls_key: want both or neither")
	}
	if u := c.Access.URL; u != "" && !isOrigin(u) {
		return fmt.Errorf("access.url: want a scheme and a host, such as https://loop.example, got %q", u)
	}
	if c.Access.URL != "" && c.Access.exposed() {
		return fmt.Errorf("access.url: by %s other machines reach the loop: it begins with https, and access.behind_proxy=true "+
			"says that a proxy does that, or access.tls_cert and access.tls_key", c.Access.URL)
	}
	if c.Access.RequestsPerSecond < 0 {
		return fmt.Errorf("access.requests_per_second: want 0 or more, got %d", c.Access.RequestsPerSecond)
	}
	if !loopback(c.HTTP) && !c.Access.tls() && !c.Access.BehindProxy {
		return fmt.Errorf("http: %s can be reached from other machines: give access.tls_cert and access.tls_key, "+
			"or say access.behind_proxy=true when a proxy does that, or listen on 127.0.0.1", c.HTTP)
	}
	if !loopback(c.NATS) && !c.Access.tls() {
		return fmt.Errorf("nats: %s can be reached from other machines: give access.tls_cert and access.tls_key, or listen on 127.0.0.1", c.NATS)
	}
	return nil
}

// isOrigin reports whether a text is the beginning of links to a host.
func isOrigin(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && text == u.Scheme+"://"+u.Host
}

// exposed reports whether links lead other machines to the loop though nothing says that what
// they send is encrypted and that they have to say who they are.
func (a Access) exposed() bool {
	u, err := url.Parse(a.URL)
	if err != nil || loopback(net.JoinHostPort(u.Hostname(), "0")) {
		return false
	}
	return u.Scheme != "https" || !a.tls() && !a.BehindProxy
}

// linkTo is where browsers reach what listens at an address. One of all interfaces is none that
// a browser knows: then it is the name of this machine.
func (a Access) linkTo(listening string) string {
	u, err := url.Parse(listening)
	if a.URL != "" || err != nil {
		return cmp.Or(a.URL, listening)
	}
	name, err := os.Hostname()
	if ip := net.ParseIP(u.Hostname()); ip == nil || !ip.IsUnspecified() || err != nil {
		return listening
	}
	u.Host = net.JoinHostPort(name, u.Port())
	return u.String()
}

func checkAddress(addr string) error {
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("want host:port, got %q", addr)
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return fmt.Errorf("want a port from 0 to 65535, got %q", port)
	}
	return nil
}

// loopback reports whether only this machine reaches an address.
func loopback(addr string) bool {
	host, _, _ := net.SplitHostPort(addr)
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// certificate is read anew when its files change: who renews it restarts nothing.
type certificate struct {
	certFile, keyFile string

	mu      sync.Mutex
	current *tls.Certificate // guarded by mu
	stamp   [2]time.Time     // guarded by mu; when the files of current were written
	looked  time.Time        // guarded by mu
	failed  func(error)
}

// lookEvery is how often the files are looked at, if somebody connects.
const lookEvery = time.Second

// serverTLS makes a configuration of the files, nil when there are none. What goes wrong
// with newer files is told to failed, and the certificate of before stays.
func (a Access) serverTLS(failed func(error)) (*tls.Config, error) {
	if !a.tls() {
		return nil, nil
	}
	c := &certificate{certFile: a.TLSCert, keyFile: a.TLSKey, failed: failed}
	if err := c.read(); err != nil {
		return nil, WithHint(err, "access.tls_cert and access.tls_key want files in PEM, the certificate with its chain")
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: c.get}, nil
}

func (c *certificate) read() error {
	stamp, err := c.written()
	if err != nil || c.current != nil && stamp == c.stamp {
		return err
	}
	pair, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
	if err != nil {
		return fmt.Errorf("read certificate %s: %w", c.certFile, err)
	}
	c.current, c.stamp = &pair, stamp
	return nil
}

func (c *certificate) written() (at [2]time.Time, err error) {
	for i, name := range []string{c.certFile, c.keyFile} {
		info, err := os.Stat(name)
		if err != nil {
			return at, fmt.Errorf("read certificate: %w", err)
		}
		at[i] = info.ModTime()
	}
	return at, nil
}

func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now(); now.Sub(c.looked) >= lookEvery {
		c.looked = now
		if err := c.read(); err != nil {
			c.failed(err) // half of a renewal may be there: the next look finds all
		}
	}
	return c.current, nil
}
