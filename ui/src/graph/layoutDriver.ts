import { hopsFrom } from "./adjacency";
import type { Changes } from "./applyOps";
import type { SceneColumns } from "./columns";
import type { GraphIndex } from "./graphIndex";
import { Mobility, type LayoutFrame, type LayoutSettings, type LayoutParams, type LayoutSource, type LayoutTopology } from "../layout/types";
import { placeBeside, placeOutside } from "./placeNew";

/** Longest way a settled node near an arrival may be pushed, on screen and in the graph. */
const LEASH_PX = 6;
const NEAR_HOPS = 2;
const LIVE_ALPHA = 0.35;

type DriverEvents = {
  moved: () => void;
  settled: (positions: { ids: string[]; xy: Float32Array }) => void;
};

/**
 * Connects the columns with a source of positions and keeps the promise that what has settled stays: full layouts
 * happen on a first load and when the person asks; a live change frees the new nodes only.
 */
export class LayoutDriver {
  running = false;
  alpha = 0;
  private mobility: Uint8Array | undefined;
  private readonly held = new Map<string, { x: number; y: number }>();
  private settledWhileHeld = false;
  /** Placed outside for want of neighbours: the first edge brings them in. */
  private readonly strays = new Set<string>();
  private readonly off: () => void;

  constructor(
    private readonly source: LayoutSource,
    private readonly columns: SceneColumns,
    private readonly index: GraphIndex,
    private readonly quiet: () => boolean,
    private readonly zoom: () => number,
    private readonly events: DriverEvents,
  ) {
    this.off = source.onFrame((frame) => this.receive(frame));
  }

  /** After a load: settled graphs are left as they are. */
  begin(settled: boolean, local = false): void {
    this.halt();
    this.strays.clear();
    if (settled || this.columns.nodeCount === 0) return;
    // The first places come from the host and are good.
    this.run("start", local ? { local: true, alpha: 0.6 } : { warm: true });
  }

  /** After a live change: give the new nodes a place, then let them, and them alone, find it. */
  absorb(changes: Changes): void {
    const placed = this.placeNew(changes);
    if (placed.length > 0 || this.running) this.continue();
  }

  reheat(alpha = 0.7): void {
    if (this.columns.nodeCount === 0) return;
    this.columns.unsettled.fill(1, 0, this.columns.nodeCount);
    this.run("start", { alpha });
  }

  settings(settings: LayoutSettings): void {
    this.source.settings?.(settings);
  }

  pause(paused: boolean): void {
    this.source.pause?.(paused);
  }

  /** Where everything stands is where it belongs. */
  settleAll(): void {
    this.halt();
    this.settle();
  }

  pin(node: number, at: { x: number; y: number } | null): void {
    if (!this.running) return;
    if (at === null) this.source.unpin(node);
    else this.source.pin(node, at.x, at.y);
  }

  /** Begin to hold nodes: their direct neighbours follow, nothing else moves. */
  grab(nodes: readonly number[]): void {
    const { columns, index } = this;
    this.held.clear();
    this.settledWhileHeld = false;
    for (const node of nodes) this.strays.delete(columns.ids[node]!);
    // A layout under way goes on round the held nodes.
    if (this.running) {
      this.drag(nodes);
      return;
    }
    const hops = hopsFrom(index.adjacency(), columns.nodeCount, nodes, 1);
    const mobility = new Uint8Array(columns.nodeCount);
    // With motion reduced the drag is of these nodes and no others.
    for (let i = 0; i < columns.nodeCount; i++) mobility[i] = hops[i] === 1 && columns.pinned[i] === 0 && !this.quiet() ? Mobility.free : Mobility.fixed;
    this.run("update", { mobility, alpha: 0.02 });
    this.drag(nodes, mobility);
  }

  drag(nodes: readonly number[], mobility?: Uint8Array): void {
    const xy = new Float32Array(nodes.length * 2);
    nodes.forEach((node, at) => {
      xy[2 * at] = this.columns.positions[2 * node]!;
      xy[2 * at + 1] = this.columns.positions[2 * node + 1]!;
      this.held.set(this.columns.ids[node]!, { x: xy[2 * at]!, y: xy[2 * at + 1]! });
    });
    this.source.drag(Uint32Array.from(nodes), xy, mobility);
  }

  drop(): void {
    this.held.clear();
    this.source.drop();
    if (this.settledWhileHeld) this.settle();
  }

  halt(): void {
    this.source.stop();
    this.running = false;
    this.mobility = undefined;
    this.held.clear();
  }

  destroy(): void {
    this.off();
    this.source.destroy();
  }

  /** Carry on with what is still unsettled, under the present topology. */
  private continue(): void {
    const { columns } = this;
    const free: number[] = [];
    for (let i = 0; i < columns.nodeCount; i++) if (columns.unsettled[i] === 1 && columns.pinned[i] === 0) free.push(i);
    if (free.length === columns.nodeCount) {
      this.run("start", { alpha: Math.max(LIVE_ALPHA, this.alpha) });
      return;
    }
    if (free.length === 0) {
      this.halt();
      return;
    }
    const hops = hopsFrom(this.index.adjacency(), columns.nodeCount, free, NEAR_HOPS);
    const mobility = new Uint8Array(columns.nodeCount);
    for (let i = 0; i < columns.nodeCount; i++) {
      mobility[i] = columns.pinned[i] === 1 || hops[i] === 255 ? Mobility.fixed : hops[i] === 0 ? Mobility.free : Mobility.leashed;
    }
    const leash = LEASH_PX / Math.max(1, this.zoom());
    this.run("update", { mobility, alpha: LIVE_ALPHA, leash, anchors: columns.anchors.slice(0, 2 * columns.nodeCount) });
  }

  private run(kind: "start" | "update", params: LayoutParams): void {
    this.mobility = params.mobility;
    this.running = true;
    this.alpha = params.alpha ?? 1;
    const { positions, pinned } = this.columns;
    this.source[kind](this.topology(), positions, pinned, { ...params, quiet: this.quiet() });
  }

  topology(): LayoutTopology {
    const { columns } = this;
    return {
      version: columns.version,
      nodeCount: columns.nodeCount,
      edgeSource: columns.edgeSource.subarray(0, columns.edgeCount),
      edgeTarget: columns.edgeTarget.subarray(0, columns.edgeCount),
      edgeWeight: columns.edgeWeight.subarray(0, columns.edgeCount),
      radius: columns.radius,
    };
  }

  private receive(frame: LayoutFrame): void {
    const { columns } = this;
    // The source drops old versions as well; this is the last door before positions of the wrong nodes.
    if (!this.running || frame.topologyVersion !== columns.version) return;
    columns.positions.set(frame.positions.subarray(0, 2 * columns.nodeCount));
    // What the person holds is where the hand is, not where it was when this frame was made.
    for (const [id, at] of this.held) {
      const node = columns.indexOf(id);
      if (node !== undefined) columns.movePosition(node, at.x, at.y);
    }
    columns.dirty.positions.addAll(columns.nodeCount);
    columns.moved++;
    this.alpha = frame.alpha;
    this.settledWhileHeld = frame.settled && this.held.size > 0;
    if (frame.settled && !this.settledWhileHeld) this.settle();
    this.events.moved();
  }

  private settle(): void {
    const { columns, mobility } = this;
    this.running = false;
    this.settledWhileHeld = false;
    this.mobility = undefined;
    const ids: string[] = [];
    const xy: number[] = [];
    for (let i = 0; i < columns.nodeCount; i++) {
      if (mobility !== undefined && mobility[i] === Mobility.fixed) continue;
      const [x, y] = [columns.positions[2 * i]!, columns.positions[2 * i + 1]!];
      ids.push(columns.ids[i]!);
      xy.push(x, y);
      columns.unsettled[i] = 0;
      // A leashed node keeps its anchor: a hundred arrivals beside it must not walk it away.
      if (mobility === undefined || mobility[i] === Mobility.free) {
        columns.anchors[2 * i] = x;
        columns.anchors[2 * i + 1] = y;
      }
    }
    if (ids.length > 0) this.events.settled({ ids, xy: Float32Array.from(xy) });
  }

  private placeNew(changes: Changes): number[] {
    const { columns, index } = this;
    const waiting = new Set<number>();
    for (const id of changes.added) {
      const node = columns.indexOf(id);
      if (node === undefined) continue;
      if (changes.placed.has(id)) columns.unsettled[node] = 0;
      else waiting.add(node);
    }
    for (const id of changes.touched) {
      const node = columns.indexOf(id);
      if (node === undefined || !this.strays.has(id) || columns.pinned[node] === 1) continue;
      columns.unsettled[node] = 1;
      waiting.add(node);
    }
    for (const id of changes.removed) this.strays.delete(id);
    const order = [...waiting];
    const adjacency = index.adjacency();
    // Those next to something that has a place go first; then those next to them, and so on.
    for (let progress = true; progress && waiting.size > 0; ) {
      progress = false;
      for (const node of [...waiting]) {
        const at = placeBeside(columns, adjacency, index.grid(), node, waiting);
        if (at === null) continue;
        columns.place(node, at.x, at.y);
        waiting.delete(node);
        this.strays.delete(columns.ids[node]!);
        progress = true;
      }
      if (progress) continue;
      // Strays that are linked only among themselves: one keeps or gets a place, the others follow.
      const first = [...waiting].find((node) => adjacency.offsets[node + 1]! > adjacency.offsets[node]!);
      if (first === undefined) break;
      if (this.strays.has(columns.ids[first]!)) columns.unsettled[first] = 0;
      else this.park(new Set([first]));
      waiting.delete(first);
      progress = true;
    }
    this.park(waiting);
    return order.filter((node) => !waiting.has(node));
  }

  /** Nodes without neighbours stand round the rest, and stay: no force has anything to say about them. */
  private park(strays: ReadonlySet<number>): void {
    if (strays.size === 0) return;
    const { columns } = this;
    const core = this.core(strays);
    const xy: number[] = [];
    for (const node of strays) {
      const at = placeOutside(core.centre, core.extent, this.strays.size + 1);
      columns.place(node, at.x, at.y);
      columns.unsettled[node] = 0;
      this.strays.add(columns.ids[node]!);
      xy.push(at.x, at.y);
    }
    this.events.settled({ ids: [...strays].map((node) => columns.ids[node]!), xy: Float32Array.from(xy) });
  }

  /** The picture without its strays, which would otherwise push each other further and further out. */
  private core(waiting: ReadonlySet<number>): { centre: { x: number; y: number }; extent: number } {
    const { columns, strays } = this;
    let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let i = 0; i < columns.nodeCount; i++) {
      if (waiting.has(i) || strays.has(columns.ids[i]!)) continue;
      const [x, y] = [columns.positions[2 * i]!, columns.positions[2 * i + 1]!];
      [minX, maxX] = [Math.min(minX, x), Math.max(maxX, x)];
      [minY, maxY] = [Math.min(minY, y), Math.max(maxY, y)];
    }
    if (minX > maxX) return { centre: { x: 0, y: 0 }, extent: 0 };
    return { centre: { x: (minX + maxX) / 2, y: (minY + maxY) / 2 }, extent: Math.max(maxX - minX, maxY - minY) / 2 + 20 };
  }
}
