// How long an agent's write takes to stand on the canvas: measured, never asserted.
// Usage: cargo xtask bench live [--json]

import { Browser, Home, sleep, until } from "./webdriver.mjs";
import { HttpAgent, StdioAgent } from "./agents.mjs";

const REPETITIONS = 20;

const home = new Home();
await home.cli("graphs", "--create", "live");
const browser = await Browser.window(home);
try {
  const agent = await HttpAgent.attach(home, "bench-http");
  const stdio = await StdioAgent.attach(home, "--as", "bench-stdio", "--graph", "live");
  await agent.call("switch_graph", { name: "live" });
  // A graph as people have it open: with edges, whose programs a software driver takes a second to make once.
  const start = Array.from({ length: 12 }, (_, n) => ({ name: `Start ${n}`, entity_type: n % 2 ? "place" : "person" }));
  await agent.call("add_entities", { entities: start });
  const links = start.slice(1).map(({ name }, n) => ({ source: name, target: `Start ${n}`, relationship_type: "near" }));
  await agent.call("add_relationships", { relationships: links });
  await openGraph("live");
  // One script in the page watches the node count and notes the moment it changes.
  const shown = (wanted) =>
    browser.post("execute/async", {
      script: `
        const [wanted, done] = arguments;
        const look = () => {
          const counts = window.__graphmem.counts();
          const applied = Date.now();
          if (counts.nodes >= wanted) requestAnimationFrame(() => done({ applied, drawn: Date.now() }));
          else setTimeout(look, 1);
        };
        look();`,
      args: [wanted],
    });
  const rows = {};
  const note = (what, { applied, drawn }, replied) => {
    (rows[`${what}: in the scene`] ??= []).push(applied - replied);
    (rows[`${what}: drawn`] ??= []).push(drawn - replied);
  };
  await until("rest", async () => !(await browser.probe("frameStats")).running);
  await sleep(2_000);
  let nodes = (await browser.probe("counts")).nodes;
  for (let i = 0; i < REPETITIONS; i++) {
    const entities = (side) => [1, 2, 3].map((n) => ({ name: `${side} ${i}.${n}`, entity_type: "bench", description: "d" }));
    nodes += 3;
    let seen = shown(nodes);
    await agent.call("add_entities", { entities: entities("http") });
    const relationships = [1, 2].map((n) => ({ source: `http ${i}.${n}`, target: `http ${i}.3`, relationship_type: "near" }));
    let replied = Date.now();
    note("HTTP, 3 entities and 2 relationships", await seen, replied);
    await agent.call("add_relationships", { relationships });
    nodes += 3;
    seen = shown(nodes);
    await stdio.call("add_entities", { entities: entities("stdio") });
    replied = Date.now();
    note("another process on stdio, 3 entities", await seen, replied);
  }
  stdio.close();
  report(rows);
} finally {
  await browser.close();
  home.remove();
}

async function openGraph(name) {
  await until("the window", () => browser.run("return document.readyState === 'complete'"));
  if ((await browser.probe("graph")) !== name) {
    await browser.run("localStorage.setItem(Object.keys(localStorage).find((k) => k.includes('graph')) ?? 'graph-mem.graph', arguments[0])", name);
  }
  await until("the graph", async () => (await browser.probe("graph")) === name && (await browser.probe("ready")));
}

function report(rows) {
  const table = Object.entries(rows).map(([what, times]) => {
    const sorted = [...times].sort((a, b) => a - b);
    if (process.env.GRAPHMEM_TEST_ALL) console.error(what, times.join(" "));
    return { what, repetitions: times.length, median_ms: Math.max(0, sorted[times.length >> 1]), worst_ms: Math.max(0, sorted.at(-1)) };
  });
  if (process.argv.includes("--json")) {
    console.log(JSON.stringify({ rows: table }));
  } else {
    console.log("ms from the tool's reply to the nodes in the scene, and to the frame that draws them:");
    console.table(table);
  }
}
