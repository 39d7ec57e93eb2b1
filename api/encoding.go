package api

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// unpacked replaces a body that was compressed with gzip by what was in it, which may be
// as large as any body. Other encodings are refused.
func unpacked(w http.ResponseWriter, r *http.Request) *Problem {
	encoding := strings.ToLower(strings.TrimSpace(strings.Join(r.Header.Values("Content-Encoding"), ",")))
	switch encoding {
	case "", "identity":
		return nil
	case "gzip", "x-gzip":
	default:
		return problem(UnsupportedMedia, "").with("Accept-Encoding", "gzip").hint("compress with gzip, or not at all")
	}
	clock := http.NewResponseController(w)
	_ = clock.SetReadDeadline(time.Now().Add(bodyTime)) // what cannot be timed is in memory
	data, err := inflated(r.Body)
	late, timed := errors.AsType[net.Error](err)
	switch {
	case timed && late.Timeout():
		return tooSlow()
	case err != nil:
		return problem(BadRequest, "the body is not what gzip makes").with("Connection", "close")
	case len(data) > maxBody:
		return problem(TooLarge, "the body is too large when it is unpacked").with("Connection", "close")
	}
	_ = clock.SetReadDeadline(time.Time{})
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

// worthPacking is from which size on an answer is compressed, in bytes.
const worthPacking = 8 << 10

// packed compresses an answer for a caller who takes it so. What is small, and what
// does not get smaller, leaves as it is.
func packed(h http.Header, r *http.Request, data []byte) []byte {
	if len(data) < worthPacking {
		return data
	}
	h.Add("Vary", "Accept-Encoding")
	if !takesGzip(r.Header) {
		return data
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		return data
	}
	_, _ = z.Write(data) // into memory: nothing fails
	if z.Close() != nil || b.Len() >= len(data) {
		return data
	}
	h.Set("Content-Encoding", "gzip")
	return b.Bytes()
}

// takesGzip reports whether a caller says so, and does not take it back with q=0.
func takesGzip(h http.Header) bool {
	for one := range strings.SplitSeq(strings.Join(h.Values("Accept-Encoding"), ","), ",") {
		name, quality, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(one), " ", ""), ";")
		if name == "gzip" {
			return quality == "" || strings.Trim(strings.TrimPrefix(quality, "q="), "0.") != ""
		}
	}
	return false
}
