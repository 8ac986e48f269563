import { ForceEngine } from "./forceEngine";
import type { LayoutParams, LayoutTopology } from "./types";

/** What the page says to the worker … */
export type LayoutRequest =
  | { kind: "start" | "update"; topology: LayoutTopology; positions: Float32Array; pinned: Uint8Array; params: LayoutParams }
  | { kind: "pin"; node: number; x: number; y: number }
  | { kind: "unpin"; node: number }
  | { kind: "drag"; nodes: Uint32Array; xy: Float32Array; mobility: Uint8Array | undefined }
  | { kind: "drop" }
  | { kind: "reheat"; alpha: number }
  | { kind: "stop" }
  | { kind: "ack"; positions: Float32Array };

/** … and the one thing the worker answers. */
export type LayoutReply = { kind: "frame"; topologyVersion: number; positions: Float32Array; alpha: number; settled: boolean };

export type LoopHost = {
  post: (reply: LayoutReply) => void;
  /** Run soon, after waiting messages have been read. */
  later: (work: () => void) => void;
  now: () => number;
};

/** Time for one frame's ticks; the rest of 16 ms belongs to the other threads of a small machine. */
const SLICE_MS = 12;
const FRAME_MS = 16.7;
/** Visible settling: up to this many nodes within the first time, above it within the second. */
const SMALL_GRAPH = 2000;
const SETTLE_SMALL_MS = 1300;
const SETTLE_LARGE_MS = 2800;
/** On a busy machine a small graph takes longer rather than come out tangled; a large one began from good places. */
const FEWEST_TICKS_SMALL = 120;
const FEWEST_TICKS_LARGE = 30;

/**
 * Ticks the engine and posts frames, one in flight: the next is computed while the page draws, and sent when the page
 * has given the buffer back. A page that is busy therefore gets fewer frames, never a queue of them.
 */
export class LayoutLoop {
  private topology: LayoutTopology | undefined;
  private positions: Float32Array = new Float32Array(0);
  private pinned: Uint8Array = new Uint8Array(0);
  private engine: ForceEngine | undefined;
  private quiet = false;
  private inFlight = false;
  private spare: Float32Array | undefined;
  private ready = false;
  private scheduled = false;
  private settleMs = SETTLE_SMALL_MS;
  private fewestTicks = FEWEST_TICKS_SMALL;
  private tickMs = 0;
  private ticks = 0;

  constructor(private readonly host: LoopHost) {}

  handle(request: LayoutRequest): void {
    switch (request.kind) {
      case "start":
      case "update":
        this.topology = request.topology;
        this.positions = request.positions;
        this.pinned = request.pinned;
        this.run(request.params);
        break;
      case "pin":
        this.pinned[request.node] = 1;
        this.put(request.node, request.x, request.y);
        this.engine?.pin(request.node, request.x, request.y);
        break;
      case "unpin":
        this.pinned[request.node] = 0;
        this.engine?.unpin(request.node);
        break;
      case "drag":
        this.drag(request.nodes, request.xy, request.mobility);
        break;
      case "drop":
        this.engine?.release();
        break;
      case "reheat":
        this.run({ alpha: request.alpha, quiet: this.quiet });
        break;
      case "stop":
        this.engine = undefined;
        this.ready = false;
        break;
      case "ack":
        this.inFlight = false;
        this.spare = request.positions;
        if (this.ready) this.send();
        this.wake();
        break;
    }
  }

  private run(params: LayoutParams): void {
    if (this.topology === undefined) return;
    this.engine = new ForceEngine(this.topology, this.positions, this.pinned, params);
    this.quiet = params.quiet === true;
    this.fewestTicks = this.topology.nodeCount <= SMALL_GRAPH ? FEWEST_TICKS_SMALL : FEWEST_TICKS_LARGE;
    this.settleMs = params.mobility !== undefined || this.topology.nodeCount <= SMALL_GRAPH ? SETTLE_SMALL_MS : SETTLE_LARGE_MS;
    this.ticks = 0;
    this.tickMs = 0;
    this.ready = false;
    this.wake();
  }

  private drag(nodes: Uint32Array, xy: Float32Array, mobility: Uint8Array | undefined): void {
    if (this.topology === undefined) return;
    nodes.forEach((node, at) => {
      this.pinned[node] = 1;
      this.put(node, xy[2 * at]!, xy[2 * at + 1]!);
    });
    if (mobility !== undefined) this.run({ mobility, alpha: 0.25, quiet: this.quiet });
    nodes.forEach((node, at) => this.engine?.hold(node, xy[2 * at]!, xy[2 * at + 1]!));
    this.wake();
  }

  private put(node: number, x: number, y: number): void {
    this.positions[2 * node] = x;
    this.positions[2 * node + 1] = y;
  }

  private wake(): void {
    if (this.scheduled || this.engine === undefined || this.ready) return;
    this.scheduled = true;
    this.host.later(() => {
      this.scheduled = false;
      this.advance();
    });
  }

  private advance(): void {
    const engine = this.engine;
    if (engine === undefined || this.ready) return;
    const started = this.host.now();
    // A fast machine would finish a small graph in a blink; a settling picture is easier to follow.
    const perFrame = this.quiet ? Infinity : Math.max(1, Math.round((this.plannedTicks() * FRAME_MS) / this.settleMs));
    let done = 0;
    do {
      engine.tick();
      done++;
      this.ticks++;
    } while (!engine.settled && done < perFrame && this.host.now() - started < SLICE_MS);
    this.measure((this.host.now() - started) / done);
    engine.write(this.positions);
    if (this.quiet && !engine.settled) {
      this.wake();
      return;
    }
    this.ready = true;
    if (!this.inFlight) this.send();
    this.wake();
  }

  private plannedTicks(): number {
    return this.tickMs === 0 ? 60 : Math.min(300, Math.max(this.fewestTicks, this.settleMs / this.tickMs));
  }

  /** After the first frames it is known what a tick costs here: spend what time remains, and no more. */
  private measure(tickMs: number): void {
    this.tickMs = this.tickMs === 0 ? tickMs : this.tickMs * 0.7 + tickMs * 0.3;
    const left = this.plannedTicks() - this.ticks;
    if (this.engine !== undefined && !this.engine.settled && left > 5) this.engine.plan(left);
  }

  private send(): void {
    const engine = this.engine;
    if (engine === undefined || this.topology === undefined) return;
    const positions = this.spare?.length === this.positions.length ? this.spare : new Float32Array(this.positions.length);
    this.spare = undefined;
    positions.set(this.positions);
    this.ready = false;
    this.inFlight = true;
    const settled = engine.settled;
    if (settled) this.engine = undefined;
    this.host.post({ kind: "frame", topologyVersion: this.topology.version, positions, alpha: engine.alpha, settled });
  }
}
