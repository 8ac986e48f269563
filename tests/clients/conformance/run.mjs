// Runs the conformance suite of MCP against graph-mem's endpoint of HTTP. docs/CONFORMANCE.md tells what came of it.
//
//   GRAPHMEM_TEST_CLI=target/debug/graph-mem GRAPHMEM_TEST_CLIENTS=target/clients \
//     node tests/clients/conformance/run.mjs [words]
//
// The first variable names the program, the second a folder for the suite, which is installed there once.
// With words, only the lines that contain them all are run.
//
// The suite wants a server that has the tools, resources and prompts of its own example. Between it and
// graph-mem stands a relay that puts names and arguments of ours into requests in place of those, so that
// the suite tries what graph-mem really does. Answers pass as they are.

import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { children, run, start, stop, windows, within } from "../processes.mjs";

const SUITE = "@modelcontextprotocol/conformance";
// The suite imports what older ones do not have.
const OLDEST_NODE = 22;
const STATELESS = "2026-07-28";
// How the suite's list marks a scenario that belongs to no revision.
const EXTENSION = "extension";
const INSTALL_MS = 600_000;
const SUITE_MS = 300_000;
const SERVER_MS = 30_000;
const AT_ONCE = 2;

const here = fileURLToPath(new URL(".", import.meta.url));
const [cli, installed] = ["GRAPHMEM_TEST_CLI", "GRAPHMEM_TEST_CLIENTS"].map((name) => {
  if (process.env[name]) return resolve(process.env[name]);
  console.error(`${name} is not set; the head of this script says what it is`);
  process.exit(2);
});

const read = (file) => readFileSync(join(here, file), "utf8");
const folder = join(installed, "conformance");
const manifest = JSON.parse(read("package.json"));
const notApplicable = JSON.parse(read("not-applicable.json"));

// What stands for what. A name that is not here goes through, and so does one in another spelling.

/** Enough work for several notices of progress, which are told a tenth of a second apart. */
const MANY = Array.from({ length: 1000 }, (_, part) => ({
  name: `Part ${part} of the machine`,
  entity_type: "part",
  observations: Array.from({ length: 20 }, (_, time) => `Part ${part} was measured, and that for the ${time}th time`),
}));

const TOOLS = new Map([
  ["test_simple_text", { name: "read_graph", arguments: {} }],
  ["test_error_handling", { name: "get_entity", arguments: { name: "no such entity" } }],
  ["test_tool_with_progress", { name: "add_entities", arguments: { entities: MANY } }],
  // Its answer must bring no message of a log that was not asked for.
  ["test_logging_tool", { name: "read_graph", arguments: {} }],
  // Its stream must bring no request to the client.
  ["test_streaming_elicitation", { name: "read_graph", arguments: {} }],
  // What counts is the stream that the answer comes on.
  ["test_reconnection", { name: "read_graph", arguments: {} }],
  // It asks the client for nothing, so input that comes with a call is unasked for.
  ["test_input_required_result_elicitation", { name: "read_graph", arguments: {} }],
]);

const PROMPTS = new Map([
  ["test_simple_prompt", { name: "tidy_graph", arguments: () => ({}) }],
  [
    "test_prompt_with_arguments",
    { name: "recall_context", arguments: ({ arg1, arg2 }) => ({ task: `${arg1} ${arg2}` }) },
  ],
]);

// The argument that is completed: names of graphs are, a task is free text.
const ARGUMENTS = new Map([["arg1", "graph"]]);

// The suite looks whether the number is in what it reads.
const TEMPLATED = "Entity 123";
const RESOURCES = new Map([
  ["test://static-text", "graphmem://default/overview"],
  ["test://watched-resource", "graphmem://default/overview"],
  ["test://template/123/data", `graphmem://default/entity/${encodeURIComponent(TEMPLATED)}`],
]);

/** What stands for the name that a header repeats from the body. */
function translatedName(name) {
  return TOOLS.get(name)?.name ?? PROMPTS.get(name)?.name ?? RESOURCES.get(name) ?? name;
}

/** A request of the suite with names and arguments of ours; undefined if it has none that are translated. */
function translated(message) {
  const { method, params } = message;
  const given = (more) => ({ ...message, params: { ...params, ...more } });
  switch (method) {
    case "tools/call": {
      const tool = TOOLS.get(params?.name);
      return tool && given(tool);
    }
    case "prompts/get": {
      const prompt = PROMPTS.get(params?.name);
      return prompt && given({ name: prompt.name, arguments: prompt.arguments(params.arguments ?? {}) });
    }
    case "completion/complete": {
      const { ref, argument } = params ?? {};
      const [prompt, name] = [PROMPTS.get(ref?.name), ARGUMENTS.get(argument?.name)];
      return prompt && name && given({ ref: { ...ref, name: prompt.name }, argument: { ...argument, name } });
    }
    case "resources/read":
    case "resources/subscribe":
    case "resources/unsubscribe": {
      const uri = RESOURCES.get(params?.uri);
      return uri && given({ uri });
    }
    default:
      return undefined;
  }
}

// Every home made here, so that no way out leaves any behind.
const homes = new Set();

/** Installs the suite unless the same was done before; a half-done install leaves no stamp and is done anew. */
async function install() {
  const inputs = ["package-lock.json", "package.json", ".npmrc"];
  const isNewEnough = Number.parseInt(process.versions.node) >= OLDEST_NODE;
  const hash = createHash("sha256").update(`${process.platform} ${process.arch} ${isNewEnough}`);
  for (const input of inputs) hash.update(read(input));
  const [stamp, digest] = [join(installed, "conformance.stamp"), hash.digest("hex")];
  const isDone = existsSync(stamp) && existsSync(folder) && readFileSync(stamp, "utf8") === digest;
  if (!isDone) {
    console.log(`installing ${SUITE}`);
    rmSync(stamp, { force: true });
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const input of inputs) cpSync(join(here, input), join(folder, input));
    // Errors only: this Node may be too old for what another one is going to run.
    const quiet = ["--no-audit", "--no-fund", "--loglevel=error", ...(isNewEnough ? ["--omit=optional"] : [])];
    await run(INSTALL_MS, "npm", ["ci", ...quiet], { cwd: folder, shell: windows });
    writeFileSync(stamp, digest);
  }
  return { node: isNewEnough ? process.execPath : installedNode(), script: join(modules(SUITE), "dist/index.js") };
}

const modules = (name) => join(folder, "node_modules", name);

/** The Node that came with the suite: of the packages for all systems, npm installs the one that fits. */
function installedNode() {
  const name = Object.keys(manifest.optionalDependencies).find((name) => existsSync(modules(name)));
  const system = `${process.platform} ${process.arch}`;
  if (!name) throw new Error(`no package has Node ${OLDEST_NODE} for ${system}; run this script with one as new`);
  const { bin } = JSON.parse(readFileSync(join(modules(name), "package.json"), "utf8"));
  return join(modules(name), bin.node);
}

/** A user's environment with an empty home, and without what this user set for graph-mem. */
function environment(home, more) {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("GRAPHMEM_"));
  return { ...Object.fromEntries(kept), HOME: home, USERPROFILE: home, GRAPHMEM_HOME: join(home, "library"), ...more };
}

/** Starts a server of HTTP, and gives its address and a token. */
async function serve(home) {
  const env = environment(home);
  const server = start(cli, ["server", "--transport", "http", "--port", "0"], { env, cwd: home });
  const address = new Promise((found) => {
    server.stderr.on("data", () => {
      const url = server.errors.match(/agents attach at (http:[^\s;]+)/)?.[1];
      if (url) found(new URL(url));
    });
  });
  const early = server.ended.then((status) => {
    throw new Error(`the server ended with ${status}: ${server.errors}`);
  });
  try {
    const url = await within(SERVER_MS, "the server's address", Promise.race([address, early]));
    const token = await run(SERVER_MS, cli, ["connect", "conformance", "--print-token"], { env, cwd: home });
    return { server, url, token: token.trim() };
  } catch (error) {
    stop(server);
    throw error;
  } finally {
    // Later its end is asked for, and no failure.
    early.catch(() => {});
  }
}

/** Puts into the graph what the suite finds in its own example. */
async function seed({ url, token }) {
  const entities = [{ name: TEMPLATED, entity_type: "test", description: "What the template is read with." }];
  const about = (name, value) => [`io.modelcontextprotocol/${name}`, value];
  const _meta = Object.fromEntries([
    about("protocolVersion", STATELESS),
    about("clientInfo", { name: "seed", version: "1" }),
    about("clientCapabilities", {}),
  ]);
  const call = { name: "add_entities", arguments: { entities }, _meta };
  const answer = await fetch(url, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": STATELESS,
      "Mcp-Method": "tools/call",
      "Mcp-Name": call.name,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call }),
    signal: AbortSignal.timeout(SERVER_MS),
  });
  const text = await answer.text();
  if (!answer.ok || !text.includes(TEMPLATED)) throw new Error(`the graph was not seeded: ${answer.status} ${text}`);
}

/**
 * One request as it goes on to the server: with the token, the server's own port, and what stands for the
 * suite's names. All else keeps its bytes, blanks around values and the case of names too: the suite
 * tests what a server makes of them.
 */
function passedOn(head, body, { token, from, to }) {
  let message;
  try {
    message = translated(JSON.parse(body));
  } catch {
    // No JSON; what a server makes of that is for the suite to see.
  }
  const sent = message ? Buffer.from(JSON.stringify(message)) : body;
  const [request, ...headers] = head.split("\r\n");
  const lines = headers.map((line) => {
    const [, name, value] = /^([^:]*: ?)(.*)$/s.exec(line) ?? [];
    switch (name?.replace(/: ?$/, "").toLowerCase()) {
      case "host":
      case "origin":
        return name + (value.endsWith(`:${from}`) ? value.slice(0, -`${from}`.length) + to : value);
      case "mcp-name":
        return name + translatedName(value);
      case "content-length":
        return message ? name + sent.length : line;
      default:
        return line;
    }
  });
  const begin = [request, `Authorization: Bearer ${token}`, ...lines].join("\r\n");
  return Buffer.concat([Buffer.from(`${begin}\r\n\r\n`, "latin1"), sent]);
}

/** Stands before the server, on a port of its own; `failure` tells of a request that it could not pass on. */
async function relay({ url, token }) {
  const open = new Set();
  let failure;
  const relay = createServer((client) => {
    const server = connect(url.port, url.hostname);
    const ways = { token, from: relay.address().port, to: Number(url.port) };
    let waiting = Buffer.alloc(0);
    client.on("data", (data) => {
      waiting = Buffer.concat([waiting, data]);
      for (;;) {
        const end = waiting.indexOf("\r\n\r\n");
        if (end < 0) return;
        const head = waiting.toString("latin1", 0, end);
        if (/^transfer-encoding:/im.test(head)) {
          // The suite sends none. One that did must not be tried with half of its request.
          failure = new Error("the suite sent a body in chunks, which the relay does not know");
          client.destroy();
          return;
        }
        const body = end + 4;
        const next = body + Number(/^content-length:\s*(\d+)/im.exec(head)?.[1] ?? 0);
        if (waiting.length < next) return;
        server.write(passedOn(head, waiting.subarray(body, next), ways));
        waiting = waiting.subarray(next);
      }
    });
    server.pipe(client);
    // Whoever goes takes the other along.
    for (const [one, other] of [[client, server], [server, client]]) {
      open.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        open.delete(one);
        other.destroySoon();
      });
    }
  });
  await new Promise((done, fail) => relay.on("error", fail).listen(0, url.hostname, done));
  const end = () => {
    relay.close();
    open.forEach((socket) => socket.destroy());
  };
  const address = `http://${url.hostname}:${relay.address().port}${url.pathname}`;
  return { address, failure: () => failure, end };
}

/** The scenarios of each revision, as the suite lists them. */
async function listed({ node, script }) {
  const list = await run(SERVER_MS, node, [script, "list", "--server"]);
  const revisions = new Map();
  for (const [, scenario, told] of list.matchAll(/^ +- (\S+) \[(.+)\]$/gm)) {
    for (const revision of told.split(",")) {
      revisions.set(revision, [...(revisions.get(revision) ?? []), scenario]);
    }
  }
  if (!revisions.has(STATELESS)) throw new Error(`the suite's list was not understood:\n${list}`);
  return revisions;
}

/** Runs scenarios of one revision against a server of their own, and gives the checks by scenario. */
async function attempt({ node, script }, { revision, scenarios, all }) {
  const home = mkdtempSync(join(tmpdir(), "graph-mem-conformance-"));
  homes.add(home);
  let serving, relaying;
  try {
    serving = await serve(home);
    await seed(serving);
    relaying = await relay(serving);
    const results = join(home, "results");
    mkdirSync(results);
    const wire = revision === EXTENSION ? [] : ["--spec-version", revision];
    // One process for all: the suite takes longer to start than to run. Without a revision it runs more than the
    // extensions, which is still less.
    for (const which of all ? [["--suite", "all"]] : scenarios.map((scenario) => ["--scenario", scenario])) {
      const args = [script, "server", "--url", relaying.address, ...which, ...wire, "--output-dir", results];
      // A failure is told by what was written.
      await run(SUITE_MS, node, args, { fine: [0, 1], env: environment(home), cwd: home });
    }
    if (relaying.failure()) throw relaying.failure();
    const checks = readdirSync(results).map((name) => [
      name.match(/^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/)?.[1],
      JSON.parse(readFileSync(join(results, name, "checks.json"), "utf8")),
    ]);
    return Object.fromEntries(checks);
  } finally {
    relaying?.end();
    if (serving) {
      stop(serving.server, "SIGTERM");
      await within(SERVER_MS, "the server's end", serving.server.ended).catch(() => stop(serving.server));
    }
    remove(home);
  }
}

function remove(home) {
  // A server that is just ending may still hold a file on some systems.
  rmSync(home, { recursive: true, force: true, maxRetries: 10 });
  homes.delete(home);
}

function leaveNothing() {
  children.forEach((child) => stop(child));
  homes.forEach(remove);
}
process.on("exit", leaveNothing);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.exit(1));

// What the suite says of the messages themselves, whatever the scenario. That is never excused.
const isOfWire = ({ id }) => id.startsWith("wire-schema-");
// A warning is a failure to do what one should; it needs a reason as well.
const isBad = ({ status }) => status === "FAILURE" || status === "WARNING";
const isGood = ({ status }) => status === "SUCCESS";

const used = new Set();

/** Whether there is a reason not to ask for this. */
function excused(key) {
  used.add(key);
  return Object.hasOwn(notApplicable, key);
}

/** What came of a scenario: its outcome, what to tell of it, and how many checks of it went how. */
function judged(scenario, checks) {
  if (!checks) return { outcome: "failed", faults: ["the suite wrote no result"], counts: {} };
  const own = checks.filter((check) => !isOfWire(check));
  const told = ({ id, errorMessage, description }) => `${id}: ${errorMessage ?? description}`;
  const wire = checks.filter(isOfWire).filter(isBad);
  if (excused(scenario)) {
    const isStale = own.some(isGood) && !own.some(isBad);
    const faults = [...wire.map(told), ...(isStale ? ["passes, and is said not to apply"] : [])];
    const counts = { failed: faults.length, "not applicable": own.filter(isBad).length };
    return { outcome: faults.length ? "failed" : "skipped", faults, counts };
  }
  // One id may stand for several checks; they are excused together.
  const isExcused = ({ id }) => excused(`${scenario}:${id}`);
  const ids = new Set(own.filter(isExcused).map(({ id }) => id));
  const stale = [...ids].filter((id) => {
    const same = own.filter((check) => check.id === id);
    return same.some(isGood) && !same.some(isBad);
  });
  const asked = own.filter((check) => !ids.has(check.id));
  const faults = [...asked.filter(isBad), ...wire].map(told);
  faults.push(...stale.map((id) => `${id}: passes, and is said not to apply`));
  const passed = asked.filter(isGood).length;
  if (!passed && !faults.length) faults.push("nothing was tested; if that is right, say why in not-applicable.json");
  const left = own.filter(isBad).length - asked.filter(isBad).length;
  const counts = { passed, failed: faults.length, "not applicable": left };
  return { outcome: faults.length ? "failed" : "passed", faults, counts };
}

const words = process.argv.slice(2);
const scenarios = { passed: 0, failed: 0, skipped: 0 };
const checks = { passed: 0, failed: 0, "not applicable": 0 };
const inWords = (counts) =>
  Object.entries(counts)
    .filter(([, count]) => count)
    .map(([what, count]) => `${count} ${what}`)
    .join(", ");

function tell(revision, scenario, { outcome, faults, counts }) {
  scenarios[outcome] += 1;
  for (const [what, count] of Object.entries(counts)) checks[what] += count;
  console.log(`${revision.padEnd(10)}  ${scenario.padEnd(47)}  ${outcome}  ${inWords(counts)}`.trimEnd());
  for (const fault of faults) console.log(`    ${fault}`);
}

async function work(suite, waiting) {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const results = await attempt(suite, next).catch((error) => error);
    for (const scenario of next.scenarios) {
      const failed = { outcome: "failed", faults: [results.message], counts: { failed: 1 } };
      tell(next.revision, scenario, results instanceof Error ? failed : judged(scenario, results[scenario]));
    }
  }
}

mkdirSync(installed, { recursive: true });
let begin;
try {
  const suite = await install();
  begin = performance.now();
  const waiting = [...(await listed(suite))]
    .map(([revision, all]) => {
      const wanted = all.filter((scenario) => words.every((word) => `${revision} ${scenario}`.includes(word)));
      return { revision, scenarios: wanted, all: wanted.length === all.length };
    })
    .filter(({ scenarios }) => scenarios.length);
  // Those that take long go first.
  const weight = ({ revision, scenarios }) => (revision === EXTENSION ? Infinity : scenarios.length);
  waiting.sort((one, other) => weight(other) - weight(one));
  await Promise.all(Array.from({ length: AT_ONCE }, () => work(suite, waiting)));
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

if (!words.length) {
  for (const key of Object.keys(notApplicable).filter((key) => !used.has(key))) {
    scenarios.failed += 1;
    console.log(`not-applicable.json: the suite has no ${key}`);
  }
}
const seconds = ((performance.now() - begin) / 1000).toFixed(1);
console.log(`${SUITE} ${manifest.dependencies[SUITE]}: checks ${inWords(checks)}; ${seconds} s`);
console.log(`${scenarios.passed} passed, ${scenarios.failed} failed, ${scenarios.skipped} skipped`);
process.exit(scenarios.failed || !scenarios.passed ? 1 : 0);
