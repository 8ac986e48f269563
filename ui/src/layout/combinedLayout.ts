import { D3ForceLayout } from "./d3ForceLayout";
import { NativeLayout } from "./nativeLayout";
import type { LayoutFrame, LayoutHost, LayoutParams, LayoutSettings, LayoutSource, LayoutTopology } from "./types";

/** Nodes that d3 lays out from any places within the time there is. */
const COLD_UP_TO = 2000;

/**
 * The native engine lays whole graphs out; what concerns a few nodes of a settled picture (an arrival, a drag) is
 * d3-force's, in a worker of the page, where nothing has to be sent anywhere. If the host cannot lay out, d3 does all.
 */
export class CombinedLayout implements LayoutSource {
  private readonly native: NativeLayout;
  private active: LayoutSource;
  private last: [LayoutTopology, Float32Array, Uint8Array, LayoutParams] | undefined;
  private hasNative = true;
  /** Why the host does not lay out. */
  reason: unknown;

  constructor(host: LayoutHost, private readonly local: D3ForceLayout = new D3ForceLayout()) {
    this.native = new NativeLayout(host, (error) => this.fallBack(error));
    this.active = this.local;
  }

  start(topology: LayoutTopology, positions: Float32Array, pinned: Uint8Array, params: LayoutParams = {}): void {
    this.last = [topology, positions, pinned, params];
    this.choose(this.hasNative && topology.nodeCount > 0 && !(params.local === true && topology.nodeCount <= COLD_UP_TO) ? this.native : this.local).start(topology, positions, pinned, params);
  }

  update(topology: LayoutTopology, positions: Float32Array, pinned: Uint8Array, params: LayoutParams = {}): void {
    this.last = undefined;
    this.choose(this.local).update(topology, positions, pinned, params);
  }

  pin(index: number, x: number, y: number): void {
    this.active.pin(index, x, y);
  }

  unpin(index: number): void {
    this.active.unpin(index);
  }

  drag(indices: Uint32Array, xy: Float32Array, mobility?: Uint8Array): void {
    this.active.drag(indices, xy, mobility);
  }

  drop(): void {
    this.active.drop();
  }

  reheat(alpha?: number): void {
    this.active.reheat(alpha);
  }

  settings(settings: LayoutSettings): void {
    this.native.settings(settings);
  }

  pause(paused: boolean): void {
    this.native.pause(paused);
  }

  stop(): void {
    this.last = undefined;
    this.native.stop();
    this.local.stop();
  }

  onFrame(callback: (frame: LayoutFrame) => void): () => void {
    const offs = [this.native.onFrame(callback), this.local.onFrame(callback)];
    return () => offs.forEach((off) => off());
  }

  destroy(): void {
    this.native.destroy();
    this.local.destroy();
  }

  private choose(source: LayoutSource): LayoutSource {
    if (source !== this.active) this.active.stop();
    this.active = source;
    return source;
  }

  private fallBack(error: unknown): void {
    this.reason = error;
    this.hasNative = false;
    const { last } = this;
    if (this.active !== this.native) return;
    this.active = this.local;
    if (last === undefined) return;
    const [topology, positions, pinned, params] = last;
    // Here nothing is known of the places: there is time to begin from any in a small picture.
    this.local.start(topology, positions, pinned, { ...params, warm: topology.nodeCount > COLD_UP_TO });
  }
}
