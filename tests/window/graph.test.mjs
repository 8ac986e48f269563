// The graph window's cases, in the real window, through the probe.

import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { after, before, describe, test } from "node:test";

import { HttpAgent, StdioAgent } from "./agents.mjs";
import { Browser, Home, at, down, pause, programs, sleep, until, up } from "./webdriver.mjs";

const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

const WORDS = ["Harbour", "Ledger", "Quartz", "Meadow", "漢字データ", "مكتبة", "Signal 🎉", "Archive of all the old letters"];
const name = (i) => `${WORDS[i % WORDS.length]} ${i}`;

/** Groups of entities, each linked to its first ones; some relationships go between groups. */
function graph(nodes, groups) {
  const lines = [];
  for (let i = 0; i < nodes; i++) lines.push({ type: "entity", name: name(i), entityType: `type ${i % 9}`, observations: [] });
  for (let i = groups; i < nodes; i++) {
    const near = (i * 7) % Math.ceil(i / groups) * groups + (i % groups);
    lines.push({ type: "relation", from: name(i), to: name(Math.min(near, i - groups) % i), relationType: i % 3 === 0 ? "owns" : "knows" });
    if (i % 5 === 0) lines.push({ type: "relation", from: name(i), to: name((i * 13) % i), relationType: "cites" });
  }
  return lines.map((line) => JSON.stringify(line)).join("\n");
}

async function rest(browser) {
  await until("the graph", () => browser.probe("ready"), 60_000);
  let last = -1;
  await until("rest", async () => {
    const { running, frames } = await browser.probe("frameStats");
    const rests = !running && frames === last;
    last = frames;
    if (!rests) await sleep(500);
    return rests;
  }, 60_000);
}

const key = (browser, pressed, more = {}) => browser.run(
  "document.querySelector('[data-pane=canvas]').firstElementChild.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...arguments[0] }))",
  { key: pressed, code: /^\d$/.test(pressed) ? `Digit${pressed}` : pressed, ...more },
);

/** What assistive technology reads of the window, a line of JSON a node; by Debian's own Python, which has the bindings. */
function readAloud(home) {
  const { stdout, stderr } = spawnSync("/usr/bin/python3", ["-W", "ignore", "tests/window/accessibility.py", "graph-mem"], { env: home.env, encoding: "utf8" });
  assert.equal(stderr.replaceAll(/^dbind-WARNING.*$/gm, "").trim(), "");
  return stdout;
}

/** A window on a small graph for all tests of a group. */
function smallGraph() {
  const opened = { home: new Home() };
  before(async () => {
    await opened.home.cli("import", opened.home.file("graph.jsonl", graph(60, 6)));
    opened.browser = await Browser.window(opened.home);
    await rest(opened.browser);
  });
  after(async () => {
    await opened.browser?.close();
    opened.home.remove();
  });
  return opened;
}

const overlap = (a, b) => Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) * Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y));

describe("a graph of 600", () => {
  const home = new Home();
  let browser, agent;
  before(async () => {
    await home.cli("import", home.file("graph.jsonl", graph(600, 20)));
    agent = await StdioAgent.attach(home, "--as", "scribe");
    browser = await Browser.window(home);
    await rest(browser);
  });
  after(async () => {
    await browser?.close();
    agent?.child.kill();
    home.remove();
  });

  test("frames of the layout come as bytes: nothing fell back to JSON", async () => {
    assert.equal(await browser.run("return document.documentElement.dataset.slowChannel ?? null"), null);
    // The places were made by the host and are spread out, none on another.
    const places = Object.values(await browser.probe("positions"));
    assert.equal(places.length, 600);
    assert.ok(places.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y)));
    assert.ok(new Set(places.map(({ x, y }) => `${Math.round(x)} ${Math.round(y)}`)).size > 590);
  });

  test("a readable start says how many stand out, and one click lets all count alike", async () => {
    assert.match(await browser.text("footer"), /250 of 600 in focus/);
    assert.equal((await browser.probe("counts")).shownNodes, 600, "nothing is cut");
    await browser.click(await browser.find("button[title='Let all entities count alike']"));
    assert.doesNotMatch(await browser.text("footer"), /in focus/);
  });

  test("b116: labels never overlap, at any zoom", async () => {
    const { width, height } = await browser.probe("camera");
    const wheel = (delta) => browser.run("document.elementFromPoint(arguments[0], arguments[1]).dispatchEvent(new WheelEvent('wheel', { deltaY: arguments[2], clientX: arguments[0], clientY: arguments[1], bubbles: true, cancelable: true }))", width / 2, height / 2, delta);
    for (const delta of [...Array(9).fill(-100), ...Array(14).fill(100)]) {
      await wheel(delta);
      await wheel(delta);
      await sleep(420);
      const labels = await browser.probe("visibleLabels");
      const over = await browser.run("const { left, top } = document.querySelector('[data-pane=canvas]').getBoundingClientRect(); return Array.from(document.querySelectorAll('[data-over-canvas]'), (each) => { const b = each.getBoundingClientRect(); return { x: b.left - left, y: b.top - top, width: b.width, height: b.height }; })");
      assert.ok(over.length >= 2);
      for (const [i, a] of labels.entries()) {
        for (const box of over) assert.equal(overlap(a, box), 0, `“${a.text}” lies under the legend, the controls or the map`);
        for (const b of labels.slice(i + 1)) {
          const shared = overlap(a, b) / Math.min(a.width * a.height, b.width * b.height);
          assert.ok(shared <= 0.2, `“${a.text}” and “${b.text}” share ${Math.round(shared * 100)} %`);
        }
      }
    }
    await browser.clickText("Fit all (Ctrl+0)").catch(() => browser.run("window.dispatchEvent(new KeyboardEvent('keydown', { key: '0', ctrlKey: true, bubbles: true }))"));
    await rest(browser);
  });

  test("b113: the wheel zooms at the pointer, and fit brings everything back", async () => {
    const [[id]] = Object.entries(await browser.probe("positions"));
    const start = await browser.probe("screenOf", id);
    const wheel = (delta) => browser.run("document.querySelector('[data-pane=canvas]').firstElementChild.dispatchEvent(new WheelEvent('wheel', { deltaY: arguments[2], clientX: arguments[0], clientY: arguments[1] + document.querySelector('[data-pane=canvas]').getBoundingClientRect().top, bubbles: true, cancelable: true }))", start.x, start.y, delta);
    const { zoom } = await browser.probe("camera");
    for (const delta of [...Array(10).fill(-100), ...Array(10).fill(100)]) {
      await wheel(delta);
      await sleep(60);
      // Events carry whole pixels: what the node was off the pointer by grows with the zoom.
      const grown = (await browser.probe("camera")).zoom / zoom - 1;
      const off = { x: start.x - Math.trunc(start.x), y: start.y - Math.trunc(start.y) };
      const now = await browser.probe("screenOf", id);
      const right = { x: start.x + off.x * grown, y: start.y + off.y * grown };
      assert.ok(distance(right, now) < 3, `${JSON.stringify(right)} → ${JSON.stringify(now)}`);
    }
    for (let i = 0; i < 60; i++) await wheel(100);
    assert.ok((await browser.probe("camera")).zoom > 0.001, "the graph cannot be lost");
    await browser.run("window.dispatchEvent(new KeyboardEvent('keydown', { key: '0', ctrlKey: true, bubbles: true }))");
    await rest(browser);
    const { width, height } = await browser.probe("camera");
    const seen = await browser.probe("screenOf", id);
    assert.ok(seen.x > 0 && seen.y > 0 && seen.x < width && seen.y < height);
  });

  test("a click on the name of a cluster goes there", async () => {
    const before = await browser.probe("camera");
    const spot = await browser.probe("clusterName");
    assert.ok(spot !== null && spot !== undefined, "a cluster is named");
    const top = await browser.run("return document.querySelector('[data-pane=canvas]').getBoundingClientRect().top");
    await browser.pointer(at(spot.x, spot.y + top), down, pause(30), up);
    await until("nearer", async () => (await browser.probe("camera")).zoom > before.zoom * 1.3);
    assert.deepEqual(await browser.probe("selection"), [], "nothing is selected by it");
    await browser.run("window.dispatchEvent(new KeyboardEvent('keydown', { key: '0', ctrlKey: true, bubbles: true }))");
    await rest(browser);
  });

  test("clusters collapse into one node each, agents write on, what is looked for comes out, and all goes back to its place", async () => {
    const before = await browser.probe("positions");
    const choose = async (text) => {
      await browser.run("window.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }))");
      await until("the palette", () => browser.run("return document.activeElement.tagName === 'INPUT'"));
      await browser.keys(...text);
      await sleep(700);
      await browser.keys("\uE007");
    };
    await choose("Collapse clusters");
    const { folded, shownNodes } = await until("collapsed", async () => {
      const counts = await browser.probe("counts");
      return counts.folded > 0 && counts;
    });
    assert.equal(folded + shownNodes, 600, "nothing is lost");
    assert.ok(shownNodes < 200, `${shownNodes} stand for 600`);
    assert.match(await browser.text("footer"), new RegExp(`${folded} collapsed`));
    await rest(browser);
    assert.ok((await browser.probe("visibleLabels")).some(({ text }) => /\+\d+$/.test(text)), "each says for how many it stands");
    await agent.call("add_entities", { entities: [{ name: "Newcomer", entity_type: "type 1" }] });
    await until("an agent's write", async () => (await browser.probe("counts")).nodes === 601);
    assert.equal((await browser.probe("counts")).folded, folded, "stays collapsed");
    // One that is inside, looked for: its cluster opens, the others stay.
    const hidden = await browser.run("const p = window.__graphmem, at = (id) => JSON.stringify(p.screenOf(id)); const all = Object.keys(p.positions()); const seen = new Map(); for (const id of all) seen.set(at(id), (seen.get(at(id)) ?? 0) + 1); return p.nameOf(all.find((id) => seen.get(at(id)) > 2 && p.isHidden(id)))");
    await choose(hidden);
    await until("it came out", async () => (await browser.probe("counts")).folded < folded);
    assert.ok((await browser.probe("counts")).folded > 0);
    await browser.clickText("Expand");
    await until("all are out", async () => (await browser.probe("counts")).folded === 0);
    const now = await browser.probe("positions");
    for (const [id, place] of Object.entries(before)) assert.ok(distance(now[id], place) < 8, "nothing moved that was settled");
    await agent.call("delete_entities", { names: ["Newcomer"] });
    await until("gone", async () => (await browser.probe("counts")).nodes === 600);
    await browser.run("window.dispatchEvent(new KeyboardEvent('keydown', { key: '0', ctrlKey: true, bubbles: true }))");
    await rest(browser);
  });

  test("b118: a neighbourhood is exactly that of get_subgraph, with a way back", async () => {
    const centre = name(3);
    const subgraph = async (radius) => {
      const answer = await agent.call("get_subgraph", { entity_names: [centre], radius });
      return { names: answer.entities.map((entity) => entity.name).sort(), truncated: answer.truncated };
    };
    const places = await browser.probe("positions");
    await browser.run("window.__graphmem.select(arguments[0])", [await browser.probe("idOf", centre)]);
    await key(browser, "f");
    for (const depth of [1, 2, 3]) {
      await key(browser, String(depth));
      await rest(browser);
      const [shown, { names, truncated }] = [(await browser.probe("names")).sort(), await subgraph(depth)];
      if (truncated) assert.ok(names.every((each) => shown.includes(each)), `depth ${depth}`);
      else assert.deepEqual(shown, names, `depth ${depth}`);
    }
    const count = (await browser.probe("names")).length;
    assert.match(await browser.text("section[aria-label='Focus view']"), new RegExp(`${count} of 600`));
    // Esc takes one step at a time: the selection, then the neighbourhood.
    for (let i = 0; i < 4 && (await browser.probe("counts")).nodes !== 600; i++) await key(browser, "Escape");
    await rest(browser);
    const now = await browser.probe("positions");
    for (const [id, place] of Object.entries(places)) assert.ok(distance(place, now[id]) < 0.01, "what was left is as it was");
    await key(browser, "ArrowLeft", { altKey: true });
    await rest(browser);
    assert.equal((await browser.probe("names")).length, count);
    await key(browser, "ArrowRight", { altKey: true });
    await until("the whole graph", async () => (await browser.probe("counts")).nodes === 600);
  });

  test("arrangements move everything but what is pinned, and can be put back", async () => {
    await rest(browser);
    const before = await browser.probe("positions");
    await browser.run("window.dispatchEvent(new KeyboardEvent('keydown', { key: 'L', ctrlKey: true, shiftKey: true, bubbles: true }))");
    for (const kind of ["Circle", "Tree", "By type"]) {
      await browser.clickText(kind);
      await until(`${kind}`, async () => (await browser.text("[role=status][aria-live]")).includes(`Arranged: ${kind}`));
      await rest(browser);
      const placed = Object.values(await browser.probe("positions"));
      assert.ok(new Set(placed.map(({ x, y }) => `${Math.round(x)} ${Math.round(y)}`)).size === 600, `${kind}: each a place of its own`);
    }
    await browser.clickText("Tree");
    await until("the tree", async () => (await browser.text("[role=status][aria-live]")).includes("Arranged: Tree"));
    await rest(browser);
    const tree = await browser.probe("positions");
    await browser.clickText("Circle");
    await until("the circle", async () => (await browser.text("[role=status][aria-live]")).includes("Arranged: Circle"));
    await rest(browser);
    await browser.clickText("Put back");
    await sleep(800);
    await rest(browser);
    const back = await browser.probe("positions");
    for (const [id, place] of Object.entries(tree)) assert.ok(distance(place, back[id]) < 0.5, "put back");
    assert.notDeepEqual(before, back);
  });

  test("b109: what an agent changes moves nothing that has settled", async () => {
    await rest(browser);
    const before = await browser.probe("positions");
    await agent.call("update_entity", { name: name(5), description: "another" });
    await agent.call("add_entities", { entities: [{ name: "Newcomer", entity_type: "type 1" }] });
    await agent.call("add_relationships", { relationships: [{ source: "Newcomer", target: name(7), relationship_type: "knows" }] });
    await until("the newcomer", async () => (await browser.probe("counts")).nodes === 601);
    await rest(browser);
    const now = await browser.probe("positions");
    const far = Object.entries(before).filter(([id, place]) => distance(place, now[id]) > 8);
    assert.ok(far.length === 0, `${far.length} settled nodes moved`);
    const newcomer = now[await browser.probe("idOf", "Newcomer")];
    assert.ok(distance(newcomer, now[await browser.probe("idOf", name(7))]) < 200, "beside its neighbour");
  });

  test("b115: at rest no frame is drawn and hardly any time is spent", async () => {
    await rest(browser);
    const spent = () => {
      const list = readdirSync("/proc").filter((pid) => /^\d+$/.test(pid)).flatMap((pid) => {
        try {
          const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
          const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
          return [{ pid: Number(pid), parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]), path: readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")[0] }];
        } catch {
          return [];
        }
      });
      const mine = new Set(list.filter(({ path }) => path === programs.window).map(({ pid }) => pid));
      for (let n = 0; n < 4; n++) for (const { pid, parent } of list) if (mine.has(parent)) mine.add(pid);
      return list.filter(({ pid }) => mine.has(pid)).reduce((sum, { ticks }) => sum + ticks, 0);
    };
    const [frames, ticks] = [(await browser.probe("frameStats")).frames, spent()];
    await sleep(8_000);
    assert.equal((await browser.probe("frameStats")).frames, frames, "no frame");
    const percent = (spent() - ticks) / 8;
    assert.ok(percent < 5, `${percent} % of a core`);
  });
});

describe("without a mouse", () => {
  const opened = smallGraph();
  const active = () => opened.browser.run("const at = document.activeElement; return at.getAttribute('aria-label') ?? at.innerText");
  const [TAB, ENTER, RIGHT] = ["\uE004", "\uE007", "\uE014"];

  test("b119: the canvas is reached, walked, opened and edited by keys, and its node is in the accessibility tree", async () => {
    const { browser, home } = opened;
    for (let i = 0; i < 40 && !(await active()).startsWith("Knowledge graph"); i++) await browser.keys(TAB);
    assert.match(await active(), /^Knowledge graph/);
    await browser.keys(TAB);
    await browser.keys(RIGHT);
    const told = await until("a node with the focus", () => browser.run("return document.getElementById('graph-node')?.getAttribute('aria-label')"));
    assert.match(told, /, type \d, \d+ relations?$/);
    const nodes = await until("the node in the tree", () => {
      const all = readAloud(home).trim().split("\n").map((line) => JSON.parse(line));
      return all.some(({ name }) => name === told) && all;
    });
    assert.ok(nodes.some(({ name, focused }) => focused && (name === told || name.startsWith("Knowledge graph"))), "the canvas has the focus");
    // The same things as a list.
    assert.ok(nodes.filter(({ role, name }) => /list item|table row|option|push button/.test(role) && WORDS.some((word) => name.startsWith(word))).length >= 10, "there is a list of the entities");
    await browser.keys(ENTER);
    const walkedTo = told.slice(0, told.indexOf(", type"));
    await until("its details", async () => (await browser.text("[data-pane=panel]")).includes(walkedTo));
    assert.deepEqual((await browser.probe("selection")).length, 1);
  });
});

describe("relations on the canvas", () => {
  const opened = smallGraph();
  const { hypot } = Math;
  const panel = () => opened.browser.text("[data-pane=panel]");
  const top = () => opened.browser.run("return document.querySelector('[data-pane=canvas]').getBoundingClientRect().top");

  /** A line whose middle lies free of dots and of other lines' middles, in the part no panel covers. */
  async function freeEdge() {
    const { browser } = opened;
    const edges = await browser.probe("edges");
    const ids = [...new Set(edges.flatMap(({ source, target }) => [source, target]))];
    const dots = await browser.run("const p = window.__graphmem; return arguments[0].map((id) => p.screenOf(id))", ids);
    const middles = await browser.run("const p = window.__graphmem; return arguments[0].map((id) => p.screenOfEdge(id))", edges.map(({ id }) => id));
    const found = edges
      .map((edge, n) => ({ ...edge, at: middles[n], room: Math.min(...dots.map((dot) => hypot(dot.x - middles[n].x, dot.y - middles[n].y)), ...middles.map((other, k) => (k === n ? Infinity : 2 * hypot(other.x - middles[n].x, other.y - middles[n].y)))) }))
      .filter(({ at: { x, y } }) => x > 330 && x < 950 && y > 70 && y < 620)
      .sort((a, b) => b.room - a.room)[0];
    assert.ok(found.room > 16, "a line that can be aimed at");
    return found;
  }

  test("a click on a line opens the relation, which is edited and taken back like all else", async () => {
    const { browser, home } = opened;
    const edge = await freeEdge();
    const offset = await top();
    await browser.pointer(at(edge.at.x, edge.at.y + offset), down, pause(30), up);
    await until("it is selected", async () => (await browser.probe("selectedEdge")) === edge.id);
    assert.deepEqual(await browser.probe("selection"), []);
    const before = await until("its panel", async () => {
      const text = await panel();
      return /(owns|knows|cites)/.exec(text)?.[1];
    });
    assert.match(await panel(), /Weight/);
    await browser.run("[...document.querySelectorAll('[data-pane=panel] [role=button]')].find((each) => each.getAttribute('aria-label') === 'Edit: Type').click()");
    await browser.run(`
      const input = document.querySelector('[data-pane=panel] input[aria-label=Type]');
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, 'lends to');
      input.dispatchEvent(new Event('input', { bubbles: true }));
      input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));`);
    const exported = async () => (await home.cli("export")).includes("lends to");
    await until("it is written", exported);
    await sleep(100);
    await browser.run("window.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true }))");
    await until("it is taken back", async () => !(await exported()) && (await panel()).includes(before));
    await browser.clickText("Reverse direction");
    const turned = await until("it runs the other way", async () => {
      const edges = await browser.probe("edges");
      return edges.every(({ id }) => id !== edge.id) && edges.find(({ source, target }) => source === edge.target && target === edge.source);
    });
    await until("and stays selected", async () => (await browser.probe("selectedEdge")) === turned.id);
    await browser.run("window.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true }))");
    await until("one step back", async () => {
      const edges = await browser.probe("edges");
      return edges.some(({ id }) => id === edge.id) && edges.every(({ id }) => id !== turned.id);
    });
    await browser.pointer(at(edge.at.x, edge.at.y + offset), down, pause(30), up);
    await until("selected again", async () => (await browser.probe("selectedEdge")) === edge.id);
    await browser.pointer(at(edge.at.x, edge.at.y + offset), { ...down, button: 2 }, { ...up, button: 2 });
    await until("its menu names it", async () => (await browser.text("[role=menu]")).includes(`→ ${before} →`));
    await browser.clickText("Delete relation");
    await until("it is gone", async () => (await browser.probe("edges")).every(({ id }) => id !== edge.id));
    await until("and it is said", async () => (await panel()).includes("This relation was deleted"));
    await browser.run("window.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true }))");
    await until("back, weight and all", async () => (await browser.probe("edges")).some(({ id }) => id === edge.id));
    await until("in the panel, too", async () => (await panel()).includes(before));
  });

  test("from near a node is a card: name, type and its newest observation, also when an agent writes another", async () => {
    const { browser, home } = opened;
    const agent = await StdioAgent.attach(home, "--as", "scribe");
    try {
      await agent.call("add_observations", { entity_name: name(9), observations: ["Keeps   the tide tables <b>dry</b>"] });
      const id = await browser.probe("idOf", name(9));
      await browser.run("window.__graphmem.select([arguments[0]])", id);
      await browser.run("window.dispatchEvent(new KeyboardEvent('keydown', { key: '9', ctrlKey: true, bubbles: true }))");
      await rest(browser);
      for (let n = 0; n < 9; n++) await browser.run("window.dispatchEvent(new KeyboardEvent('keydown', { key: '=', ctrlKey: true, bubbles: true }))");
      await rest(browser);
      const { zoom } = await browser.probe("camera");
      assert.ok(zoom >= 3, `near: ${zoom}`);
      const card = async () => (await browser.probe("visibleLabels")).find((label) => label.id === id)?.lines?.join(" ");
      await until("its card", async () => (await card()) === "Keeps the tide tables <b>dry</b>");
      await agent.call("add_observations", { entity_name: name(9), observations: ["Sold in spring"] });
      await until("the new one", async () => (await card()) === "Sold in spring");
      const labels = await browser.probe("visibleLabels");
      labels.forEach((a, i) => labels.slice(0, i).forEach((b) => assert.equal(overlap(a, b), 0)));
    } finally {
      agent.child.kill();
      await browser.run("window.dispatchEvent(new KeyboardEvent('keydown', { key: '0', ctrlKey: true, bubbles: true }))");
      await rest(browser);
    }
  });

  test("what agents change bears a mark until somebody looks, and none for what is looked at already", async () => {
    const { browser, home } = opened;
    const agent = await StdioAgent.attach(home, "--as", "scribe");
    try {
      await browser.run("window.__graphmem.select([arguments[0]])", await browser.probe("idOf", name(12)));
      await agent.call("update_entity", { name: name(12), description: "looked at" });
      await agent.call("update_entity", { name: name(20), description: "not looked at" });
      await agent.call("add_observations", { entity_name: name(21), observations: ["nor this"] });
      await until("it is said", async () => (await browser.text("footer")).includes("2 changed by agents"));
      await browser.clickText("Show");
      await until("they are selected", async () => (await browser.probe("selection")).length === 2);
      assert.ok(!(await browser.text("footer")).includes("changed by agents"), "and looked at");
      await agent.call("update_entity", { name: name(30), description: "again" });
      await until("it is said again", async () => (await browser.text("footer")).includes("1 changed by agents"));
      await browser.clickText("Seen");
      await until("no more", async () => !(await browser.text("footer")).includes("changed by agents"));
    } finally {
      agent.child.kill();
    }
  });

  test("keys walk the relations of a node", async () => {
    const { browser } = opened;
    const [{ source }] = await browser.probe("edges");
    await browser.run("window.__graphmem.select([arguments[0]])", source);
    assert.equal(await browser.probe("selectedEdge"), null, "an entity takes the place of a relation");
    await key(browser, "n");
    const first = await browser.run("return document.getElementById('graph-node').getAttribute('aria-label')");
    assert.match(first, / (owns|knows|cites) /);
    await key(browser, "n", { shiftKey: true });
    await key(browser, "Enter");
    const chosen = await until("opened", () => browser.probe("selectedEdge"));
    assert.ok((await browser.probe("edges")).some(({ id, source: from, target }) => id === chosen && [from, target].includes(source)));
    await until("its panel", async () => (await panel()).includes("Reverse direction"));
  });

  test("what is drawn around by hand is selected, and Escape lets it be", async () => {
    const { browser } = opened;
    const positions = await browser.probe("positions");
    const screens = await browser.run("const p = window.__graphmem; return Object.fromEntries(arguments[0].map((id) => [id, p.screenOf(id)]))", Object.keys(positions));
    const box = { left: 400, right: 800, top: 200, bottom: 520 };
    const inside = Object.keys(screens).filter((id) => screens[id].x > box.left && screens[id].x < box.right && screens[id].y > box.top && screens[id].y < box.bottom);
    assert.ok(inside.length > 3);
    const lasso = (last) => browser.run(`
      const canvas = document.querySelector('[data-pane=canvas]').firstElementChild, { left, top } = canvas.getBoundingClientRect();
      const send = (type, [x, y], more = {}) => canvas.dispatchEvent(new PointerEvent(type, { clientX: left + x, clientY: top + y, bubbles: true, pointerId: 7, pointerType: 'mouse', isPrimary: true, altKey: true, button: 0, buttons: 1, ...more }));
      const { box, last, away } = arguments[0];
      send('pointerdown', away);
      for (const point of [[box.left, box.top], [box.right, box.top], [box.right, box.bottom], [box.left, box.bottom]]) send('pointermove', point);
      if (last === 'up') send('pointerup', [box.left, box.bottom], { buttons: 0 });
      else canvas.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));`, { box, last, away: [box.left, box.top] });
    await browser.run("window.__graphmem.select([])");
    const clear = Object.values(screens).every(({ x, y }) => hypot(x - box.left, y - box.top) > 24);
    if (!clear) return;
    await lasso("escape");
    assert.deepEqual(await browser.probe("selection"), []);
    await browser.run("document.querySelector('[data-pane=canvas]').firstElementChild.dispatchEvent(new PointerEvent('pointerup', { bubbles: true, pointerId: 7 }))");
    await lasso("up");
    assert.deepEqual(new Set(await browser.probe("selection")), new Set(inside));
  });
});

describe("a page that dies", () => {
  const opened = smallGraph();
  /** Processes of a name below this test's own driver. */
  const pages = () => {
    const table = execFileSync("ps", ["-eo", "pid=,ppid=,comm="], { encoding: "utf8" }).trim().split("\n").map((line) => line.trim().split(/\s+/));
    const mine = new Set(opened.browser.children.map(({ pid }) => String(pid)));
    for (let size = 0; size !== mine.size;) {
      size = mine.size;
      for (const [pid, parent] of table) if (mine.has(parent)) mine.add(pid);
    }
    return table.filter(([pid, , name]) => mine.has(pid) && name.startsWith("WebKitWebProces")).map(([pid]) => Number(pid));
  };

  test("b121: the window loads it again, agents notice nothing, and nothing is lost", async () => {
    const { home } = opened;
    const agent = await HttpAgent.attach(home, "scribe");
    const [page, ...others] = pages();
    assert.ok(page !== undefined && others.length === 0);
    process.kill(page, "SIGKILL");
    await agent.call("add_entities", { entities: [{ name: "Written meanwhile", entity_type: "note" }] });
    await until("another page", () => pages().some((pid) => pid !== page));
    // The driver's session went with the page; what the window shows is read as a screen reader reads it.
    await until("the graph in the window", () => {
      const read = readAloud(home);
      return ["Knowledge graph", "Written meanwhile", "61 entities"].every((each) => read.includes(each));
    });
    assert.equal((await agent.call("list_entities", {})).total, 61);
  });
});

describe("details of every kind", () => {
  const home = new Home();
  const TABLE = "| a | b |\n|---|---|\n| 1 | `code` |";
  let browser;
  before(async () => {
    browser = await Browser.window(home);
    await browser.clickText("Open the sample");
    await rest(browser);
    const agent = await HttpAgent.attach(home, "scribe");
    await agent.call("switch_graph", { name: "sample" });
    await agent.call("add_entities", { entities: [
      { name: "Bare", entity_type: "kind" },
      { name: "🙂🦀", entity_type: "kind", description: "🎉" },
      { name: "Tables", entity_type: "kind", description: TABLE },
      { name: "Nested", entity_type: "kind", properties: { inner: { deep: [1, { deeper: "bottom" }] }, list: ["x"] } },
      { name: "Long", entity_type: "kind", observations: [`start ${"word ".repeat(12_000)} end of it`] },
      { name: "Talkative", entity_type: "kind" },
    ] });
    for (let from = 0; from < 500; from += 100) {
      await agent.call("add_observations", { entity_name: "Talkative", observations: Array.from({ length: 100 }, (_, i) => `fact number ${from + i}`) });
    }
  });
  after(async () => {
    await browser?.close();
    home.remove();
  });

  const panel = () => browser.text("[data-pane=panel]");
  /** A button far below: rows above it take their true height as they come into sight, and a pointer would miss it. */
  const press = (label) => until(label, () => browser.run("const found = [...document.querySelectorAll('[data-pane=panel] button')].find((button) => button.textContent === arguments[0]); found?.click(); return found !== undefined", label));
  /** Selects an entity and waits for some of its texts in the panel. */
  const open = async (entity, ...wanted) => {
    const id = await until(entity, () => browser.probe("idOf", entity));
    await browser.run("window.__graphmem.select(arguments[0])", [id]);
    await until(`${entity} with ${wanted}`, async () => {
      const text = await panel();
      return [entity, ...wanted].every((each) => text.includes(each));
    });
  };

  test("b122: every stored field is there or can be reached, and nothing is cut without a sign", async () => {
    await open("Bare", "Add a description");
    await open("🙂🦀", "🎉");
    await open("Tables", "| a | b |", "| 1 | `code` |");
    await open("Nested", "deeper", "bottom", "list");
    await open("Long", "start word");
    assert.ok(!(await panel()).includes("end of it"));
    await press("Show more");
    await until("the end of a long text", async () => (await panel()).includes("end of it"));
    await open("Talkative", "fact number 499");
    // What is far below is laid out when it comes into sight.
    const facts = () => browser.run("return document.querySelector('[data-pane=panel]').textContent.match(/fact number \\d+/g)");
    assert.equal((await facts()).length, 50);
    await press("Show all 500");
    await until("all of them", async () => (await facts()).length === 500);
    assert.equal((await facts()).at(-1), "fact number 0");
  });
});

describe("where there is no WebGL", () => {
  const home = new Home();
  let server, browser;
  before(async () => {
    await home.cli("import", home.file("graph.jsonl", graph(300, 12)));
    server = spawn(programs.cli, ["ui"], { env: { ...home.env, GRAPHMEM_PROBE: "1" }, stdio: ["ignore", "pipe", "ignore"] });
    let said = "";
    server.stdout.on("data", (data) => (said += data));
    const link = await until("the link", () => said.match(/http:\S+/)?.[0]);
    browser = await Browser.chromium(home);
    await browser.go(link.replace("/#", "/?renderer=2d#"));
  });
  after(async () => {
    await browser?.close();
    server?.kill();
    home.remove();
  });

  test("b121: the graph is drawn all the same, and it is said", async () => {
    await rest(browser);
    assert.equal((await browser.probe("frameStats")).renderer, "canvas2d");
    assert.equal((await browser.probe("counts")).nodes, 300);
    assert.match(await browser.text("[role=status][aria-live]"), /WebGL|drawn/);
    assert.ok((await browser.probe("visibleLabels")).length > 5);
  });

  test("a browser has its layouts from the host as well", async () => {
    const asked = await browser.run("return performance.getEntriesByType('resource').filter(({ name }) => name.includes('/api/bytes/')).map(({ name, responseStatus }) => [name.split('/').pop(), responseStatus])");
    assert.deepEqual(asked[0], ["layout_start", 200]);
    await rest(browser);
    const places = Object.values(await browser.probe("positions"));
    assert.ok(places.some(({ x }) => x !== places[0].x), "frames came");
    const byHttp = await browser.run("return performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/api/call/layout_frame')).length");
    assert.ok(byHttp <= 1, `frames come over the socket, once it is open: ${byHttp} came over HTTP`);
    await until("the groups", async () => (await browser.run("return performance.getEntriesByType('resource').filter(({ name, responseStatus }) => name.endsWith('/api/bytes/communities') && responseStatus === 200).length")) > 0);
  });
});
