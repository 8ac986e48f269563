// The real window, driven through its web view, as a person meets it.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";

import { HttpAgent, StdioAgent } from "./agents.mjs";
import { Browser, Home, at, down, pause, until, up } from "./webdriver.mjs";

const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

/** Waits until no node moves any more. */
async function settled(browser) {
  await until("the graph", () => browser.probe("ready"));
  let last = "";
  await until("rest", async () => {
    const { running, frames } = await browser.probe("frameStats");
    const now = `${running} ${frames} ${JSON.stringify(await browser.probe("positions")).length}`;
    const rests = !running && now === last;
    last = now;
    if (!rests) await new Promise((done) => setTimeout(done, 250));
    return rests;
  });
}

describe("first run and live edits", () => {
  const home = new Home();
  let browser;
  before(async () => {
    browser = await Browser.window(home);
  });
  after(async () => {
    await browser?.close();
    home.remove();
  });

  test("an empty home opens on four ways to begin, and the sample opens", async () => {
    await browser.clickText("Open the sample");
    await settled(browser);
    const counts = await browser.probe("counts");
    assert.ok(counts.nodes >= 50 && counts.edges >= 80, JSON.stringify(counts));
    assert.deepEqual([counts.shownNodes, counts.shownEdges], [counts.nodes, counts.edges], "nothing is cut");
  });

  test("labels at rest do not overlap", async () => {
    const labels = await browser.probe("visibleLabels");
    assert.ok(labels.length > 10, `${labels.length} labels`);
    for (const [i, a] of labels.entries()) {
      for (const b of labels.slice(i + 1)) {
        const overlaps = a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
        assert.ok(!overlaps, `“${a.text}” and “${b.text}” overlap`);
      }
    }
  });

  test("writes over HTTP, by another process, by the command line and by the person all appear, and nothing jumps", async () => {
    const before = { camera: await browser.probe("camera"), positions: await browser.probe("positions"), counts: await browser.probe("counts") };
    const agent = await HttpAgent.attach(home, "scribe");
    await agent.call("switch_graph", { name: "sample" });
    await agent.call("add_entities", { entities: ["One", "Two", "Three"].map((name) => ({ name, entity_type: "live" })) });
    await agent.call("add_relationships", {
      relationships: [
        { source: "One", target: "Ines Okafor", relationship_type: "knows" },
        { source: "Two", target: "One", relationship_type: "knows" },
      ],
    });
    const stdio = await StdioAgent.attach(home, "--as", "runner", "--graph", "sample");
    await stdio.call("add_entities", { entities: ["Four", "Five", "Six"].map((name) => ({ name, entity_type: "live" })) });
    stdio.close();
    await home.cli("import", "--graph", "sample", home.file("one.jsonl", '{"type":"entity","name":"Seven","entityType":"live","observations":[]}'));
    await until("all seven", async () => {
      const counts = await browser.probe("counts");
      return counts.nodes === before.counts.nodes + 7 && counts.edges === before.counts.edges + 2;
    });
    await settled(browser);
    assert.deepEqual(await browser.probe("camera"), before.camera, "the camera stays");
    const positions = await browser.probe("positions");
    const anchor = Object.entries(before.positions);
    const moved = anchor.filter(([id, place]) => distance(place, positions[id]) > 8);
    assert.deepEqual(moved, [], "no settled node moves more than 8");
  });

  test("a click selects, a drag moves and pins, and neither is taken for the other", async () => {
    const canvas = await browser.run("const r = document.querySelector('canvas').getBoundingClientRect(); return {x: r.x, y: r.y}");
    const ids = Object.keys(await browser.probe("positions"));
    const place = async (id) => {
      const spot = await browser.probe("screenOf", id);
      return { x: canvas.x + spot.x, y: canvas.y + spot.y };
    };
    const [labelled] = await browser.probe("visibleLabels");
    const id = labelled.id;
    assert.ok(ids.includes(id));
    const spot = await place(id);
    await browser.pointer(at(spot.x, spot.y), down, pause(30), up);
    await until("the selection", async () => (await browser.probe("selection"))[0] === id);
    await settled(browser);
    const from = await place(id);
    const before = (await browser.probe("positions"))[id];
    await browser.pointer(at(from.x, from.y), down, at(from.x + 60, from.y + 40, 80), pause(30), up);
    await settled(browser);
    const after = (await browser.probe("positions"))[id];
    assert.ok(distance(before, after) > 10, "the node went with the pointer");
    await browser.keys("\uE00C");
    await until("nothing selected", async () => (await browser.probe("selection")).length === 0);
    const { zoom } = await browser.probe("camera");
    await browser.keys("+");
    await until("a nearer picture", async () => (await browser.probe("camera")).zoom > zoom);
    await browser.run("window.dispatchEvent(new KeyboardEvent('keydown', { key: '0', ctrlKey: true, bubbles: true }))");
    await until("the whole picture", async () => (await browser.probe("camera")).zoom <= zoom * 1.3);
    await until("the pin in the journal", async () => (await home.cli("log", "--graph", "sample", "-n", "1")).includes(" pin "));
  });

  test("hostile names are text and long ones break nothing", async () => {
    const names = ["<img src=x onerror=\"document.title='pwned'\">", "Ωmega 漢字 🙂", "x".repeat(500), "\u202eevil\u202c"];
    const agent = await HttpAgent.attach(home, "hostile");
    const counts = await browser.probe("counts");
    await agent.call("add_entities", {
      graph: "sample",
      entities: names.map((name) => ({ name, entity_type: "<marquee>type</marquee>", description: name, observations: [`${name} <script>document.title='pwned'</script>`] })),
    });
    await until("the nodes", async () => (await browser.probe("counts")).nodes === counts.nodes + names.length);
    const search = await browser.find("input[type=search], input[aria-label='Search entities']");
    await browser.click(search);
    await browser.type(search, "pwned");
    await new Promise((done) => setTimeout(done, 600));
    assert.doesNotMatch(await browser.get("title"), /pwned/);
    assert.equal(await browser.run("return document.querySelectorAll('img[src=x], marquee').length"), 0, "no element came from a name");
    const overflow = await browser.run("return document.documentElement.scrollWidth > document.documentElement.clientWidth + 1");
    assert.equal(overflow, false, "nothing pushes the layout apart");
    await browser.run("document.activeElement.blur()");
  });

  test("b139 b140: whatever agents write stays text in every field, and nothing is fetched or followed", async () => {
    const evil = "<img src=x onerror=\"document.title='pwned'\"><svg/onload=\"document.title='pwned'\">\"><script>document.title='pwned'</script>{{7*7}}";
    let asked = 0;
    const outside = createServer((_, answer) => {
      asked += 1;
      answer.end();
    }).listen(0, "127.0.0.1");
    outside.unref();
    await once(outside, "listening");
    const address = `http://127.0.0.1:${outside.address().port}`;
    const links = `[x](${address}/x) [y](file:///etc/passwd) [z](javascript:document.title='pwned') ![p](${address}/px.png) ${address}/auto`;
    const agent = await HttpAgent.attach(home, "hostile");
    await agent.call("switch_graph", { name: "sample" });
    await agent.call("add_entities", {
      entities: [{ name: `Trap ${evil}`, entity_type: evil.slice(0, 120), description: links, properties: { [evil]: evil }, observations: [evil, links] }, { name: "Trap door", entity_type: "t" }],
    });
    await agent.call("add_observations", { entity_name: "Trap door", observations: ["x"], source: evil });
    await agent.call("add_relationships", { relationships: [{ source: "Trap door", target: `Trap ${evil}`, relationship_type: evil.slice(0, 100), properties: { a: evil } }] });
    await agent.call("search_nodes", { query: evil });
    const here = await browser.get("url");
    const open = async (words) => {
      const row = await until(words, () => browser.run(`const rows = [...document.querySelectorAll("[role=listbox] [role=option]")]; const row = rows.find((r) => r.innerText.includes(${JSON.stringify(words)})); row?.click(); return row !== undefined`));
      assert.ok(row);
    };
    const search = await browser.find("input[type=search], input[aria-label='Search entities']");
    await browser.run("const box = document.querySelector('[aria-label=\"Search entities\"]'); Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(box, ''); box.dispatchEvent(new Event('input', { bubbles: true }))");
    await browser.type(search, "trap");
    for (const words of ["Trap <img", "Trap door"]) {
      await open(words);
      await until("the detail", () => browser.run(`return document.body.innerText.includes(${JSON.stringify(words)})`));
      // Left and middle click and a key on whatever looks like a link.
      await browser.run(`for (const element of document.querySelectorAll("aside *, [role=tabpanel] *")) {
        if (element.children.length > 0 || !/127\\.0\\.0\\.1|javascript:|file:/.test(element.textContent)) continue;
        for (const [type, button] of [["click", 0], ["auxclick", 1], ["dblclick", 0]]) element.dispatchEvent(new MouseEvent(type, { bubbles: true, button, ctrlKey: button === 0 }));
      }`);
    }
    for (const tab of ["Activity", "Agents"]) {
      await browser.clickText(tab);
      await new Promise((done) => setTimeout(done, 500));
    }
    await browser.clickText("Questions");
    await new Promise((done) => setTimeout(done, 500));
    assert.doesNotMatch(await browser.get("title"), /pwned/);
    assert.equal(await browser.get("url"), here, "the page goes nowhere");
    const made = await browser.run("return [...document.querySelectorAll('img, iframe, object, embed, a[href], svg[onload], script:not([src])')].map((e) => e.outerHTML.slice(0, 80))");
    assert.deepEqual(made, [], "no element came from what was written");
    assert.equal(asked, 0, "nothing was fetched");
    outside.close();
    await browser.clickText("Details");
  });
});

describe("what is kept", () => {
  test("pins, places and every acknowledged write are there after a kill", async () => {
    const home = new Home();
    try {
      let browser = await Browser.window(home);
      await browser.clickText("Open the sample");
      await settled(browser);
      const agent = await HttpAgent.attach(home, "writer");
      let acknowledged = 0;
      let stop = false;
      const writing = (async () => {
        while (!stop) {
          await agent.call("add_entities", { graph: "sample", entities: [{ name: `w${acknowledged}`, entity_type: "w" }] });
          acknowledged++;
        }
      })().catch(() => {});
      await until("some writes", () => acknowledged > 20);
      const { pid } = JSON.parse((await import("node:fs")).readFileSync(`${home.library}/endpoint.json`, "utf8"));
      process.kill(pid, "SIGKILL");
      stop = true;
      await writing;
      await browser.close();
      const listed = JSON.parse(await home.cli("graphs", "--json"));
      const sample = listed.find((graph) => graph.name === "sample");
      browser = await Browser.window(home);
      await settled(browser);
      assert.equal(await browser.probe("graph"), "sample", "the graph that was open opens again");
      assert.equal((await browser.probe("counts")).nodes, sample.entities);
      const names = JSON.parse(await home.cli("export", "--graph", "sample")).entities.map((entity) => entity.name);
      for (let i = 0; i < acknowledged; i++) assert.ok(names.includes(`w${i}`), `w${i} was acknowledged`);
      const before = await browser.probe("positions");
      await browser.close();
      browser = await Browser.window(home);
      await settled(browser);
      const after = await browser.probe("positions");
      const moved = Object.keys(before).filter((id) => distance(before[id], after[id]) > 1);
      assert.deepEqual(moved, [], "reopening moves nothing");
      await browser.close();
    } finally {
      home.remove();
    }
  });
});

const models = process.env.GRAPHMEM_TEST_MODELS;
const hasModel = models !== undefined && existsSync(`${models}/all-minilm-l6-v2-int8/model.json`);

describe("search by meaning", { skip: hasModel ? false : "no embedding model" }, () => {
  const home = new Home();
  home.env.GRAPHMEM_MODELS = models;
  let browser;
  before(async () => {
    browser = await Browser.window(home);
  });
  after(async () => {
    await browser?.close();
    home.remove();
  });

  test("a question finds what was said in other words, and says why", async () => {
    await browser.clickText("Open the sample");
    await settled(browser);
    const agent = await HttpAgent.attach(home, "scribe");
    await agent.call("switch_graph", { name: "sample" });
    await agent.call("add_entities", {
      entities: [
        { name: "AuthService", entity_type: "service", observations: ["Uses bcrypt for password hashing"] },
        { name: "Token check", entity_type: "service", description: "Verifies who may log in", observations: ["Looks at the credentials of each login"] },
      ],
    });
    await until("every text to have its vector", () => browser.run("return document.querySelector('footer')?.innerText.includes('by words and meaning')"));
    const box = await browser.find('input[type="search"], [aria-label="Search entities"]');
    await browser.type(box, "how are passwords stored");
    const first = () => browser.run("const row = document.querySelector('[role=listbox] [role=option]'); return row && { text: row.innerText, why: row.querySelector('[title*=\"Near in meaning\"]')?.title }");
    const hit = await until("the hit", async () => {
      const row = await first();
      return row?.text.includes("AuthService") && row;
    });
    assert.match(hit.text, /Uses bcrypt for password hashing/);
    assert.match(hit.why ?? "", /Near in meaning: cosine 0\.[3-9]/);
  });

  test("what belongs with an entity is proposed, and one click links it", async () => {
    await browser.clickText("AuthService");
    const link = await until("a proposal", () => browser.run("return document.querySelector('[aria-label=\"Link to Token check\"]') !== null"));
    assert.ok(link);
    // It may stand below the panel's edge.
    await browser.run("const link = document.querySelector('[aria-label=\"Link to Token check\"]'); link.scrollIntoView({ block: 'center' }); link.click()");
    await until("the relation", () => browser.run("return [...document.querySelectorAll('[aria-label=Relations] li')].some((li) => li.innerText.includes('related_to') && li.innerText.includes('Token check'))"));
    assert.equal(await browser.run("return document.querySelector('[aria-label=\"Link to Token check\"]')"), null);
  });
});

describe("agents", () => {
  const home = new Home();
  const cursor = join(home.folder, ".cursor/mcp.json");
  const mine = '{\n  // mine\n  "mcpServers": {\n    "other": { "command": "npx" },\n  },\n}\n';
  const says = (css) => browser.run(`return document.querySelector(${JSON.stringify(css)})?.innerText ?? ""`);
  const press = (words, within = "body") =>
    browser.run(`const button = [...document.querySelectorAll(${JSON.stringify(`${within} button`)})].find((b) => b.innerText.trim().startsWith(${JSON.stringify(words)})); button?.click(); return button !== undefined`);
  /** Runs a command by its words, as from the keyboard. */
  const command = async (words) => {
    await browser.run("window.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }))");
    await browser.type(await browser.find('input[role="combobox"]'), words);
    await until("the command", () => browser.run(`return document.querySelector("#palette-list [role=option]")?.innerText.toLowerCase().includes(${JSON.stringify(words.toLowerCase())})`));
    await browser.type(await browser.find('input[role="combobox"]'), "\uE007");
  };
  let browser;
  let agent;
  before(async () => {
    mkdirSync(dirname(cursor), { recursive: true });
    writeFileSync(cursor, mine);
    browser = await Browser.window(home);
    await browser.clickText("Open the sample");
    await settled(browser);
  });
  after(async () => {
    await agent?.close();
    await browser?.close();
    home.remove();
  });

  test("who is at work is seen, paused, and told so; its questions and what it deleted are there", async () => {
    agent = await StdioAgent.attach(home, "--as", "scribe");
    await agent.call("switch_graph", { name: "sample" });
    await agent.call("search_nodes", { query: "keel of the corvina" });
    await agent.call("delete_entities", { names: ["Corvina"] });
    await until("the agent in the status bar", async () => (await says("footer")).includes("1 agent at work"));
    await browser.clickText("Agents");
    await until("its session", async () => (await says("body")).includes("as its own process"));
    assert.ok(await press("Pause", "[role=tabpanel], aside"));
    await until("the pause", () => agent.call("add_observations", { entity_name: "Jun Park", observations: ["x"] }).then(() => false, (error) => /paused/.test(error.message)));
    await until("a way on", () => press("Resume"));
    await until("the write", () => agent.call("add_observations", { entity_name: "Jun Park", observations: ["writes again"] }).then(() => true, () => false));
    await browser.clickText("Questions");
    await until("the question", async () => (await says("body")).includes("keel of the corvina"));
    await command("trash");
    await until("the trash", async () => (await says("dialog[open]")).includes("deleted by scribe"));
    await until("the restore", () => press("Restore", "dialog[open]"));
    await until("the entity again", async () => JSON.parse(await home.cli("status", "--graph", "sample", "--json")).entities === 54);
    await until("the dialog to close", async () => (await says("dialog[open]")) === "");
  });

  test("a client is attached from the window, tried, and its file given back byte for byte", async () => {
    await command("connect an agent");
    await until("the clients", () => press("Cursor", "dialog[open]"));
    await until("the change", async () => (await says("dialog[open]")).includes('"graph-mem": {'));
    assert.equal(readFileSync(cursor, "utf8"), mine);
    await until("the button", () => press("Connect Cursor", "dialog[open]"));
    await until("the trial", async () => (await says("dialog[open]")).includes("Tried it: 28 tools"), 60_000);
    const written = readFileSync(cursor, "utf8");
    assert.match(written, /\/\/ mine/);
    assert.match(written, /"--as", "cursor"/);
    assert.ok(await press("Undo", "dialog[open]"));
    await until("the file as it was", () => readFileSync(cursor, "utf8") === mine);
  });
});
