package web

import "net/http"

// Gate lets people in and out. Who looks is known before a page is asked for: see
// api.VisitorOf.
type Gate interface {
	// Enter lets in who shows the code of a link or a token, and returns the status of the
	// answer: 200 when it is one, 429 after too many wrong ones, with Retry-After.
	Enter(w http.ResponseWriter, r *http.Request, token string) (status int)
	// Leave ends a visit.
	Leave(w http.ResponseWriter, r *http.Request)
}
