import { describe, expect, it } from "vitest";
import { D3ForceLayout, type LayoutPort } from "./d3ForceLayout";
import { ForceEngine } from "./forceEngine";
import { LayoutLoop, type LayoutReply, type LayoutRequest } from "./layoutLoop";
import { Mobility, type LayoutFrame, type LayoutTopology } from "./types";

function ring(count: number, version = 1): LayoutTopology {
  const edgeSource = Uint32Array.from({ length: count }, (_, i) => i);
  const edgeTarget = Uint32Array.from({ length: count }, (_, i) => (i + 1) % count);
  return { version, nodeCount: count, edgeSource, edgeTarget, edgeWeight: new Float32Array(count).fill(1), radius: new Float32Array(count).fill(6) };
}

function circlePlaces(count: number, radius = 200): Float32Array {
  return Float32Array.from({ length: 2 * count }, (_, k) => {
    const angle = (Math.floor(k / 2) / count) * 2 * Math.PI;
    return radius * (k % 2 === 0 ? Math.cos(angle) : Math.sin(angle));
  });
}

function distance(a: Float32Array, b: Float32Array, node: number): number {
  return Math.hypot(a[2 * node]! - b[2 * node]!, a[2 * node + 1]! - b[2 * node + 1]!);
}

describe("force engine", () => {
  it("comes to rest with everything in finite places", () => {
    const positions = circlePlaces(60);
    const engine = new ForceEngine(ring(60), positions, new Uint8Array(60), {});
    let ticks = 0;
    for (; !engine.settled && ticks < 1000; ticks++) engine.tick();
    engine.write(positions);
    expect(ticks).toBeLessThan(320);
    expect(positions.every(Number.isFinite)).toBe(true);
  });

  it("separates nodes that start on one spot", () => {
    const positions = new Float32Array(2 * 30);
    const engine = new ForceEngine(ring(30), positions, new Uint8Array(30), {});
    while (!engine.settled) engine.tick();
    engine.write(positions);
    for (let i = 0; i < 30; i++) for (let j = 0; j < i; j++) expect(Math.hypot(positions[2 * i]! - positions[2 * j]!, positions[2 * i + 1]! - positions[2 * j + 1]!)).toBeGreaterThan(8);
  });

  it("leaves pinned nodes exactly where they are", () => {
    const positions = circlePlaces(20);
    const before = positions.slice();
    const pinned = new Uint8Array(20);
    pinned[7] = 1;
    const engine = new ForceEngine(ring(20), positions, pinned, {});
    while (!engine.settled) engine.tick();
    engine.write(positions);
    expect(distance(positions, before, 7)).toBe(0);
    expect(distance(positions, before, 0)).toBeGreaterThan(1);
  });

  it("moves far nodes not at all and near nodes no further than the leash", () => {
    const positions = circlePlaces(40);
    const before = positions.slice();
    const mobility = new Uint8Array(40).fill(Mobility.fixed);
    mobility[0] = Mobility.free;
    mobility[1] = mobility[39] = Mobility.leashed;
    const engine = new ForceEngine(ring(40), positions, new Uint8Array(40), { mobility, anchors: before, leash: 6 });
    while (!engine.settled) engine.tick();
    engine.write(positions);
    for (let node = 2; node < 39; node++) expect(distance(positions, before, node)).toBe(0);
    for (const node of [1, 39]) expect(distance(positions, before, node)).toBeLessThanOrEqual(6.001);
  });
});

/** A loop behind a port, whose turns and messages the test runs by hand. */
function handRun() {
  const toLoop: LayoutRequest[] = [];
  const toPage: LayoutReply[] = [];
  const work: (() => void)[] = [];
  let clock = 0;
  const loop = new LayoutLoop({ post: (reply) => toPage.push(reply), later: (next) => work.push(next), now: () => (clock += 2) });
  const port: LayoutPort = { postMessage: (message) => toLoop.push(message), onmessage: null, terminate: () => undefined };
  return {
    port,
    toPage,
    turn: () => {
      while (toLoop.length > 0) loop.handle(toLoop.shift()!);
      work.shift()?.();
    },
    deliver: () => {
      for (const reply of toPage.splice(0)) port.onmessage?.({ data: reply });
    },
  };
}

describe("frames", () => {
  it("are sent one at a time, until the page has taken the last", () => {
    const hand = handRun();
    const layout = new D3ForceLayout(() => hand.port);
    layout.start(ring(12), circlePlaces(12), new Uint8Array(12));
    for (let i = 0; i < 10; i++) hand.turn();
    expect(hand.toPage).toHaveLength(1);
    hand.deliver();
    for (let i = 0; i < 10; i++) hand.turn();
    expect(hand.toPage).toHaveLength(1);
  });

  it("that name an older topology are dropped, and the new one still arrives", () => {
    const hand = handRun();
    const layout = new D3ForceLayout(() => hand.port);
    const frames: LayoutFrame[] = [];
    layout.onFrame((frame) => frames.push(frame));
    layout.start(ring(12, 1), circlePlaces(12), new Uint8Array(12));
    hand.turn();
    layout.update(ring(13, 2), circlePlaces(13), new Uint8Array(13));
    hand.deliver();
    expect(frames).toHaveLength(0);
    for (let i = 0; i < 6; i++) hand.turn();
    hand.deliver();
    expect(frames.map((frame) => frame.topologyVersion)).toEqual([2]);
    expect(frames[0]!.positions).toHaveLength(26);
  });

  it("end with one that says settled, and then the loop is silent", () => {
    const hand = handRun();
    const layout = new D3ForceLayout(() => hand.port);
    const frames: LayoutFrame[] = [];
    layout.onFrame((frame) => frames.push({ ...frame, positions: frame.positions.slice() }));
    layout.start(ring(12), circlePlaces(12), new Uint8Array(12));
    for (let i = 0; i < 2000 && frames.at(-1)?.settled !== true; i++) {
      hand.turn();
      hand.deliver();
    }
    expect(frames.at(-1)?.settled).toBe(true);
    const count = frames.length;
    for (let i = 0; i < 20; i++) {
      hand.turn();
      hand.deliver();
    }
    expect(frames).toHaveLength(count);
  });

  it("are skipped on the way when motion is unwelcome", () => {
    const hand = handRun();
    const layout = new D3ForceLayout(() => hand.port);
    const frames: LayoutFrame[] = [];
    layout.onFrame((frame) => frames.push(frame));
    layout.start(ring(12), circlePlaces(12), new Uint8Array(12), { quiet: true });
    for (let i = 0; i < 2000; i++) {
      hand.turn();
      hand.deliver();
    }
    expect(frames.map((frame) => frame.settled)).toEqual([true]);
  });
});
