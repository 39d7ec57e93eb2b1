// Validates an AsyncAPI document: node check.mjs FILE
// Exits 1 on any error or warning, and when the validator accepts a broken document.
import { Parser, fromFile } from "@asyncapi/parser";
import { access } from "node:fs/promises";
import { relative } from "node:path";

const ERROR = 0;
const WARNING = 1;

const [file] = process.argv.slice(2);
if (!file) {
  console.error("usage: node check.mjs FILE");
  process.exit(2);
}

const parser = new Parser();

await refuses("asyncapi: 3.0.0\ninfo: {title: broken}\noperations: {send: {action: shout}}\n");

try {
  await access(file);
} catch {
  console.error(`asyncapi: there is no ${file}`);
  process.exit(1);
}
const { document, diagnostics } = await fromFile(parser, file).parse();
const serious = diagnostics.filter((d) => d.severity === ERROR || d.severity === WARNING);
for (const d of serious) {
  const { line, character } = d.range.start;
  const kind = d.severity === ERROR ? "error" : "warning";
  console.error(`${file}:${line + 1}:${character + 1}: ${kind}: ${d.message} (${d.code}, at /${d.path.join("/")})`);
}
if (!document || serious.length > 0) {
  console.error(`asyncapi: ${file}: ${serious.length} findings`);
  process.exit(1);
}
const channels = document.channels().all().length;
const messages = document.messages().all().length;
if (channels === 0 || messages === 0) {
  console.error(`asyncapi: ${file}: ${channels} channels, ${messages} messages: nothing is described`);
  process.exit(1);
}
console.log(`asyncapi: ${relative(process.cwd(), file)} is valid: version ${document.version()}, ${channels} channels, ${messages} messages`);

// refuses fails the check when the validator would accept anything.
async function refuses(broken) {
  const { diagnostics } = await parser.parse(broken);
  if (!diagnostics.some((d) => d.severity === ERROR)) {
    console.error("asyncapi: the validator accepted a broken document");
    process.exit(1);
  }
}
