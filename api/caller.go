package api

import "net/http"

// Caller is part of the arguments of operations that show or let operators do
// more: who calls, as the doors know it.
type Caller struct {
	authorization string // header, over HTTP
	credential    bool   // logged in to the product's account, over NATS
}

// come keeps what a request over HTTP brings to prove itself.
func (c *Caller) come(header map[string][]string) {
	c.authorization = http.Header(header).Get("Authorization")
}

// importedHeader stands on every request that reached the product's account from
// another one. The server sets it, whatever the client sent.
const importedHeader = "Nats-Request-Info"

// logIn keeps how a request came over NATS: clients without a credential are in an
// account of their own.
func (c *Caller) logIn(header map[string][]string) {
	_, imported := header[importedHeader]
	c.credential = !imported
}

// operator reports whether the caller may see people and publish what is reserved.
func (a *API) operator(c Caller) bool { return c.credential || a.admin(c.authorization) }
