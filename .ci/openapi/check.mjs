// Validates an OpenAPI document against the specification: node check.mjs [FILE]
// Without a file it asks the server at LEARNLOOP_HTTP. Exits 1 on any finding, and when
// the validator accepts a broken document.
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { readFile } from "node:fs/promises";

const rules = {
  struct: "error",
  "no-unresolved-refs": "error",
  "no-identical-paths": "error",
  "no-ambiguous-paths": "off", // /api/learnings/search stands before /api/learnings/{id}
  "no-duplicated-tag-names": "error",
  "operation-operationId": "error",
  "operation-operationId-unique": "error",
  "operation-parameters-unique": "error",
  "operation-summary": "error",
  "path-parameters-defined": "error",
  "path-declaration-must-exist": "error",
  "path-not-include-query": "error",
  "security-defined": "off", // what is open to everybody has none
  "no-invalid-schema-examples": "error",
  "no-invalid-parameter-examples": "error",
  "no-enum-type-mismatch": "error",
  "no-required-schema-properties-undefined": "error",
  "no-schema-type-mismatch": "error",
  "spec-components-invalid-map-name": "error",
};
const config = await createConfig({ rules });

const [file] = process.argv.slice(2);
const broken = { openapi: "3.1.0", info: { title: "broken" }, paths: { "/a/{b}": { get: { responses: { 200: {} } } } } };
if ((await check(JSON.stringify(broken))).length === 0) {
  console.error("openapi: the validator accepted a broken document");
  process.exit(1);
}

const source = file ? await readFile(file, "utf8") : await served(`${process.env.LEARNLOOP_HTTP}/openapi.json`);
const found = await check(source);
for (const { message, location, ruleId } of found) {
  console.error(`${location[0]?.pointer ?? "#/"}: ${message} (${ruleId})`);
}
const paths = Object.values(JSON.parse(source).paths ?? {});
const operations = paths.flatMap((p) => Object.keys(p)).length;
if (found.length > 0 || operations === 0) {
  console.error(`openapi: ${found.length} findings in ${operations} operations`);
  process.exit(1);
}
console.log(`openapi: the document is valid: version ${JSON.parse(source).openapi}, ${paths.length} paths, ${operations} operations`);

function check(source) {
  return lintFromString({ source, absoluteRef: "openapi.json", config });
}

async function served(url) {
  const answer = await fetch(url);
  if (!answer.ok) {
    throw new Error(`${url}: ${answer.status}`);
  }
  return answer.text();
}
