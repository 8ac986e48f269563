import { describe, expect, it, vi } from "vitest";
import { CombinedLayout } from "./combinedLayout";
import { D3ForceLayout } from "./d3ForceLayout";
import { NativeLayout } from "./nativeLayout";
import { decodeFrame, decodeGroups, encodePicture } from "./picture";
import type { LayoutFrame, LayoutHost, LayoutStep, LayoutTopology } from "./types";

const topology = (version: number): LayoutTopology => ({
  version, nodeCount: 3, edgeSource: Uint32Array.of(0, 2), edgeTarget: Uint32Array.of(1, 1), edgeWeight: Float32Array.of(1, 0.5), radius: Float32Array.of(5, 6, 7, 99),
});

function frame(version: number, serial: number, settled: boolean): ArrayBuffer {
  const buffer = new ArrayBuffer(24 + 24);
  new Uint32Array(buffer).set([version, serial, 0, settled ? 1 : 0, 0, 3]);
  new Float32Array(buffer, 24).set([serial, 0, 1, 1, 2, 2]);
  return buffer;
}

/** Answers what the test hands over, one frame per question. */
class Engine {
  readonly starts: Uint8Array[] = [];
  readonly orders: LayoutStep[] = [];
  readonly asked: number[] = [];
  private waiting: ((frame: ArrayBuffer) => void)[] = [];
  fails = false;

  readonly host = {
    callBytes: (_: string, bytes: Uint8Array) => {
      if (this.fails) return Promise.reject(new Error("no"));
      this.starts.push(bytes);
      return Promise.resolve(new ArrayBuffer(0));
    },
    layoutOrder: (_: number, order: LayoutStep) => {
      this.orders.push(order);
      return Promise.resolve({});
    },
    layoutFrame: (_: number, after: number) => {
      this.asked.push(after);
      return new Promise<ArrayBuffer>((resolve) => this.waiting.push(resolve));
    },
  } satisfies LayoutHost;

  async answer(buffer: ArrayBuffer): Promise<void> {
    await vi.waitFor(() => expect(this.waiting.length).toBeGreaterThan(0));
    this.waiting.shift()!(buffer);
    await Promise.resolve();
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

describe("a picture in bytes", () => {
  it("has head and columns where the host looks for them", () => {
    const bytes = encodePicture(topology(9), { layout: 4, alpha: 0.5, quiet: true, arrange: "tree", positions: Float32Array.of(1, 2, 3, 4, 5, 6), pinned: Uint8Array.of(0, 1, 0), types: [7, 8, 9] });
    expect(bytes.length).toBe(24 + 3 * 17 + 2 * 12);
    expect([...new Uint32Array(bytes.buffer, 0, 5)]).toEqual([4, 9, 3, 2, 1 | 2 | (2 << 8)]);
    expect(new Float32Array(bytes.buffer, 20, 1)[0]).toBe(0.5);
    expect([...new Float32Array(bytes.buffer, 24, 9)]).toEqual([1, 2, 3, 4, 5, 6, 5, 6, 7]);
    expect([...new Uint32Array(bytes.buffer, 60, 7)]).toEqual([7, 8, 9, 0, 2, 1, 1]);
    expect([...bytes.subarray(-3)]).toEqual([0, 1, 0]);
  });

  it("tells no frame from one that is not whole", () => {
    expect(decodeFrame(new ArrayBuffer(0))).toBeNull();
    expect(() => decodeFrame(frame(1, 1, false).slice(0, 40))).toThrow(RangeError);
    expect(decodeFrame(frame(1, 8, true))).toMatchObject({ version: 1, serial: 8, settled: true });
    const groups = new ArrayBuffer(16);
    new Uint32Array(groups).set([2, 0, 1, 0]);
    expect(decodeGroups(groups)).toMatchObject({ count: 2, of: Uint32Array.of(1, 0) });
  });
});

describe("native layout", () => {
  const setUp = () => {
    const engine = new Engine();
    const failed = vi.fn();
    const layout = new NativeLayout(engine.host, failed);
    const frames: LayoutFrame[] = [];
    layout.onFrame((each) => frames.push(each));
    return { engine, layout, frames, failed };
  };

  it("asks for one frame at a time and for none once settled", async () => {
    const { engine, layout, frames } = setUp();
    layout.start(topology(1), new Float32Array(6), new Uint8Array(3));
    await engine.answer(frame(1, 1, false));
    await engine.answer(new ArrayBuffer(0));
    await engine.answer(frame(1, 5, true));
    expect(engine.asked).toEqual([0, 1, 1]);
    expect(frames.map((each) => [each.positions[0], each.settled])).toEqual([[1, false], [5, true]]);
    expect(engine.starts).toHaveLength(1);
  });

  it("drops frames of a topology that is over", async () => {
    const { engine, layout, frames } = setUp();
    layout.start(topology(1), new Float32Array(6), new Uint8Array(3));
    await vi.waitFor(() => expect(engine.asked).toHaveLength(1));
    layout.start(topology(2), new Float32Array(6), new Uint8Array(3));
    await engine.answer(frame(1, 1, false));
    await engine.answer(frame(1, 2, false));
    await engine.answer(frame(2, 3, true));
    expect(frames.map((each) => each.topologyVersion)).toEqual([2]);
  });

  it("keeps orders in order and only the newest place of the hand", async () => {
    const { engine, layout } = setUp();
    layout.start(topology(1), new Float32Array(6), new Uint8Array(3));
    for (let x = 0; x < 5; x++) layout.drag(Uint32Array.of(1), Float32Array.of(x, 0));
    layout.drop();
    layout.stop();
    await vi.waitFor(() => expect(engine.orders).toHaveLength(3));
    expect(engine.orders).toEqual([{ kind: "hold", nodes: [1], xy: [4, 0] }, { kind: "release" }, { kind: "stop" }]);
  });

  it("leaves the picture to d3 where the host cannot lay out", async () => {
    const engine = new Engine();
    engine.fails = true;
    const port = { postMessage: vi.fn(), onmessage: null, terminate: vi.fn() };
    const layout = new CombinedLayout(engine.host, new D3ForceLayout(() => port));
    layout.start(topology(1), new Float32Array(6), new Uint8Array(3));
    await vi.waitFor(() => expect(port.postMessage).toHaveBeenCalled());
    expect(port.postMessage.mock.calls[0]![0]).toMatchObject({ kind: "start" });
    layout.start(topology(2), new Float32Array(6), new Uint8Array(3));
    expect(port.postMessage.mock.calls.at(-1)![0]).toMatchObject({ kind: "start", topology: { version: 2 } });
  });
});
