// The window at several sizes: from starting the program to a picture that holds every node, script per frame
// while panning, zooming and hovering, memory, and what it costs at rest. Measured, never asserted.
// Usage: cargo xtask bench window [--json] [--sizes 5000,50000,100000:300000] [--rest 30] [--window-only]

import { spawn } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { Browser, Home, at, down, programs, sleep, until } from "./webdriver.mjs";

const option = (name, otherwise) => {
  const place = process.argv.indexOf(`--${name}`);
  return place < 0 ? otherwise : process.argv[place + 1];
};
const sizes = option("sizes", "5000,50000").split(",").map((size) => {
  const [nodes, edges = 2 * nodes] = size.split(":").map(Number);
  return { nodes, edges };
});
const restSeconds = Number(option("rest", "30"));
const out = process.env.GRAPHMEM_TEST_OUT ?? "/tmp";

// Heavy-tailed degrees from a seeded generator: each new node links to earlier ones, early ones more often.
function graph({ nodes, edges }) {
  let seed = 12345;
  const random = () => {
    // mulberry32: whole 32-bit arithmetic, so that every engine draws the same numbers.
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const lines = [];
  for (let i = 0; i < nodes; i++) lines.push(JSON.stringify({ type: "entity", name: `Node ${i}`, entityType: `type ${i % 7}`, observations: [] }));
  const seen = new Set();
  for (let e = 0; e < edges; ) {
    const a = 1 + Math.floor(random() * (nodes - 1));
    const b = Math.floor(a * random() ** 2);
    if (a === b || seen.has(a * nodes + b)) continue;
    seen.add(a * nodes + b);
    lines.push(JSON.stringify({ type: "relation", from: `Node ${a}`, to: `Node ${b}`, relationType: "to" }));
    e++;
  }
  return lines.join("\n");
}

/** The program and everything it started. */
function processes(program) {
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name)).flatMap((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const path = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")[0];
      return [{ pid: Number(pid), parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]), path }];
    } catch {
      return [];
    }
  });
  const mine = new Set(all.filter(({ path }) => path === program).map(({ pid }) => pid));
  for (let before = -1; before !== mine.size; ) {
    before = mine.size;
    for (const { pid, parent } of all) if (mine.has(parent)) mine.add(pid);
  }
  return all.filter(({ pid }) => mine.has(pid));
}

function megabytes(list) {
  // Pages that processes share are counted once, in proportion.
  const kilobytes = list.map(({ pid }) => {
    try {
      return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0);
    } catch {
      return 0;
    }
  });
  return Math.round(kilobytes.reduce((a, b) => a + b, 0) / 1024);
}

const share = (values, part) => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.length === 0 ? null : Number(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))].toFixed(2));
};

/** Script of the frames that a gesture brought about. */
async function during(browser, gesture) {
  const before = await browser.probe("frameStats");
  await gesture();
  const after = await browser.probe("frameStats");
  const scripts = after.recent.slice(-(after.frames - before.frames));
  return { frames: after.frames - before.frames, p50: share(scripts, 0.5), p95: share(scripts, 0.95) };
}

async function gestures(browser) {
  await until("rest", async () => !(await browser.probe("frameStats")).running, 120_000);
  // Places are saved shortly after the layout rests; groups are asked for then.
  await sleep(2_500);
  const { width, height } = await browser.probe("camera");
  const [x, y] = [width / 2, height / 2];
  // From where nothing stands: a node would be dragged.
  const sweep = Array.from({ length: 60 }, (_, n) => at(300 + 4 * n, 70 + 2 * n, 16));
  // The driver lets go at the end.
  const pan = await during(browser, () => browser.pointer(at(300, 70), down, ...sweep));
  // Once it rests the picture is finished: names are chosen anew, what was only carried along is drawn.
  const finish = await during(browser, () => sleep(1_500));
  const zoom = await during(browser, () => browser.run(`
    const canvas = document.elementFromPoint(${x}, ${y}), done = arguments[arguments.length - 1];
    return new Promise((resolve) => {
      let n = 0;
      const step = () => {
        canvas.dispatchEvent(new WheelEvent("wheel", { deltaY: n < 20 ? -40 : 40, clientX: ${x}, clientY: ${y}, bubbles: true, cancelable: true }));
        if (++n < 40) requestAnimationFrame(step); else resolve();
      };
      step();
    });`));
  await sleep(1_500);
  // What is under the pointer is found while the pointer moves: the handlers' own time.
  const hover = await browser.run(`
    const canvas = document.elementFromPoint(${x}, ${y}), times = [];
    for (let n = 0; n < 200; n++) {
      const event = new PointerEvent("pointermove", { clientX: ${x} - 200 + 2 * n, clientY: ${y} - 100 + n, bubbles: true, pointerId: 1, pointerType: "mouse", isPrimary: true });
      const began = performance.now();
      canvas.dispatchEvent(event);
      times.push(performance.now() - began);
    }
    return times;`);
  await browser.run(`document.elementFromPoint(${x}, ${y}).dispatchEvent(new PointerEvent("pointerleave", { bubbles: true, pointerId: 1 }))`);
  return { pan, finish_ms: finish.p95, zoom, hover_ms: { p50: share(hover, 0.5), p95: share(hover, 0.95) } };
}

async function opened(browser, nodes) {
  await until("the picture", async () => (await browser.probe("ready")) && (await browser.probe("counts")).nodes === nodes, 120_000);
}

async function inWindow({ nodes, edges }, file) {
  const home = new Home();
  const row = { nodes, edges, in: "window", first_open_ms: 0, reopen_ms: [] };
  try {
    await home.cli("import", home.file("graph.jsonl", file));
    for (let i = 0; i < 3; i++) {
      const began = performance.now();
      const browser = await Browser.window(home);
      await opened(browser, nodes);
      const took = Math.round(performance.now() - began);
      if (i === 0) row.first_open_ms = took;
      else row.reopen_ms.push(took);
      if (i === 0) {
        await until("rest", async () => !(await browser.probe("frameStats")).running, 120_000);
        await sleep(2_500);
      } else if (i === 2) {
        Object.assign(row, await gestures(browser));
        row.renderer = (await browser.probe("frameStats")).renderer;
        await sleep(2_000);
        const list = processes(programs.window);
        row.memory_mb = megabytes(list);
        const frames = (await browser.probe("frameStats")).frames;
        const [before, started] = [processes(programs.window).reduce((sum, { ticks }) => sum + ticks, 0), performance.now()];
        await sleep(restSeconds * 1_000);
        const ticks = processes(programs.window).reduce((sum, each) => sum + each.ticks, 0) - before;
        if (process.argv.includes("--who")) console.log(processes(programs.window).map(({ path, ticks }) => `${path.split("/").pop()} ${ticks}`).join(", "), before);
        row.rest_cpu_percent = Number(((ticks / 100 / ((performance.now() - started) / 1_000)) * 100).toFixed(2));
        row.rest_frames = (await browser.probe("frameStats")).frames - frames;
        await browser.screenshot(`${out}/bench-window-${nodes}.png`);
      }
      await browser.close();
    }
  } finally {
    home.remove();
  }
  return row;
}

async function inChromium({ nodes, edges }, file) {
  const home = new Home();
  const row = { nodes, edges, in: "chromium" };
  let server;
  try {
    await home.cli("import", home.file("graph.jsonl", file));
    server = spawn(programs.cli, ["ui"], { env: { ...home.env, GRAPHMEM_PROBE: "1" }, stdio: ["ignore", "pipe", "ignore"] });
    let said = "";
    server.stdout.on("data", (data) => (said += data));
    const link = await until("the link", () => said.match(/http:\S+/)?.[0]);
    const browser = await Browser.chromium(home);
    try {
      const began = performance.now();
      await browser.go(link);
      await opened(browser, nodes);
      row.first_open_ms = Math.round(performance.now() - began);
      Object.assign(row, await gestures(browser));
      row.renderer = (await browser.probe("frameStats")).renderer;
    } finally {
      await browser.close();
    }
  } finally {
    server?.kill();
    home.remove();
  }
  return row;
}

const rows = [];
for (const size of sizes) {
  const file = graph(size);
  rows.push(await inWindow(size, file));
  if (!process.argv.includes("--window-only")) rows.push(await inChromium(size, file).catch((error) => ({ ...size, in: "chromium", failed: String(error.message) })));
}
if (process.argv.includes("--json")) console.log(JSON.stringify({ bench: "window", seed: 12345, rows }));
else {
  console.log("from starting the program (driver included) to a drawn frame with every node; script per frame in ms, p50 / p95:");
  console.table(rows.map(({ pan, zoom, hover_ms, reopen_ms, ...row }) => ({
    ...row, reopen_ms: reopen_ms?.join(), pan: pan && `${pan.p50} / ${pan.p95} (${pan.frames})`, zoom: zoom && `${zoom.p50} / ${zoom.p95} (${zoom.frames})`, hover: hover_ms && `${hover_ms.p50} / ${hover_ms.p95}`,
  })));
}
