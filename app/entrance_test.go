package app

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"learnloop.dev/access"
	"learnloop.dev/api"

	"github.com/nats-io/nats.go"
	"go.uber.org/zap"
)

func TestOtherMachinesReachNothingThatCanBeReadOnTheWay(t *testing.T) {
	for text, want := range map[string]string{
		"http=127.0.0.1:0":                           "",
		"http=localhost:0":                           "",
		"http=[::1]:0":                               "",
		"http=0.0.0.0:8420":                          "http: 0.0.0.0:8420 can be reached from other machines",
		"http=:8420":                                 "http: :8420 can be reached",
		"http=loop.example:80":                       "http: loop.example:80 can be reached",
		"nats=0.0.0.0:4222":                          "nats: 0.0.0.0:4222 can be reached",
		"access.tls_cert=c.pem":                      "want both or neither",
		"access.tls_key=k.pem":                       "want both or neither",
		"http=0.0.0.0:8420 access.behind_proxy=true": "",
		"http=0.0.0.0:8420 access.tls_cert=c.pem access.tls_key=k.pem":                  "",
		"nats=0.0.0.0:4222 access.behind_proxy=true":                                    "nats: ",
		"nats=0.0.0.0:4222 http=127.0.0.1:0 access.tls_cert=c.pem access.tls_key=k.pem": "",
		"access.requests_per_second=-1":                                                 "want 0 or more",
		"access.url=https://loop.example:8443 access.behind_proxy=true":                 "",
		"access.url=https://loop.example access.tls_cert=c.pem access.tls_key=k.pem":    "",
		"access.url=http://localhost:9000":                                              "",
		"access.url=https://loop.example:8443":                                          "other machines reach the loop",
		"access.url=http://loop.example access.behind_proxy=true":                       "begins with https",
		"access.url=loop.example":                                                       "want a scheme and a host",
		"access.url=https://loop.example/loop":                                          "want a scheme and a host",
		"http=here":                                                                     "want host:port",
		"nats=127.0.0.1:http":                                                           "want a port",
	} {
		_, err := Load("", nil, strings.Fields(text))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestLinksBeginWhereBrowsersReachTheLoop(t *testing.T) {
	name, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for listening, want := range map[string]string{
		"http://127.0.0.1:8420": "http://127.0.0.1:8420", "https://[::1]:8420": "https://[::1]:8420", "https://10.0.0.7:443": "https://10.0.0.7:443",
		"https://[::]:8420": "https://" + name + ":8420", "https://0.0.0.0:443": "https://" + name + ":443",
	} {
		if got := (Access{}).linkTo(listening); got != want {
			t.Errorf("%s: %s", listening, got)
		}
		if got := (Access{URL: "https://loop.example"}).linkTo(listening); got != "https://loop.example" {
			t.Errorf("%s behind a proxy: %s", listening, got)
		}
	}
}

// certify writes a certificate for this machine, and its key.
func certify(t *testing.T, dir string, serial int64) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	made := &x509.Certificate{SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "test"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, made, made, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for name, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

func TestARenewedCertificateIsShownWithoutARestart(t *testing.T) {
	dir := t.TempDir()
	cert, key := certify(t, dir, 1)
	var failed []error
	c := &certificate{certFile: cert, keyFile: key, failed: func(err error) { failed = append(failed, err) }}
	if err := c.read(); err != nil {
		t.Fatal(err)
	}
	serial := func() int64 {
		t.Helper()
		c.looked = time.Time{}
		shown, err := c.get(nil)
		if err != nil {
			t.Fatal(err)
		}
		return shown.Leaf.SerialNumber.Int64()
	}
	if n := serial(); n != 1 {
		t.Errorf("certificate %d", n)
	}
	certify(t, dir, 2)
	later := time.Now().Add(time.Minute) // whatever the clock of the file system can tell apart
	if err := os.Chtimes(cert, later, later); err != nil {
		t.Fatal(err)
	}
	if n := serial(); n != 2 {
		t.Errorf("certificate %d after the renewal", n)
	}
	if err := os.WriteFile(cert, []byte("half of it"), 0o600); err != nil {
		t.Fatal(err)
	}
	if n := serial(); n != 2 || len(failed) != 1 {
		t.Errorf("certificate %d with a broken file, told %v", n, failed)
	}
	if _, err := (Access{TLSCert: filepath.Join(dir, "none"), TLSKey: key}).serverTLS(nil); err == nil || HintOf(err) == "" {
		t.Errorf("a file that is not there: %v", err)
	}
}

func TestOtherMachinesComeInEncryptedAndByName(t *testing.T) {
	dir := t.TempDir()
	cert, key := certify(t, dir, 1)
	data := filepath.Join(dir, "data")
	c, err := Load("", nil, []string{"data=" + data, "http=0.0.0.0:0", "nats=0.0.0.0:0", "access.tls_cert=" + cert, "access.tls_key=" + key})
	if err != nil {
		t.Fatal(err)
	}
	l, err := Open(t.Context(), c, zap.NewNop())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- l.Run(ctx) }()
	defer func() {
		cancel()
		if err := errors.Join(<-ended, l.Close()); err != nil {
			t.Error(err)
		}
	}()
	<-l.Ready()
	authority, err := os.ReadFile(cert)
	if err != nil {
		t.Fatal(err)
	}
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(authority)
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(l.Addresses().NATS, "nats://"))
	server := "nats://127.0.0.1:" + port
	trust := nats.Secure(&tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS12})
	if nc, err := nats.Connect(server, trust); err == nil {
		nc.Close()
		t.Error("a stranger is let in")
	}
	nc, err := nats.Connect(server, trust, nats.UserCredentials(filepath.Join(data, "admin.creds")))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	if state, err := nc.TLSConnectionState(); err != nil || state.Version < tls.VersionTLS12 {
		t.Errorf("in the clear: %v", err)
	}
	if url := l.Addresses().HTTP; !strings.HasPrefix(url, "https://") || !strings.HasPrefix(l.SignInLink(), (Access{}).linkTo(url)+"/signin?t=") {
		t.Errorf("%s, %s", url, l.SignInLink())
	}
	var made api.MintedToken
	wish := api.TokenWish{Name: "reader", Roles: access.Roles{access.Read}}
	if err := api.NewClient(nc).Call(t.Context(), "tokens.create", wish, &made); err != nil {
		t.Fatal(err)
	}
	_, port, _ = net.SplitHostPort(strings.TrimPrefix(l.Addresses().HTTP, "https://"))
	for token, want := range map[string]int{"": 401, "wrong": 401, made.Token: 200} {
		if got := ask(t, trusted, "https://127.0.0.1:"+port+"/api/contexts", token); got != want {
			t.Errorf("with %q: %d", token, got)
		}
	}
}

// ask returns the status of an answer.
func ask(t *testing.T, trusted *x509.CertPool, url, token string) int {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS12}}}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	return res.StatusCode
}
