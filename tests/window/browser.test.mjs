// The same explorer in a real browser, served by `graph-mem ui`.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { after, before, describe, test } from "node:test";

import { StdioAgent } from "./agents.mjs";
import { Browser, Home, programs, until } from "./webdriver.mjs";

describe("graph-mem ui", () => {
  const home = new Home();
  let [browser, server, link] = [];
  before(async () => {
    await home.cli("import", new URL("../data/server-memory-clean.jsonl", import.meta.url).pathname);
    server = spawn(programs.cli, ["ui"], { env: home.env, cwd: home.folder });
    let out = "";
    server.stdout.on("data", (data) => (out += data));
    link = await until("the link", () => out.match(/http:\S+/)?.[0]);
    browser = await Browser.chromium(home);
    await browser.go(link);
  });
  after(async () => {
    await browser?.close();
    server?.kill();
    home.remove();
  });

  test("the link opens the whole graph, and the code is gone from the address", async () => {
    await until("the graph", () => browser.probe("ready"), 60_000);
    assert.deepEqual((({ nodes, edges }) => ({ nodes, edges }))(await browser.probe("counts")), { nodes: 319, edges: 477 });
    assert.ok(!(await browser.get("url")).includes("gmt_"));
    assert.ok(!(await browser.get("source")).includes("gmt_"), "no credential in the page");
  });

  test("another process's write appears", async () => {
    const agent = await StdioAgent.attach(home);
    await agent.call("add_entities", { entities: [{ name: "From elsewhere", entity_type: "t" }] });
    agent.close();
    await until("the node", async () => (await browser.probe("counts")).nodes === 320);
  });

  test("the link works once", async () => {
    const second = await fetch(new URL("/api/session", link), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code: link.split("#")[1] }),
    });
    assert.equal(second.status, 401);
    const unasked = await fetch(new URL("/api/call/list_graphs", link), { method: "POST" });
    assert.equal(unasked.status, 401);
  });
});
