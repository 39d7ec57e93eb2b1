package api

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strings"
)

// unpacked replaces a body that was compressed with gzip by what was in it, which may be
// as large as any body. Other encodings are refused.
func unpacked(r *http.Request) *Problem {
	encoding := strings.ToLower(strings.TrimSpace(strings.Join(r.Header.Values("Content-Encoding"), ",")))
	switch encoding {
	case "", "identity":
		return nil
	case "gzip", "x-gzip":
	default:
		return problem(UnsupportedMedia, "").with("Accept-Encoding", "gzip").hint("compress with gzip, or not at all")
	}
	data, err := inflated(r.Body)
	switch {
	case err != nil:
		return problem(BadRequest, "the body is not what gzip makes")
	case len(data) > maxBody:
		return problem(TooLarge, "the body is too large when it is unpacked")
	}
	r.Header.Del("Content-Encoding")
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(data)), int64(len(data)) // the server closes its own
	return nil
}

// inflated reads a body, and not much more of it than any may hold.
func inflated(body io.Reader) ([]byte, error) {
	z, err := gzip.NewReader(body)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(z, maxBody+1))
	return data, errors.Join(err, z.Close())
}
