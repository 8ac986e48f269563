import { GraphScene } from "../src/graph/GraphScene";
import type { SceneOp } from "../src/graph/types";
import { generate } from "./generate";

/**
 * A page with nothing but the canvas, for looking at it and measuring it:
 * ?nodes=500&theme=dark&settled=1&motion=0&edges=2&renderer=2d
 */
const query = new URLSearchParams(window.location.search);
const container = document.getElementById("stage");
if (container === null) throw new Error("no stage");

const scene = new GraphScene(container, {
  theme: query.get("theme") === "dark" ? "dark" : "light",
  reducedMotion: query.get("motion") === "0",
});
const log: unknown[] = [];
for (const event of ["select", "hover", "pin", "settled", "activate", "contextmenu", "createAt", "notice"] as const) {
  scene.on(event, (...args: unknown[]) => log.push([event, ...args, performance.now()]));
}
const started = performance.now();
const data = generate({ nodes: Number(query.get("nodes") ?? 60), edgesPerNode: Number(query.get("edges") ?? 2), settled: query.get("settled") === "1", spiral: query.get("spiral") === "1" });
const generated = performance.now();
scene.load(data);
const loaded = performance.now();

Object.assign(window, {
  scene, log, data, timing: { generate: generated - started, load: loaded - generated },
  probe: () => scene.probe(),
  apply: (ops: SceneOp[]) => scene.apply(ops, "agent"),
});
