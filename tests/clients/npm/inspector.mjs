// `@modelcontextprotocol/inspector` as a command: every question is a process and a connection of its own.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

import { given, walk } from "./walk.mjs";

const PACKAGE = new URL("node_modules/@modelcontextprotocol/inspector/", import.meta.url);
const INSPECTOR = fileURLToPath(new URL("clients/launcher/build/index.js", PACKAGE));
// The Inspector's own exit status for a tool result with `isError`.
const TOOL_ERROR = 5;

const headers = Object.entries(given.headers).flatMap(([name, value]) => ["--header", `${name}: ${value}`]);
const env = Object.entries(given.env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
const target = given.url ? [given.url, "--transport", "http", ...headers] : [...env, given.command, ...given.args];
// `--stored-auth-only` keeps a refused token from opening a browser.
const manner = ["--protocol-era", given.era, "--format", "json", "--quiet", "--stored-auth-only"];

/** Asks one question, and gives its result. */
async function ask(method, ...options) {
  const args = [INSPECTOR, "--cli", ...target, ...manner, "--method", method, ...options];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (data) => (out += data));
  child.stderr.setEncoding("utf8").on("data", (data) => (err += data));
  const code = await new Promise((done) => child.on("close", done));
  const result = code === 0 || code === TOOL_ERROR ? JSON.parse(out).result : undefined;
  if (!result || (code === TOOL_ERROR) !== (result.isError ?? false)) {
    throw new Error(`${method} ${options.join(" ")}: exit status ${code}\n${out}${err}`);
  }
  return result;
}

const { serverInfo, protocolVersion } = await ask("initialize");
await walk({
  server: serverInfo,
  protocol: protocolVersion,
  // Strict: a schema that the Inspector holds to be unportable fails the question.
  tools: (await ask("tools/list", "--strict")).tools,
  call: (name, args) => ask("tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(args)),
});
