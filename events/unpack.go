package events

import (
	"mime"
	"strings"
)

// The content types that carry whole events.
const (
	ContentStructured = "application/cloudevents+json"
	ContentBatch      = "application/cloudevents-batch+json"
)

const contentJSON = "application/json"

// Unpack reads the events of a message: one in binary or structured mode, any
// number in a batch. It serves NATS and HTTP alike; header names are compared
// without case. The data of the items lies inside body.
func Unpack(header map[string][]string, body []byte) []Item {
	content, binary := survey(header)
	media, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(content)), ";")
	media = strings.TrimSpace(media)
	switch {
	case strings.HasPrefix(media, "application/cloudevents-batch"):
		return only(content, ContentBatch, func() []Item { return unpackBatch(body) })
	case strings.HasPrefix(media, "application/cloudevents"):
		return only(content, ContentStructured, func() []Item { return []Item{unpackStructured(body)} })
	case content == "" && !binary:
		return []Item{unpackStructured(body)} // NATS before headers were known
	}
	return []Item{unpackBinary(header, content, body)}
}

// survey returns a message's content type, and whether a header names an attribute.
func survey(header map[string][]string) (content string, binary bool) {
	for name, values := range header {
		if len(values) > 0 && strings.EqualFold(name, "content-type") {
			content = values[0]
		}
		_, attribute := attributeOf(name)
		binary = binary || attribute
	}
	return content, binary
}

// only unpacks if the content type is exactly the wanted one, in UTF-8. The
// specification's own shorthand without a format counts as JSON.
func only(content, want string, unpack func() []Item) []Item {
	if media, ok := utf8Type(content); ok && (media == want || media == strings.TrimSuffix(want, "+json")) {
		return unpack()
	}
	return []Item{{Refusal: refuse(ReasonMalformed, "", "content of type "+want+" in UTF-8")}}
}

// isJSON reports whether a content type is one of JSON in UTF-8.
func isJSON(content string) bool {
	if content == contentJSON {
		return true
	}
	media, ok := utf8Type(content)
	return ok && (strings.HasSuffix(media, "/json") || strings.HasSuffix(media, "+json"))
}

// utf8Type returns a content type without its parameters, and false when it is
// none or names another encoding than UTF-8.
func utf8Type(content string) (string, bool) {
	media, params, err := mime.ParseMediaType(content)
	if err != nil {
		return "", false
	}
	switch strings.ToLower(params["charset"]) {
	case "", "utf-8", "utf8", "us-ascii":
		return media, true
	}
	return "", false
}
