// What every client of npm is asked to do and to find: the Python client walks the same `steps.json`.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const TOOLS = 28;

/** The settings of the runner: where the server is, and which era of the protocol to ask for. */
export const given = {
  command: process.env.GRAPHMEM_TEST_CLI,
  args: ["server", "--as", "clients"],
  // Clients hand only a few variables down to a server over stdio, so these are named.
  env: { HOME: process.env.HOME, GRAPHMEM_HOME: process.env.GRAPHMEM_HOME },
  url: process.env.GRAPHMEM_TEST_URL,
  headers: { Authorization: `Bearer ${process.env.GRAPHMEM_TEST_TOKEN}` },
  era: process.env.GRAPHMEM_TEST_ERA,
};

/** Checks a connected client, and tells the runner what was negotiated. `call` answers with the raw tool result. */
export async function walk({ server, protocol, tools, call }) {
  assert.equal(server?.name, "graph-mem", "the server's name");
  assert.equal(tools.length, TOOLS, "the number of tools");
  for (const step of JSON.parse(readFileSync(process.env.GRAPHMEM_TEST_STEPS, "utf8"))) {
    let result;
    try {
      result = await call(step.tool, step.arguments);
      check(step, result);
    } catch (error) {
      throw new Error(`${error.message}\nrequest: ${JSON.stringify(step)}\nresponse: ${JSON.stringify(result)}`);
    }
  }
  console.log(JSON.stringify({ protocol }));
}

function check(step, result) {
  assert.equal(result.isError ?? false, step.fails ?? false, "isError");
  assert.deepEqual(result.content.map(({ type }) => type), ["text"], "the content's types");
  const told = JSON.parse(result.content[0].text);
  // Some clients hold structured content against the output schema even of a failure, so there it must be missing.
  assert.deepEqual(result.structuredContent, step.fails ? undefined : told, "structuredContent against the text");
  for (const [pointer, value] of Object.entries(step.expect)) assert.deepEqual(at(told, pointer), value, pointer);
  if (step.suggests) assert.deepEqual(told.suggestions?.toSorted(), step.suggests, "suggestions");
}

/** The value at a JSON pointer. */
function at(value, pointer) {
  return pointer.split("/").slice(1).reduce((inner, key) => inner?.[key], value);
}
