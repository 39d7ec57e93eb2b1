package web

import "net/http"

// Gate knows who looks, and lets people in.
type Gate interface {
	// Operator reports whether a request is an operator's.
	Operator(r *http.Request) bool
	// Enter lets in who shows the code of a link or a token, and reports whether it is one.
	Enter(w http.ResponseWriter, r *http.Request, token string) bool
	// Leave ends a visit.
	Leave(w http.ResponseWriter, r *http.Request)
}
