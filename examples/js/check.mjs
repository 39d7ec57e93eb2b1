// Checks, with the official NATS client, that a running loop does what it
// promises to any client, and refuses what it must.
//
//   node --test check.mjs        LEARNLOOP_SERVER, LEARNLOOP_HTTP and LEARNLOOP_DATA say where the loop is
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { connect, credsAuthenticator } from "@nats-io/transport-node";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import { batch, binary, event, key, structured } from "./cloudevents.mjs";

const server = process.env.LEARNLOOP_SERVER || "nats://127.0.0.1:4222";
const http = process.env.LEARNLOOP_HTTP || "http://127.0.0.1:8420";
const data = process.env.LEARNLOOP_DATA || "learnloop-data";
const run = randomUUID().slice(0, 8);
const patience = 20_000; // milliseconds until a context must have changed

let nc, js, contexts;

before(async () => {
  nc = await connect({ servers: server });
  js = jetstream(nc, { timeout: 5_000 });
  contexts = await new Kvm(nc).open("learn_contexts");
});

after(() => nc.close());

describe("a client without credentials", { concurrency: false }, () => {
  test("changes the next prompt with events in binary and structured mode", async () => {
    const rule = `js/ünused "parameter" ${run}`;
    const seen = changed(rule, (c) => c.sample_count === 24);
    for (let i = 0; i < 12; i++) {
      await binary(js, fix(rule, i, "accepted", "utilize", "use"));
      await structured(js, fix(rule, 100 + i, "rejected", "roll out", "deploy", "not a word our readers know"));
    }
    const context = await seen;
    assert.equal(context.id, rule);
    assert.equal(context.acceptance_rate, 0.5);
    assert.match(context.prompt, /"utilize" to "use"/);
    assert.match(context.prompt, /"roll out" to "deploy"/);
    assert.match(context.prompt, /not a word our readers know/);
  });

  test("reads the same context over HTTP, byte for byte", async () => {
    const rule = `js/http ${run}`;
    const seen = changed(rule, (c) => c.sample_count === 1);
    await structured(js, fix(rule, 1, "accepted", "a", "b"));
    await seen;
    const answer = await fetch(`${http}/api/contexts/rule/${encodeURIComponent(rule)}`);
    assert.equal(answer.status, 200);
    assert.equal(await answer.text(), (await contexts.get(key("rule", rule))).string());
  });

  test("counts an event once however often it is published", async () => {
    const rule = `js/once ${run}`;
    const seen = changed(rule, (c) => c.sample_count >= 2);
    const once = fix(rule, 1, "accepted", "a", "b");
    for (let i = 0; i < 5; i++) await binary(js, once);
    await batch(js, [once, once, fix(rule, 2, "rejected", "a", "b")]);
    assert.equal((await seen).sample_count, 2);
  });

  test("publishes over HTTP and is told where an event is wrong", async () => {
    const rule = `js/post ${run}`;
    const seen = changed(rule, (c) => c.sample_count === 2);
    assert.equal((await post(fix(rule, 1, "accepted", "a", "b"))).status, 202);
    const bad = fix(rule, 2, "maybe", "a", "b");
    const mixed = await post([bad, fix(rule, 3, "accepted", "a", "b")]);
    assert.equal(mixed.status, 200);
    const { accepted, refused } = await mixed.json();
    assert.equal(accepted, 1);
    assert.equal(refused[0].index, 0);
    assert.match(JSON.stringify(refused[0].errors), /\/decision/);
    const single = await post(bad);
    assert.equal(single.status, 422);
    assert.match(single.headers.get("content-type"), /application\/problem\+json/);
    await seen;
  });

  test("leaves a dead letter without the payload when an event is wrong", async () => {
    const secret = `secret-${run}`;
    const bad = fix(secret, 1, secret, secret, secret);
    const { seq } = await structured(js, bad);
    assert.equal((await fetch(`${http}/api/dlq`)).status, 401, "dead letters are for the operator");
    const token = readFileSync(join(data, "admin.token"), "utf8").trim();
    const letter = await eventually(async () => {
      const page = await (await fetch(`${http}/api/dlq`, { headers: { authorization: `Bearer ${token}` } })).json();
      return page.letters.find((l) => l.stage === "ingest" && l.sequence === seq);
    });
    assert.equal(letter.reason, "schema");
    assert.ok(letter.violations.some((v) => v.pointer === "/decision"));
    assert.ok(!JSON.stringify(letter).includes(secret), "the letter holds what was sent");
  });

  test("keeps no personal detail it sends", async () => {
    const rule = `js/personal ${run}`;
    const seen = changed(rule, (c) => c.sample_count === 12);
    for (let i = 0; i < 12; i++) {
      await binary(js, fix(rule, i, "rejected", "a", "b", "ask kim.invented@example.com, card 4111 1111 1111 1111"));
    }
    const text = JSON.stringify(await seen);
    assert.ok(!text.includes("kim.invented") && !text.includes("4111"), text);
    assert.match(text, /EMAIL/);
  });
});

describe("a client without credentials must not", { concurrency: false }, () => {
  refused("write a context", () => contexts.put(key("rule", "planted"), "{}"));
  refused("delete a context", () => contexts.delete(key("rule", "planted")));
  refused("publish a control event", () => js.publish("learn.in.control.data.cleared", "{}", { timeout: 2_000 }));
  refused("give a verdict about a learning", () => js.publish("learn.in.learning.archived", "{}", { timeout: 2_000 }));
  refused("append to the log", () => js.publish("learn.ev.0.feedback.fix", "{}", { timeout: 2_000 }));
  refused("publish an insight", () => js.publish("learn.know.0.rules.rule.x", "{}", { timeout: 2_000 }));
  refused("listen to the inbox", () => listens("learn.in.>"));
  refused("listen to the log", () => listens("learn.ev.>"));
  refused("listen to other clients' answers", () => listens("_LL.>"));
  for (const stream of ["LEARN_INBOX", "LEARN_EVENTS", "LEARN_INSIGHTS", "LEARN_DLQ", "KV_learn_settings", "KV_learn_owners"]) {
    refused(`look at ${stream}`, async () => (await manager()).streams.info(stream));
    refused(`read from ${stream}`, async () => (await manager()).streams.getMessage(stream, { seq: 1 }));
    refused(`consume ${stream}`, async () => (await manager()).consumers.add(stream, { ack_policy: "none" }));
  }
  refused("purge the contexts", async () => (await manager()).streams.purge("KV_learn_contexts"));
  refused("delete the contexts", async () => (await manager()).streams.delete("KV_learn_contexts"));
  refused("create a stream", async () => (await manager()).streams.add({ name: "MINE", subjects: ["mine"] }));
  refused("read dead letters", () => call(nc, "dlq.list", {}));

  test("lose its connection over any of this", async () => {
    await nc.flush();
    assert.equal(nc.isClosed(), false);
    await structured(js, fix(`js/alive ${run}`, 1, "accepted", "a", "b"));
  });
});

describe("wrong credentials", () => {
  test("are refused", async () => {
    await assert.rejects(connect({ servers: server, user: "stage", pass: "guess", reconnect: false, maxReconnectAttempts: 0 }));
  });
});

describe("the operator's credential", () => {
  test("reads dead letters", async () => {
    const creds = readFileSync(join(data, "admin.creds"));
    const admin = await connect({ servers: server, authenticator: credsAuthenticator(creds), inboxPrefix: `_LL.${run}` });
    try {
      assert.ok(Array.isArray((await call(admin, "dlq.list", {})).letters));
    } finally {
      await admin.close();
    }
  });
});

// fix is what one person did with one suggestion.
function fix(rule, n, decision, original_text, suggested_text, user_comment) {
  const id = `${run}/${rule}/${n}`;
  return event("feedback.fix", "/examples/js", id, {
    feedback_id: id, suggestion_id: id, deviation_id: id, rule_id: rule, category: "wording",
    decision, original_text, suggested_text, user_comment, original_confidence: 0.8, user_id: `reader-${n % 5}`,
  });
}

// changed resolves with the first context of a rule that satisfies the condition.
async function changed(rule, condition) {
  const changes = await contexts.watch({ key: key("rule", rule) });
  const timer = setTimeout(() => changes.stop(), patience);
  try {
    for await (const change of changes) {
      if (change.operation === "PUT" && condition(change.json())) return change.json();
    }
  } finally {
    clearTimeout(timer);
    changes.stop();
  }
  throw new Error(`the context of ${rule} did not change within ${patience / 1000} s`);
}

// eventually resolves with the first answer that is not undefined.
async function eventually(ask) {
  for (const deadline = Date.now() + patience; Date.now() < deadline; ) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`nothing within ${patience / 1000} s`);
}

function post(body) {
  const type = Array.isArray(body) ? "application/cloudevents-batch+json" : "application/cloudevents+json";
  return fetch(`${http}/v1/events`, { method: "POST", headers: { "Content-Type": type }, body: JSON.stringify(body) });
}

// call asks a service of the loop.
async function call(connection, operation, args) {
  const reply = await connection.request(`learn.svc.${operation}`, JSON.stringify(args), { timeout: 2_000 });
  const error = reply.headers?.get("Nats-Service-Error");
  if (error) throw new Error(error);
  return reply.json();
}

function refused(what, attempt) {
  test(what, async () => {
    await assert.rejects(attempt);
    assert.equal(nc.isClosed(), false, "the connection is gone");
  });
}

async function manager() {
  return jetstreamManager(nc, { checkAPI: false, timeout: 2_000 });
}

// listens fails when the server refuses a subscription, and returns when it does not.
async function listens(subject) {
  const sub = nc.subscribe(subject);
  const timer = setTimeout(() => sub.unsubscribe(), 1_000);
  try {
    for await (const message of sub) return message.subject;
  } finally {
    clearTimeout(timer);
  }
}
