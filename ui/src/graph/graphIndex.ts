import { buildAdjacency, orderByDegree, type Adjacency } from "./adjacency";
import type { Bounds } from "./camera";
import type { SceneColumns } from "./columns";
import { fanEdges, type EdgeFan } from "./edgeFan";
import { Folding } from "./folding";
import { PickGrid } from "./pickGrid";

/** Edges looked at for their mean length. */
const LENGTH_SAMPLE = 1_000;

/** What follows from the columns, worked out when asked for and kept while the columns stay as they are. */
export class GraphIndex {
  private adjacencyNow: Adjacency | undefined;
  private drawnNow: { key: string; adjacency: Adjacency } | undefined;
  private fanNow: { key: string; fan: EdgeFan } | undefined;
  private orderNow: { key: string; order: Uint32Array } | undefined;
  private boundsNow: { key: string; bounds: Bounds | null } | undefined;
  private lengthNow: { key: string; length: number } | undefined;
  private countsNow: { key: string; nodes: number; edges: number } | undefined;
  private readonly gridNow = new PickGrid();
  private gridKey = "";
  private hiddenNow: ReadonlySet<string> = new Set();
  private hiddenIndices = new Set<number>();
  private hiddenVersion = 0;
  private hiddenTypesSeen = 0;

  constructor(
    private readonly columns: SceneColumns,
    private readonly folding = new Folding(columns),
  ) {}

  adjacency(): Adjacency {
    if (this.adjacencyNow?.version !== this.columns.version) this.adjacencyNow = buildAdjacency(this.columns);
    return this.adjacencyNow;
  }

  /** Who is beside whom on the canvas, where folded nodes are in those that stand for them. */
  drawnAdjacency(): Adjacency {
    const { folding } = this;
    if (folding.folded === 0) return this.adjacency();
    const key = this.pictureKey();
    if (this.drawnNow?.key !== key) this.drawnNow = { key, adjacency: buildAdjacency(this.columns, folding.ends()) };
    return this.drawnNow.adjacency;
  }

  fan(): EdgeFan {
    const key = this.pictureKey();
    if (this.fanNow?.key !== key) this.fanNow = { key, fan: fanEdges(this.columns, this.drawnAdjacency(), this.folding) };
    return this.fanNow.fan;
  }

  /** What is drawn, by rising degree. */
  order(): Uint32Array {
    const key = this.pictureKey();
    if (this.orderNow?.key === key) return this.orderNow.order;
    const all = orderByDegree(this.columns.degree, this.columns.nodeCount);
    this.orderNow = { key, order: this.folding.folded === 0 ? all : all.filter((node) => !this.folding.isFolded(node)) };
    return this.orderNow.order;
  }

  private pictureKey(): string {
    return `${this.columns.version} ${this.folding.version}`;
  }

  get hidden(): ReadonlySet<string> {
    return this.hiddenNow;
  }

  hide(types: ReadonlySet<string>): void {
    this.hiddenNow = new Set(types);
    this.hiddenTypesSeen = -1;
    this.hiddenVersion++;
  }

  shows(node: number): boolean {
    return this.showsType(node) && !this.folding.isFolded(node);
  }

  /** Whether its type is not hidden. */
  showsType(node: number): boolean {
    // A type can arrive after it was hidden by name.
    if (this.hiddenTypesSeen !== this.columns.types.length) {
      this.hiddenTypesSeen = this.columns.types.length;
      this.hiddenIndices = new Set(this.columns.types.flatMap((type, at) => (this.hiddenNow.has(type) ? [at] : [])));
    }
    return this.hiddenIndices.size === 0 || !this.hiddenIndices.has(this.columns.typeOf[node]!);
  }

  /** Around every shown node; null when nothing is shown. */
  bounds(): Bounds | null {
    const { columns } = this;
    const key = `${columns.moved} ${this.pictureKey()} ${this.hiddenVersion}`;
    if (this.boundsNow?.key === key) return this.boundsNow.bounds;
    const bounds = noBounds();
    for (let i = 0; i < columns.nodeCount; i++) if (this.shows(i)) widen(bounds, columns.positions, i);
    this.boundsNow = { key, bounds: orNull(bounds) };
    return this.boundsNow.bounds;
  }

  /** How long an edge is on average, by a sample: how many cross a view depends on it. */
  meanEdgeLength(): number {
    const { columns } = this;
    const key = `${columns.moved} ${columns.version}`;
    if (this.lengthNow?.key === key) return this.lengthNow.length;
    const step = Math.max(1, Math.floor(columns.edgeCount / LENGTH_SAMPLE));
    let [sum, taken] = [0, 0];
    for (let e = 0; e < columns.edgeCount; e += step) {
      const [from, to] = [2 * columns.edgeSource[e]!, 2 * columns.edgeTarget[e]!];
      sum += Math.hypot(columns.positions[from]! - columns.positions[to]!, columns.positions[from + 1]! - columns.positions[to + 1]!);
      taken++;
    }
    this.lengthNow = { key, length: taken === 0 ? 0 : sum / taken };
    return this.lengthNow.length;
  }

  /** Around those of some nodes that are there, hidden ones too: who asks for them wants them. */
  boundsOf(ids: readonly string[]): Bounds | null {
    const bounds = noBounds();
    for (const id of ids) {
      const node = this.columns.indexOf(id);
      if (node !== undefined) widen(bounds, this.columns.positions, this.folding.drawnAs(node));
    }
    return orNull(bounds);
  }

  shownCounts(): { nodes: number; edges: number } {
    const { columns } = this;
    const key = `${this.pictureKey()} ${this.hiddenVersion} ${columns.dirty.nodes.to}`;
    if (this.countsNow?.key === key) return this.countsNow;
    let [nodes, edges] = [columns.nodeCount, columns.edgeCount];
    if (this.hiddenNow.size > 0 || this.folding.folded > 0) {
      const { source, target } = this.folding.ends();
      nodes = edges = 0;
      for (let i = 0; i < columns.nodeCount; i++) if (this.shows(i)) nodes++;
      for (let e = 0; e < columns.edgeCount; e++) if (this.shows(source[e]!) && this.shows(target[e]!) && !this.folding.isInner(e)) edges++;
    }
    this.countsNow = { key, nodes, edges };
    return this.countsNow;
  }

  /** `stale` accepts a grid of a moment ago, while the layout moves everything anyway. */
  grid(stale = false): PickGrid {
    const key = `${this.columns.moved} ${this.columns.version}`;
    const usable = stale && this.gridKey.endsWith(` ${this.columns.version}`);
    if (this.gridKey !== key && !usable) {
      this.gridNow.build(this.columns.positions, this.columns.nodeCount);
      this.gridKey = key;
    }
    return this.gridNow;
  }
}

function noBounds(): Bounds {
  return { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
}

function widen(bounds: Bounds, positions: Float32Array, node: number): void {
  const [x, y] = [positions[2 * node]!, positions[2 * node + 1]!];
  if (x < bounds.minX) bounds.minX = x;
  if (x > bounds.maxX) bounds.maxX = x;
  if (y < bounds.minY) bounds.minY = y;
  if (y > bounds.maxY) bounds.maxY = y;
}

function orNull(bounds: Bounds): Bounds | null {
  return bounds.minX > bounds.maxX ? null : bounds;
}
