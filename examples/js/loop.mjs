// An agent that suggests plainer words, in one page: it reports what people did
// with its suggestions, and reads what to do differently.
//
//   learnloop serve                  in one terminal
//   node loop.mjs [RULE]             in another
import { connect } from "@nats-io/transport-node";
import { jetstream } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import { binary, event, key, structured } from "./cloudevents.mjs";

const rule = process.argv[2] ?? `example/plain-words-${Date.now()}`;
const nc = await connect({ servers: process.env.LEARNLOOP_SERVER ?? "nats://127.0.0.1:4222" });
const js = jetstream(nc);

// 1. Watch what the loop knows about our rule. It is empty so far.
const contexts = await new Kvm(nc).open("learn_contexts");
const changes = await contexts.watch({ key: key("rule", rule) });

// 2. Report what people did: they keep "use" and turn "deploy" down.
for (let i = 0; i < 12; i++) {
  await binary(js, decision(i, "accepted", "utilize", "use"));
  await structured(js, decision(i + 100, "rejected", "roll out", "deploy", "our readers do not know that word"));
}

// 3. What the next prompt should say has changed.
for await (const change of changes) {
  const context = change.json();
  if (context.sample_count < 24) continue;
  console.log(`${change.key}: ${context.sample_count} decisions\n\n${context.prompt}`);
  break;
}
await nc.drain();

// decision is what one person did with one suggestion.
function decision(n, decision, original_text, suggested_text, user_comment) {
  const id = `${rule}/${n}`;
  return event("feedback.fix", "/examples/js", id, {
    feedback_id: id, suggestion_id: id, deviation_id: id,
    rule_id: rule, category: "wording",
    decision, original_text, suggested_text, user_comment,
    original_confidence: 0.8, user_id: `reader-${n % 5}`,
  });
}
