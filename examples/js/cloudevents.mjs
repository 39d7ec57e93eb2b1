// What an agent needs beside the official NATS client: CloudEvents as NATS
// carries them, and the keys under which contexts are kept.
import { headers } from "@nats-io/transport-node";

// event makes a CloudEvent of a kind: event("feedback.fix", "agent-7", "1", {...}).
export function event(kind, source, id, data) {
  return {
    specversion: "1.0",
    type: `dev.learnloop.${kind}.v1`,
    source,
    id,
    time: new Date().toISOString(),
    datacontenttype: "application/json",
    data,
  };
}

// binary publishes an event with its attributes in headers and its data as the
// body. It resolves when the event is on disk.
export function binary(js, event) {
  const { data, datacontenttype, ...attributes } = event;
  const h = headers();
  h.set("Content-Type", datacontenttype);
  for (const [name, value] of Object.entries(attributes)) {
    h.set(`ce-${name}`, escaped(String(value)));
  }
  return js.publish(subject(event), JSON.stringify(data), { headers: h });
}

// structured publishes an event whole, as one JSON object.
export function structured(js, event) {
  return js.publish(subject(event), JSON.stringify(event), { headers: contentType("application/cloudevents+json") });
}

// batch publishes many events in one message.
export function batch(js, events) {
  return js.publish("learn.in.batch", JSON.stringify(events), { headers: contentType("application/cloudevents-batch+json") });
}

// key is where the context of a rule, a category … is kept: key("rule", "no spaces").
// Ids whose part would be longer than 200 bytes are kept under a hash: ask the
// service learn.svc.contexts.get for those.
export function key(kind, id) {
  const part = Array.from(new TextEncoder().encode(id), (byte) => {
    const char = String.fromCharCode(byte);
    return /[A-Za-z0-9_/-]/.test(char) ? char : `=${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }).join("");
  return `${kind}.${part}`;
}

function subject(event) {
  return event.type.replace("dev.learnloop.", "learn.in.").replace(/\.v1$/, "");
}

function contentType(value) {
  const h = headers();
  h.set("Content-Type", value);
  return h;
}

// escaped is a header value as the CloudEvents specification wants it: only
// printable ASCII, without spaces, quotes and percent signs.
function escaped(value) {
  return Array.from(new TextEncoder().encode(value), (byte) =>
    byte > 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x25
      ? String.fromCharCode(byte)
      : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`,
  ).join("");
}
