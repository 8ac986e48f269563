// The same graphs laid out by others: `node peers.mjs FOLDER ticks SIZE…` times one tick of each;
// `node peers.mjs FOLDER pictures NAME…` writes d3's places after some numbers of ticks. JSON lines.

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [folder, what, ...names] = process.argv.slice(2);
const need = createRequire(join(folder, "node_modules", "here.js"));
const d3 = await import(need.resolve("d3-force"));

/** Above this a peer takes minutes. */
const MOST = { d3: 50_000, forceatlas2: 50_000, ngraph: 50_000 };
const CHECKPOINTS = [0, 10, 30, 60, 120, 300];

function read(name) {
  const { buffer } = new Uint8Array(readFileSync(join(folder, `${name}.bin`)));
  const [n, m] = new Uint32Array(buffer, 0, 2);
  const links = new Uint32Array(buffer, 8, 2 * m);
  const start = buffer.byteLength > 8 + 8 * m ? new Float32Array(buffer, 8 + 8 * m) : undefined;
  return { n, m, links, start };
}

function time(tick, n) {
  const times = [];
  const count = n <= 5_000 ? 20 : n <= 20_000 ? 8 : 4;
  for (let i = -2; i < count; i++) {
    const began = performance.now();
    tick();
    if (i >= 0) times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b)[count >> 1];
}

const linksOf = ({ m, links }) => Array.from({ length: m }, (_, e) => ({ source: links[2 * e], target: links[2 * e + 1] })).filter((l) => l.source !== l.target);

function d3Tick(graph) {
  const nodes = Array.from({ length: graph.n }, (_, i) => ({ index: i, x: graph.start[2 * i], y: graph.start[2 * i + 1] }));
  const simulation = d3.forceSimulation(nodes).stop()
    .force("charge", d3.forceManyBody().theta(0.9)).force("link", d3.forceLink(linksOf(graph)))
    .force("x", d3.forceX().strength(0.03)).force("y", d3.forceY().strength(0.03));
  return time(() => simulation.tick(), graph.n);
}

function forceAtlas2Tick(graph) {
  const { default: Graph } = need("graphology").default === undefined ? { default: need("graphology") } : need("graphology");
  const forceAtlas2 = need("graphology-layout-forceatlas2");
  const built = new Graph({ multi: true });
  for (let i = 0; i < graph.n; i++) built.addNode(i, { x: graph.start[2 * i], y: graph.start[2 * i + 1] });
  for (const { source, target } of linksOf(graph)) built.addEdge(source, target);
  // Reading the graph in is not a tick: of two runs of different length, the difference is.
  const run = (iterations) => {
    const began = performance.now();
    forceAtlas2(built, { iterations, settings: { barnesHutOptimize: true, barnesHutTheta: 0.9 } });
    return performance.now() - began;
  };
  run(1);
  const few = run(1);
  return (run(5) - few) / 4;
}

function ngraphTick(graph) {
  const built = need("ngraph.graph")();
  for (let i = 0; i < graph.n; i++) built.addNode(i);
  for (const { source, target } of linksOf(graph)) built.addLink(source, target);
  const layout = need("ngraph.forcelayout")(built, { theta: 0.9, dimensions: 2 });
  for (let i = 0; i < graph.n; i++) layout.setNodePosition(i, graph.start[2 * i], graph.start[2 * i + 1]);
  return time(() => layout.step(), graph.n);
}

const say = (value) => console.log(JSON.stringify(value));

if (what === "ticks") {
  for (const size of names.map(Number)) {
    const graph = read(`ticks-${size}`);
    const row = { nodes: size };
    const measured = { d3_ms: [MOST.d3, d3Tick], forceatlas2_ms: [MOST.forceatlas2, forceAtlas2Tick], ngraph_ms: [MOST.ngraph, ngraphTick] };
    for (const [name, [most, tick]] of Object.entries(measured)) row[name] = size <= most ? tick(graph) : null;
    say(row);
  }
} else {
  for (const name of names) {
    const graph = read(name);
    const degree = new Uint32Array(graph.n);
    for (let e = 0; e < graph.m; e++) {
      degree[graph.links[2 * e]]++;
      if (graph.links[2 * e] !== graph.links[2 * e + 1]) degree[graph.links[2 * e + 1]]++;
    }
    // The explorer's parameters, with d3's own first places and three hundred ticks.
    const nodes = Array.from({ length: graph.n }, (_, i) => ({ index: i, r: Math.min(22, Math.max(5, 4 + 2 * Math.sqrt(degree[i]))) }));
    const simulation = d3.forceSimulation(nodes).stop().velocityDecay(0.42)
      .force("charge", d3.forceManyBody().strength((b) => -260 - 14 * b.r).theta(0.9).distanceMax(1200))
      .force("link", d3.forceLink(linksOf(graph)).distance((l) => 48 + l.source.r + l.target.r))
      .force("x", d3.forceX().strength(0.026)).force("y", d3.forceY().strength(0.045))
      .force("collide", d3.forceCollide((b) => b.r + 8).strength(0.7));
    let done = 0;
    for (const checkpoint of CHECKPOINTS) {
      for (; done < checkpoint; done++) simulation.tick();
      writeFileSync(join(folder, `${name}.d3-${checkpoint}.bin`), new Uint8Array(Float32Array.from(nodes.flatMap((b) => [b.x, b.y])).buffer));
    }
    say({ graph: name });
  }
}
