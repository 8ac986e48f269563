import { describe, expect, it } from "vitest";
import type { Camera, Viewport } from "../camera";
import { orderByDegree } from "../adjacency";
import { SceneColumns } from "../columns";
import { levelOfDetail } from "../lod";
import { LabelChooser, type LabelScene } from "./labelChooser";
import type { LabelTexts } from "./labelTexts";
import { Occupancy, overlaps } from "./occupancy";
import { placeLabels, type LabelCandidate } from "./placement";

/** Text measured without a canvas: 7 px a character is what the real face averages. */
const texts = {
  of: (_id: string, name: string) => ({ text: name, width: Math.min(160, name.length * 7), rightToLeft: false }),
  has: () => true,
} as unknown as LabelTexts;

function scene(count: number, spread: number): LabelScene {
  let state = 7;
  const random = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
  const columns = new SceneColumns();
  const edges = count * 2;
  columns.load({
    graph: "test", seq: 1, ids: Array.from({ length: count }, (_, i) => `n${i}`), names: Array.from({ length: count }, (_, i) => "x".repeat(4 + (i % 22))),
    typeIndex: new Uint16Array(count), types: ["t"], positions: Float32Array.from({ length: 2 * count }, () => (random() - 0.5) * spread),
    pinned: Uint8Array.from({ length: count }, (_, i) => (i % 60 === 0 ? 1 : 0)),
    edgeIds: Array.from({ length: edges }, (_, e) => `e${e}`), edgeSource: Uint32Array.from({ length: edges }, (_, e) => e % count),
    edgeTarget: Uint32Array.from({ length: edges }, () => Math.floor(count * random() ** 3)),
    edgeTypeIndex: new Uint16Array(edges), edgeTypes: ["r"], edgeWeight: new Float32Array(edges), settled: true,
  });
  const half = spread / 2;
  const view: Viewport = { width: 1400, height: 900, left: 0, right: 0 };
  const camera: Camera = { x: 0, y: 0, zoom: 1 };
  return {
    columns, order: orderByDegree(columns.degree, count), camera, view,
    detail: levelOfDetail(camera, view, { minX: -half, minY: -half, maxX: half, maxY: half }, count, edges, 80),
    attention: { hovered: undefined, focused: undefined, selected: new Set(), highlighted: null },
    emphasis: { rest: 1, under: [], lit: [], strong: null }, shown: () => true, nameOf: (node) => columns.names[node]!, news: [], moving: false,
  };
}

function atZoom(base: LabelScene, zoom: number): LabelScene {
  const half = 2500;
  const camera = { x: 0, y: 0, zoom };
  return { ...base, camera, detail: levelOfDetail(camera, base.view, { minX: -half, minY: -half, maxX: half, maxY: half }, base.columns.nodeCount, base.columns.edgeCount, 80) };
}

function expectNoOverlap(labels: readonly { box: Parameters<typeof overlaps>[0] }[]): void {
  labels.forEach((a, i) => labels.slice(0, i).forEach((b) => expect(overlaps(a.box, b.box)).toBe(false)));
}

describe("label placement", () => {
  it("never overlaps, forced ones included", () => {
    const candidates: LabelCandidate[] = Array.from({ length: 400 }, (_, i) => ({
      node: i, x: (i * 37) % 500, y: (i * 91) % 300, radius: 6, width: 40 + (i % 100), height: 16, forced: i % 5 === 0, mayCover: Infinity, side: undefined,
    }));
    const placed = placeLabels(candidates, new Occupancy(), new Occupancy(), { x: 0, y: 0, width: 500, height: 300 });
    expect(placed.length).toBeGreaterThan(20);
    expectNoOverlap(placed);
  });

  it("goes right, then above, when below is taken", () => {
    const at = { radius: 6, width: 60, height: 16, forced: false, mayCover: 0, side: undefined };
    const taken = new Occupancy();
    taken.add({ x: 60, y: 112, width: 80, height: 16 });
    const [label] = placeLabels([{ ...at, node: 0, x: 100, y: 100 }], taken, new Occupancy(), { x: 0, y: 0, width: 400, height: 400 });
    expect(label?.side).toBe("right");
  });
});

describe("label choice", () => {
  it("at four zooms on a dense graph: no two overlap", () => {
    const base = scene(3000, 5000);
    for (const zoom of [0.15, 0.4, 1, 2.5]) {
      const labels = new LabelChooser(texts).choose(atZoom(base, zoom));
      expect(labels.length).toBeGreaterThan(10);
      expectNoOverlap(labels);
    }
  });

  it("keeps a label while zooming in, as long as its node is on screen", () => {
    const base = scene(500, 5000);
    const chooser = new LabelChooser(texts);
    let before = new Set<string>();
    for (let step = 0; step < 40; step++) {
      const now = atZoom({ ...base, moving: step % 4 !== 0 }, 0.1 * 40 ** (step / 39));
      const labels = chooser.choose(now);
      const shown = new Set(labels.map((label) => label.id));
      for (const id of before) {
        const node = now.columns.indexOf(id)!;
        const x = now.columns.positions[2 * node]! * now.camera.zoom + 700;
        const y = now.columns.positions[2 * node + 1]! * now.camera.zoom + 450;
        if (x >= 0 && y >= 0 && x <= 1400 && y <= 900) expect(shown.has(id), `${id} at zoom ${now.camera.zoom}`).toBe(true);
      }
      before = shown;
    }
  });

  it("names something in every 200 px square that holds nodes", () => {
    const at = atZoom(scene(3000, 5000), 1);
    const labels = new LabelChooser(texts).choose(at);
    for (let x = 0; x < 1400; x += 200) {
      for (let y = 0; y < 800; y += 200) {
        let nodes = 0;
        for (let i = 0; i < 3000; i++) {
          const [nx, ny] = [at.columns.positions[2 * i]! + 700, at.columns.positions[2 * i + 1]! + 450];
          if (nx >= x && nx < x + 200 && ny >= y && ny < y + 200) nodes++;
        }
        if (nodes > 0) expect(labels.some(({ box }) => overlaps(box, { x, y, width: 200, height: 200 }))).toBe(true);
      }
    }
  });

  it("always shows what is hovered, selected or pinned", () => {
    const base = atZoom(scene(2000, 5000), 0.6);
    const labels = new LabelChooser(texts).choose({ ...base, attention: { hovered: 5, focused: undefined, selected: new Set([11, 12, 13]), highlighted: null } });
    const shown = new Set(labels.map((label) => label.node));
    for (const node of [5, 11, 12, 13]) {
      const x = base.columns.positions[2 * node]! * 0.6 + 700;
      const y = base.columns.positions[2 * node + 1]! * 0.6 + 450;
      if (x >= 0 && y >= 0 && x <= 1400 && y <= 900) expect(shown.has(node)).toBe(true);
    }
    expectNoOverlap(labels);
  });
});
