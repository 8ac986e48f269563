// Drives graph-mem with the client libraries that people have, over stdio and over Streamable HTTP.
//
//   GRAPHMEM_TEST_CLI=target/debug/graph-mem GRAPHMEM_TEST_CLIENTS=target/clients node tests/clients/run.mjs [words]
//
// The first variable names the program, the second a folder for the libraries, which are installed there
// once. With words, only the lines that contain them all are run.

import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { children, run, start, stop, windows, within } from "./processes.mjs";

const HANDSHAKE = "2025-11-25";
const MODERN = "2026-07-28";
const INSTALL_MS = 600_000;
const CLIENT_MS = 180_000;
const SERVER_MS = 30_000;
const AT_ONCE = 2;

const here = fileURLToPath(new URL(".", import.meta.url));
const [cli, installed] = ["GRAPHMEM_TEST_CLI", "GRAPHMEM_TEST_CLIENTS"].map((name) => {
  if (process.env[name]) return resolve(process.env[name]);
  console.error(`${name} is not set; the head of this script says what it is`);
  process.exit(2);
});

const read = (file) => readFileSync(join(here, file), "utf8");
const interpreter = (folder) => join(installed, folder, windows ? "Scripts/python.exe" : "bin/python");

function python(folder) {
  const [, version] = read(`${folder}.txt`).match(/^mcp==(\S+)$/m);
  return { library: `PyPI mcp ${version}`, command: [interpreter(folder), join(here, "client_py.py")] };
}

function node(script, name) {
  const version = JSON.parse(read("npm/package.json")).dependencies[`@modelcontextprotocol/${name}`];
  return { library: `npm ${name} ${version}`, command: [process.execPath, join(installed, "npm", script)] };
}

// Which libraries, how they are asked to negotiate, and what has to come of it. The slow ones go first.
const LEGACY = { era: "legacy", protocol: HANDSHAKE };
const AUTO = { era: "auto", protocol: MODERN };
const clients = [
  { ...node("inspector.mjs", "inspector"), ...LEGACY },
  { ...node("inspector.mjs", "inspector"), ...AUTO },
  { ...python("py1"), ...LEGACY },
  { ...python("py2"), ...LEGACY },
  { ...python("py2"), ...AUTO },
  { ...node("sdk1.mjs", "sdk"), ...LEGACY },
  { ...node("client2.mjs", "client"), ...LEGACY },
  { ...node("client2.mjs", "client"), ...AUTO },
];

// Every folder made here, so that no way out leaves any behind.
const folders = new Set();

/** Does an install unless the same one was done before; a half-done one leaves no stamp and is done anew. */
async function once(name, inputs, install) {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}`);
  for (const input of inputs) hash.update(read(input));
  const [stamp, digest] = [join(installed, `${name}.stamp`), hash.digest("hex")];
  if (existsSync(stamp) && existsSync(join(installed, name)) && readFileSync(stamp, "utf8") === digest) return;
  console.log(`installing ${inputs[0]}`);
  rmSync(stamp, { force: true });
  rmSync(join(installed, name), { recursive: true, force: true });
  await install(join(installed, name));
  writeFileSync(stamp, digest);
}

async function installPython(name) {
  const requirements = join(here, `${name}.txt`);
  await once(name, [`${name}.txt`], async (folder) => {
    const uv = await run(INSTALL_MS, "uv", ["--version"]).catch(() => undefined);
    if (uv) {
      await run(INSTALL_MS, "uv", ["venv", "--quiet", folder]);
      const where = ["--python", interpreter(name), "--requirement", requirements];
      await run(INSTALL_MS, "uv", ["pip", "install", "--quiet", ...where]);
    } else {
      await run(INSTALL_MS, windows ? "python" : "python3", ["-m", "venv", folder]);
      await run(INSTALL_MS, interpreter(name), ["-m", "pip", "install", "--quiet", "--requirement", requirements]);
    }
  });
}

async function installNode() {
  const inputs = ["npm/package-lock.json", "npm/package.json", "npm/.npmrc"];
  await once("npm", inputs, async (folder) => {
    mkdirSync(folder);
    for (const input of inputs) cpSync(join(here, input), join(installed, input));
    // Errors only: the Inspector's command works with Node 20 too, though its package asks for a later one.
    // `overrides` in package.json holds the Inspector's vite back: 8.4.0 names an optional package that the
    // registry does not have, and `npm ci` takes no lock without it. The command does not use vite.
    const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
    await run(INSTALL_MS, "npm", ["ci", ...quiet], { cwd: folder, shell: windows });
  });
  // Node looks for packages beside the script, so the scripts go where the packages are.
  for (const script of readdirSync(join(here, "npm")).filter((file) => file.endsWith(".mjs"))) {
    cpSync(join(here, "npm", script), join(installed, "npm", script));
  }
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
      if (url) found(url);
    });
  });
  const early = server.ended.then((status) => {
    throw new Error(`the server ended with ${status}: ${server.errors}`);
  });
  try {
    const url = await within(SERVER_MS, "the server's address", Promise.race([address, early]));
    const token = await run(SERVER_MS, cli, ["connect", "clients", "--print-token"], { env, cwd: home });
    return { server, more: { GRAPHMEM_TEST_URL: url, GRAPHMEM_TEST_TOKEN: token.trim() } };
  } catch (error) {
    stop(server);
    throw error;
  } finally {
    // Later its end is asked for, and no failure.
    early.catch(() => {});
  }
}

/** Runs one client over one transport against a library of its own, and gives the negotiated version. */
async function attempt({ command, era, protocol, transport }) {
  const home = mkdtempSync(join(tmpdir(), "graph-mem-clients-"));
  folders.add(home);
  let server;
  try {
    let more;
    if (transport === "http") ({ server, more } = await serve(home));
    const env = environment(home, {
      GRAPHMEM_TEST_CLI: cli,
      GRAPHMEM_TEST_STEPS: join(here, "steps.json"),
      GRAPHMEM_TEST_ERA: era,
      ...more,
    });
    const [program, ...args] = command;
    const told = JSON.parse(await run(CLIENT_MS, program, args, { env, cwd: home }));
    if (told.protocol !== protocol) throw new Error(`negotiated ${told.protocol}, expected ${protocol}`);
    return told.protocol;
  } finally {
    if (server) {
      stop(server, "SIGTERM");
      await within(SERVER_MS, "the server's end", server.ended).catch(() => stop(server));
    }
    remove(home);
  }
}

function remove(home) {
  // A server that is just ending may still hold a file on some systems.
  rmSync(home, { recursive: true, force: true, maxRetries: 10 });
  folders.delete(home);
}

function leaveNothing() {
  children.forEach((child) => stop(child));
  folders.forEach(remove);
}
process.on("exit", leaveNothing);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.exit(1));

mkdirSync(installed, { recursive: true });
try {
  await Promise.all([installPython("py1"), installPython("py2"), installNode()]);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

const words = process.argv.slice(2);
const waiting = clients
  .flatMap((client) => ["stdio", "http"].map((transport) => ({ ...client, transport })))
  .map((one) => ({ ...one, line: `${one.library.padEnd(20)} ${one.era.padEnd(6)} ${one.transport.padEnd(5)}` }))
  .filter(({ line }) => words.every((word) => line.includes(word)));
const counts = { passed: 0, failed: 0 };

async function work() {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const begin = performance.now();
    const [outcome, what] = await attempt(next).then(
      (protocol) => ["passed", protocol],
      (error) => ["failed", error.message],
    );
    counts[outcome] += 1;
    const seconds = ((performance.now() - begin) / 1000).toFixed(1).padStart(5);
    console.log(`${next.line}  ${outcome} ${seconds} s  ${what}`);
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, work));
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exit(counts.failed || !counts.passed ? 1 : 0);
