package events

import (
	"bytes"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"learnloop.dev/schemas"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

var update = flag.Bool("update", false, "write the AsyncAPI document anew")

type table = map[string]any

func TestTheAsyncAPIDocumentSaysWhatTheVocabularySays(t *testing.T) {
	want, err := json.Marshal(asyncAPI(t), json.Deterministic(true), jsontext.WithIndent("  "))
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	name := filepath.Join("..", "schemas", "asyncapi.json")
	if *update {
		if err := os.WriteFile(name, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s has drifted: run this test with -update", name)
	}
}

// asyncAPI describes what travels over NATS, for an installation of the loop.
func asyncAPI(t *testing.T) table {
	t.Helper()
	channels, operations, messages := table{}, table{}, table{}
	for s := range All() {
		k := string(s.Name())
		id := strings.ReplaceAll(k, ".", "_")
		messages[id] = kindMessage(t, s)
		channels["in_"+id] = table{
			"address":     s.Name().Subject(),
			"description": "Where agents publish " + k + ". A message may also be a batch, and the subject of another kind may carry it; the type decides.",
			"messages":    table{id: ref("components/messages/" + id)},
		}
		if s.Name().Control() || s.Name().Reviewed() {
			channels["in_"+id].(table)["description"] = "Where " + k + " arrives. Only the product and its operators may publish here, and it is accepted nowhere else."
		}
		operations["receive_"+id] = operation("receive", "in_"+id, "Takes in "+k+".", "ingest")
	}
	for id, c := range outgoing() {
		channels[id], messages[id] = c.channel(id), c.message
		operations["send_"+id] = operation("send", id, c.summary, "")
	}
	return table{
		"asyncapi": "3.0.0",
		"info": table{
			"title": "learnloop", "version": "1.0.0",
			"description": "Agents publish CloudEvents 1.0 about what they did and how it went; what was learned comes back as contexts in key-value buckets.",
			"license":     table{"name": "Apache-2.0", "url": "https://www.apache.org/licenses/LICENSE-2.0"},
		},
		"defaultContentType": contentJSON,
		"servers":            table{"local": table{"host": "127.0.0.1:4222", "protocol": "nats", "description": "The server that learnloop serve starts."}},
		"channels":           channels,
		"operations":         operations,
		"components":         table{"messages": messages, "messageTraits": table{"cloudevent": cloudEventTrait()}},
	}
}

func ref(path string) table { return table{"$ref": "#/" + path} }

func operation(action, channel, summary, queue string) table {
	o := table{"action": action, "channel": ref("channels/" + channel), "summary": summary}
	if queue != "" {
		o["bindings"] = table{"nats": table{"queue": queue, "bindingVersion": "0.1.0"}}
	}
	return o
}

func kindMessage(t *testing.T, s Spec) table {
	t.Helper()
	data, _ := schemas.Kind(string(s.Name()))
	var doc struct {
		Title       string           `json:"title"`
		Description string           `json:"description"`
		Examples    []jsontext.Value `json:"examples"`
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	var examples []table
	for _, e := range doc.Examples {
		examples = append(examples, table{"payload": e})
	}
	return table{
		"name": s.Name().Type(), "title": doc.Title, "summary": doc.Description, "contentType": contentJSON,
		"payload":  table{"$ref": "./" + string(s.Name()) + ".v1.json"},
		"traits":   []table{ref("components/messageTraits/cloudevent")},
		"examples": examples,
	}
}

// cloudEventTrait is the binary mode; in structured mode the attributes are
// members of one JSON object with the data as another.
func cloudEventTrait() table {
	attribute := func(description string) table {
		return table{"type": "string", "minLength": 1, "maxLength": MaxAttribute, "description": description}
	}
	return table{
		"description": "A CloudEvent in binary mode: attributes as percent-encoded headers. Structured mode (" +
			ContentStructured + ") and batches (" + ContentBatch + ") are accepted on the same subjects.",
		"headers": table{
			"type":     "object",
			"required": []string{"ce-specversion", "ce-id", "ce-source", "ce-type"},
			"properties": table{
				"ce-specversion":     table{"type": "string", "const": "1.0", "description": "The version of CloudEvents."},
				"ce-id":              attribute("Names the event within its source."),
				"ce-source":          attribute("Who sends, as a URI reference."),
				"ce-type":            attribute(TypePrefix + ", the kind, " + TypeSuffix + "."),
				"ce-time":            table{"type": "string", "format": "date-time", "description": "Event time; when the inbox stored it, when absent."},
				"ce-subject":         attribute("What the event is about; only carried."),
				"ce-datacontenttype": attribute("A JSON type; application/json when absent."),
				"ce-" + ExtReplay:    attribute("The replay that sent the event, for counting."),
				"ce-" + ExtTrace:     attribute("W3C trace context."),
			},
		},
	}
}

// sending is a channel that the product publishes on.
type sending struct {
	address, summary string
	parameters       table
	message          table
}

func (s sending) channel(id string) table {
	c := table{"address": s.address, "description": s.summary, "messages": table{id: ref("components/messages/" + id)}}
	if s.parameters != nil {
		c["parameters"] = s.parameters
	}
	return c
}

func text(description string) table { return table{"type": "string", "description": description} }

// outgoing are all channels that the product publishes on.
func outgoing() map[string]sending {
	all := kept()
	maps.Copy(all, notices())
	return all
}

// notices tell whoever listens.
func notices() map[string]sending {
	return map[string]sending{
		"contexts_changed": {
			address: "learn.out.context.changed",
			summary: "That a context has changed; of several changes in a short time the last. Needs a credential: without one, watch the bucket.",
			message: table{"name": TypePrefix + "context.changed" + TypeSuffix, "title": "A changed context", "contentType": contentJSON,
				"traits": []table{ref("components/messageTraits/cloudevent")},
				"payload": table{"type": "object", "properties": table{
					"key": text("The key in the bucket."), "revision": table{"type": "integer", "description": "The bucket's revision of it."},
				}, "required": []string{"key", "revision"}}},
		},
		"replays_judged": {
			address: "learn.out.replay.judged.{replay}.{process}",
			summary: "What one ingest process has counted of a replay; its last one counts. Needs a credential: without one, ask replays.get.",
			parameters: table{
				"replay":  table{"description": "The replayid of the events, encoded like a context's key."},
				"process": table{"description": "Who counted."},
			},
			message: table{"name": TypePrefix + "replay.judged" + TypeSuffix, "title": "Counts of a replay", "contentType": contentJSON,
				"traits": []table{ref("components/messageTraits/cloudevent")},
				"payload": table{"type": "object", "properties": table{
					"refused": table{"type": "integer", "description": "Events that became dead letters."}, "declined": table{"type": "integer",
						"description": "Events that were not kept though nothing was wrong with them."},
					"waiting": table{"type": "integer", "description": "Feedback that waits for its exchange; negative where another process had it."},
				}}},
		},
		"samples_captured": {
			address: "learn.out.sample.captured",
			summary: "That a sample was stored: once for each record and content, however often it was sent. Needs a credential.",
			message: table{"name": TypePrefix + "learning_sample_captured" + TypeSuffix, "title": "A stored sample", "contentType": contentJSON,
				"traits": []table{ref("components/messageTraits/cloudevent")},
				"payload": table{"type": "object", "properties": table{
					"event_family": table{"const": "external_integration"}, "event_type": table{"const": "learning_sample_captured"},
					"payload": table{"type": "object", "properties": table{"sample_id": text("The sample."), "sample_family": text("Its family.")},
						"required": []string{"sample_id", "sample_family"}},
				}, "required": []string{"event_family", "event_type", "payload"}}},
		},
	}
}

// kept is what stays, to be read at any time.
func kept() map[string]sending {
	return map[string]sending{
		"dead_letters": {
			address: "learn.dlq.{stage}.{reason}", summary: "Why an event could not be taken in, never what was in it.",
			parameters: table{
				"stage": table{"description": "Who refused it."},
				"reason": table{"description": "Why.", "enum": []Reason{
					ReasonMalformed, ReasonUnknownType, ReasonSchema, ReasonTooLarge, ReasonTooDeep, ReasonFuture,
					ReasonNotAllowed, ReasonLicense, ReasonPrivacy, ReasonCrashed, ReasonGaveUp}},
			},
			message: table{"name": "dead_letter", "title": "A dead letter", "payload": table{"type": "object", "properties": table{
				"stage": text("Who refused it."), "reason": text("Why."), "kind": text("The kind, when it is one of the vocabulary."),
				"id": text("Keyed hash of the event's id."), "source": text("Keyed hash of the event's source."),
				"size": table{"type": "integer", "description": "Bytes of the payload."}, "sha256": text("SHA-256 of the payload, in hexadecimal."),
				"violations": table{"type": "array", "description": "What is wrong and where.", "items": table{"type": "object", "properties": table{
					"pointer":  text("JSON pointer; names that are not known are *."),
					"expected": text("What belongs there.")}}},
			}}},
		},
		"contexts": {
			address: "$KV.learn_contexts.{key}", summary: "What was learned about a key, as canonical JSON; the last value is kept.",
			parameters: table{"key": table{
				"description": "rule, category, task, goal, user or experiment with an id, or summary; bytes outside A-Z a-z 0-9 - _ / are =XX.",
				"examples":    []string{"rule.passive-voice", "summary"},
			}},
			message: table{"name": "context", "title": "A learning context", "payload": table{"type": "object", "properties": table{
				"kind": text("What the context is about."), "id": text("Which one."), "schema": table{"description": "The version of the context's form."},
				"prompt":   text("Text for a prompt, ready to inject."),
				"evidence": table{"type": "object", "description": "Times and counters; everything else changes only with its meaning."},
			}, "required": []string{"kind", "id", "schema"}}},
		},
		"learnings": {
			address: "$KV.learn_learnings.{id}", summary: "A learning as it stands; the last value is kept.",
			parameters: table{"id": table{"description": "The learning, encoded like a context's key."}},
			message:    table{"name": "learning", "title": "A learning", "payload": table{"type": "object"}},
		},
	}
}
