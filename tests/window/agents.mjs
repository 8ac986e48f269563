// Agents of the tests: one over HTTP, one as a process of its own.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { programs, until } from "./webdriver.mjs";

const HELLO = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "window-test", version: "1" },
};

/** An agent on the window's listener, with a token of its own. */
export class HttpAgent {
  static async attach(home, name) {
    const agent = new HttpAgent();
    agent.token = (await home.cli("connect", name, "--print-token")).trim();
    const endpoint = await until("the listener", () => JSON.parse(readFileSync(join(home.library, "endpoint.json"), "utf8")));
    agent.url = `http://127.0.0.1:${endpoint.port}/mcp`;
    await agent.send("initialize", HELLO);
    await agent.send("notifications/initialized", undefined, true);
    return agent;
  }

  async send(method, params, isNotice = false) {
    const headers = {
      authorization: `Bearer ${this.token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": HELLO.protocolVersion,
    };
    if (this.session) headers["mcp-session-id"] = this.session;
    const id = isNotice ? undefined : (this.next = (this.next ?? 0) + 1);
    const body = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    const response = await fetch(this.url, { method: "POST", headers, body });
    if (!response.ok) throw new Error(`${method}: ${response.status} ${await response.text()}`);
    this.session = response.headers.get("mcp-session-id") ?? this.session;
    if (isNotice) return undefined;
    const text = await response.text();
    const data = text.split("\n").find((line) => line.startsWith("data:") && line.length > 6);
    const message = JSON.parse(data ? data.slice(5) : text);
    if (message.error) throw new Error(JSON.stringify(message.error));
    return message.result;
  }

  async call(name, args) {
    const result = await this.send("tools/call", { name, arguments: args });
    if (result.isError) throw new Error(result.content[0].text);
    return result.structuredContent;
  }
}

/** An agent that started `graph-mem server` itself. */
export class StdioAgent {
  static async attach(home, ...args) {
    const agent = new StdioAgent();
    agent.child = spawn(programs.cli, ["server", ...args], { env: home.env, cwd: home.folder, stdio: ["pipe", "pipe", "inherit"] });
    agent.waiting = new Map();
    createInterface({ input: agent.child.stdout }).on("line", (line) => {
      const message = JSON.parse(line);
      agent.waiting.get(message.id)?.(message);
      agent.waiting.delete(message.id);
    });
    await agent.send("initialize", HELLO);
    agent.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
    return agent;
  }

  send(method, params) {
    const id = (this.next = (this.next ?? 0) + 1);
    return new Promise((done, failed) => {
      this.waiting.set(id, (message) => (message.error ? failed(new Error(JSON.stringify(message.error))) : done(message.result)));
      this.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    });
  }

  async call(name, args) {
    const result = await this.send("tools/call", { name, arguments: args });
    if (result.isError) throw new Error(result.content[0].text);
    return result.structuredContent;
  }

  close() {
    this.child.stdin.end();
  }
}
