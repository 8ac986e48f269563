import { decodeFrame, encodePicture } from "./picture";
import type { LayoutFrame, LayoutHost, LayoutParams, LayoutSettings, LayoutSource, LayoutStep, LayoutTopology } from "./types";

/** Where a layout begins that has good places. */
const WARM = 0.12;

/**
 * The native engine as a source of positions. Frames are pulled, one under way at a time: a page that is busy gets
 * fewer of them, and nothing is asked once the layout has settled.
 */
export class NativeLayout implements LayoutSource {
  /** Our name for this layout at the host, which serves other pages as well. */
  private readonly layout = (Math.random() * 0x1_0000_0000) >>> 0;
  private version = -1;
  private serial = 0;
  private run = 0;
  private begun = false;
  private readonly listeners = new Set<(frame: LayoutFrame) => void>();
  /** Orders arrive in the order in which they were given. */
  private queue: Promise<unknown> = Promise.resolve();
  private pendingHold: { nodes: Uint32Array; xy: Float32Array } | undefined;

  constructor(private readonly host: LayoutHost, private readonly failed: (error: unknown) => void) {}

  start(topology: LayoutTopology, positions: Float32Array, pinned: Uint8Array, params: LayoutParams = {}): void {
    this.version = topology.version;
    this.begun = true;
    const run = ++this.run;
    const alpha = params.alpha ?? (params.warm === true ? WARM : 1);
    const picture = encodePicture(topology, { layout: this.layout, positions, pinned, alpha, quiet: params.quiet === true });
    this.enqueue(async () => {
      if (run !== this.run) return;
      await this.host.callBytes("layout_start", picture);
      void this.pull(run);
    });
  }

  update(topology: LayoutTopology, positions: Float32Array, pinned: Uint8Array, params: LayoutParams = {}): void {
    this.start(topology, positions, pinned, params);
  }

  pin(node: number, x: number, y: number): void {
    this.order({ kind: "pin", node, x, y });
  }

  unpin(node: number): void {
    this.order({ kind: "unpin", node });
  }

  /** While one is on its way, only the newest place of the hand waits. */
  drag(indices: Uint32Array, xy: Float32Array): void {
    const waiting = this.pendingHold !== undefined;
    this.pendingHold = { nodes: indices, xy };
    if (waiting) return;
    this.enqueue(async () => {
      const hold = this.pendingHold;
      this.pendingHold = undefined;
      if (hold !== undefined) await this.step({ kind: "hold", nodes: Array.from(hold.nodes), xy: Array.from(hold.xy) });
    });
  }

  drop(): void {
    this.order({ kind: "release" });
  }

  reheat(alpha = 0.7): void {
    this.order({ kind: "reheat", alpha });
  }

  settings(settings: LayoutSettings): void {
    this.enqueue(() => this.step({ kind: "settings", ...settings }));
  }

  pause(paused: boolean): void {
    this.enqueue(() => this.step({ kind: "pause", paused }));
  }

  stop(): void {
    this.run++;
    this.version = -1;
    if (!this.begun) return;
    this.begun = false;
    this.order({ kind: "stop" });
  }

  onFrame(callback: (frame: LayoutFrame) => void): () => void {
    this.listeners.add(callback);
    return () => this.listeners.delete(callback);
  }

  destroy(): void {
    this.stop();
    this.listeners.clear();
  }

  private order(step: LayoutStep): void {
    this.enqueue(() => this.step(step));
  }

  private step(order: LayoutStep): Promise<unknown> {
    return this.host.layoutOrder(this.layout, order);
  }

  private enqueue(work: () => Promise<unknown>): void {
    const { run } = this;
    this.queue = this.queue.then(work).catch((error: unknown) => {
      if (run === this.run) this.fail(error);
    });
  }

  private async pull(run: number): Promise<void> {
    try {
      while (run === this.run) {
        const frame = decodeFrame(await this.host.layoutFrame(this.layout, this.serial));
        if (run !== this.run) return;
        if (frame === null) continue;
        this.serial = frame.serial;
        if (frame.version !== this.version) continue;
        const { positions, alpha, settled } = frame;
        if (settled) this.run++;
        for (const listener of this.listeners) listener({ topologyVersion: frame.version, positions, alpha, settled });
      }
    } catch (error) {
      if (run === this.run) this.fail(error);
    }
  }

  private fail(error: unknown): void {
    this.run++;
    this.failed(error);
  }
}
