import { DirtyRange, withCapacity } from "./growable";
import { nodeRadius } from "./sizes";
import type { SceneData, SceneEdge, SceneNode } from "./types";

/**
 * The graph as index-aligned columns, dense from 0: what the renderer, the layout and picking read without an object
 * per node. Removal moves the last item into the gap, so an index is good for one `version` only; ids are for keeps.
 */
export class SceneColumns {
  nodeCount = 0;
  ids: string[] = [];
  names: string[] = [];
  typeOf = new Uint16Array(0);
  positions = new Float32Array(0);
  /** Where a settled node belongs; a live change may push it a few units from here, never further. */
  anchors = new Float32Array(0);
  pinned = new Uint8Array(0);
  /** 1 until the layout has brought the node to rest for the first time. */
  unsettled = new Uint8Array(0);
  degree = new Uint32Array(0);
  radius = new Float32Array(0);

  types: string[] = [];
  typeCounts: number[] = [];

  edgeCount = 0;
  edgeIds: string[] = [];
  edgeSource = new Uint32Array(0);
  edgeTarget = new Uint32Array(0);
  edgeType = new Uint16Array(0);
  edgeWeight = new Float32Array(0);
  edgeTypes: string[] = [];

  /** Grows whenever an index may mean something else, or a node or edge came or went. */
  version = 0;
  /** Grows whenever a position changes. */
  moved = 0;

  readonly dirty = { nodes: new DirtyRange(), positions: new DirtyRange(), edges: new DirtyRange(), types: true };

  private readonly nodeAt = new Map<string, number>();
  private readonly edgeAt = new Map<string, number>();
  private readonly typeAt = new Map<string, number>();
  private readonly edgeTypeAt = new Map<string, number>();

  indexOf(id: string): number | undefined {
    return this.nodeAt.get(id);
  }

  edgeIndexOf(id: string): number | undefined {
    return this.edgeAt.get(id);
  }

  load(data: SceneData): void {
    this.clear();
    for (const type of data.types) this.typeIndex(type);
    const n = data.ids.length;
    this.reserveNodes(n);
    this.ids = data.ids.slice();
    this.names = data.names.slice();
    this.typeOf.set(data.typeIndex);
    this.positions.set(data.positions);
    this.anchors.set(data.positions);
    this.pinned.set(data.pinned);
    this.unsettled.fill(data.settled ? 0 : 1, 0, n);
    this.nodeCount = n;
    for (let i = 0; i < n; i++) {
      this.nodeAt.set(this.ids[i]!, i);
      this.typeCounts[this.typeOf[i]!] = (this.typeCounts[this.typeOf[i]!] ?? 0) + 1;
    }
    for (const type of data.edgeTypes) this.edgeTypeIndex(type);
    const m = data.edgeIds.length;
    this.reserveEdges(m);
    this.edgeIds = data.edgeIds.slice();
    this.edgeSource.set(data.edgeSource);
    this.edgeTarget.set(data.edgeTarget);
    this.edgeType.set(data.edgeTypeIndex);
    this.edgeWeight.set(data.edgeWeight);
    this.edgeCount = m;
    for (let e = 0; e < m; e++) {
      this.edgeAt.set(this.edgeIds[e]!, e);
      this.degree[this.edgeSource[e]!]!++;
      if (this.edgeSource[e] !== this.edgeTarget[e]) this.degree[this.edgeTarget[e]!]!++;
    }
    for (let i = 0; i < n; i++) this.radius[i] = nodeRadius(this.degree[i]!);
    this.markAllDirty();
    this.version++;
    this.moved++;
  }

  /** Add the node or change what is told of it; its place is the caller's matter. Returns its index. */
  putNode(node: SceneNode): { index: number; added: boolean } {
    const type = this.typeIndex(node.entityType);
    const known = this.nodeAt.get(node.id);
    if (known !== undefined) {
      this.names[known] = node.name;
      const before = this.typeOf[known]!;
      if (before !== type) {
        this.typeCounts[before]!--;
        this.typeCounts[type]!++;
        this.typeOf[known] = type;
        this.dirty.nodes.add(known);
      }
      return { index: known, added: false };
    }
    const index = this.nodeCount++;
    this.reserveNodes(this.nodeCount);
    this.ids[index] = node.id;
    this.names[index] = node.name;
    this.typeOf[index] = type;
    this.typeCounts[type]!++;
    this.pinned[index] = node.pinned === true ? 1 : 0;
    this.unsettled[index] = 1;
    this.degree[index] = 0;
    this.radius[index] = nodeRadius(0);
    this.nodeAt.set(node.id, index);
    this.place(index, node.x ?? 0, node.y ?? 0);
    this.dirty.nodes.add(index);
    this.version++;
    return { index, added: true };
  }

  place(index: number, x: number, y: number): void {
    this.movePosition(index, x, y);
    this.anchors[2 * index] = x;
    this.anchors[2 * index + 1] = y;
  }

  movePosition(index: number, x: number, y: number): void {
    this.positions[2 * index] = x;
    this.positions[2 * index + 1] = y;
    this.dirty.positions.add(index);
    this.moved++;
  }

  /** Add or change an edge; one whose ends are unknown is refused with -1. */
  putEdge(edge: SceneEdge): { index: number; added: boolean } {
    const source = this.nodeAt.get(edge.source);
    const target = this.nodeAt.get(edge.target);
    if (source === undefined || target === undefined) return { index: -1, added: false };
    const known = this.edgeAt.get(edge.id);
    if (known !== undefined && (this.edgeSource[known] !== source || this.edgeTarget[known] !== target)) {
      this.removeEdge(edge.id);
      return this.putEdge(edge);
    }
    const index = known ?? this.edgeCount++;
    this.reserveEdges(this.edgeCount);
    this.edgeType[index] = this.edgeTypeIndex(edge.relationshipType);
    this.edgeWeight[index] = edge.weight;
    this.dirty.edges.add(index);
    if (known !== undefined) return { index, added: false };
    this.edgeIds[index] = edge.id;
    this.edgeSource[index] = source;
    this.edgeTarget[index] = target;
    this.edgeAt.set(edge.id, index);
    this.changeDegree(index, 1);
    this.version++;
    return { index, added: true };
  }

  removeEdge(id: string): boolean {
    const index = this.edgeAt.get(id);
    if (index === undefined) return false;
    this.changeDegree(index, -1);
    this.edgeAt.delete(id);
    const last = --this.edgeCount;
    if (index !== last) {
      this.edgeIds[index] = this.edgeIds[last]!;
      this.edgeSource[index] = this.edgeSource[last]!;
      this.edgeTarget[index] = this.edgeTarget[last]!;
      this.edgeType[index] = this.edgeType[last]!;
      this.edgeWeight[index] = this.edgeWeight[last]!;
      this.edgeAt.set(this.edgeIds[index], index);
      this.dirty.edges.add(index);
    }
    this.edgeIds.length = last;
    this.version++;
    return true;
  }

  /** Remove nodes and every edge at them: one pass over the edges for the whole batch. */
  removeNodes(ids: readonly string[]): number {
    const gone = new Set<number>();
    for (const id of ids) {
      const index = this.nodeAt.get(id);
      if (index !== undefined) gone.add(index);
    }
    if (gone.size === 0) return 0;
    for (let e = this.edgeCount - 1; e >= 0; e--) {
      if (gone.has(this.edgeSource[e]!) || gone.has(this.edgeTarget[e]!)) this.removeEdge(this.edgeIds[e]!);
    }
    const originAt = new Map<number, number>();
    // From the highest index down, so that the item moved into a gap is never one that is to go.
    for (const index of [...gone].sort((a, b) => b - a)) this.dropNode(index, originAt);
    if (originAt.size > 0) this.remapEdges(new Map([...originAt].map(([now, before]) => [before, now])));
    this.version++;
    this.moved++;
    return gone.size;
  }

  markAllDirty(): void {
    this.dirty.nodes.addAll(this.nodeCount);
    this.dirty.positions.addAll(this.nodeCount);
    this.dirty.edges.addAll(this.edgeCount);
    this.dirty.types = true;
  }

  private dropNode(index: number, originAt: Map<number, number>): void {
    this.typeCounts[this.typeOf[index]!]!--;
    this.nodeAt.delete(this.ids[index]!);
    const last = --this.nodeCount;
    if (index !== last) {
      this.ids[index] = this.ids[last]!;
      this.names[index] = this.names[last]!;
      for (const column of [this.typeOf, this.pinned, this.unsettled, this.degree, this.radius]) column[index] = column[last]!;
      for (const column of [this.positions, this.anchors]) column.copyWithin(2 * index, 2 * last, 2 * last + 2);
      this.nodeAt.set(this.ids[index], index);
      this.dirty.nodes.add(index);
      this.dirty.positions.add(index);
      // `last` may itself have been moved there earlier in this batch.
      originAt.set(index, originAt.get(last) ?? last);
    }
    originAt.delete(last);
    this.ids.length = last;
    this.names.length = last;
  }

  private remapEdges(movedTo: ReadonlyMap<number, number>): void {
    for (let e = 0; e < this.edgeCount; e++) {
      const source = movedTo.get(this.edgeSource[e]!);
      const target = movedTo.get(this.edgeTarget[e]!);
      if (source === undefined && target === undefined) continue;
      if (source !== undefined) this.edgeSource[e] = source;
      if (target !== undefined) this.edgeTarget[e] = target;
      this.dirty.edges.add(e);
    }
  }

  private changeDegree(edge: number, by: 1 | -1): void {
    const source = this.edgeSource[edge]!;
    const target = this.edgeTarget[edge]!;
    for (const node of source === target ? [source] : [source, target]) {
      this.degree[node]! += by;
      this.radius[node] = nodeRadius(this.degree[node]!);
      this.dirty.nodes.add(node);
    }
  }

  private typeIndex(type: string): number {
    return intern(type, this.types, this.typeAt, () => {
      this.typeCounts.push(0);
      this.dirty.types = true;
    });
  }

  private edgeTypeIndex(type: string): number {
    return intern(type, this.edgeTypes, this.edgeTypeAt);
  }

  private reserveNodes(needed: number): void {
    this.typeOf = withCapacity(this.typeOf, needed);
    this.positions = withCapacity(this.positions, 2 * needed);
    this.anchors = withCapacity(this.anchors, 2 * needed);
    this.pinned = withCapacity(this.pinned, needed);
    this.unsettled = withCapacity(this.unsettled, needed);
    this.degree = withCapacity(this.degree, needed);
    this.radius = withCapacity(this.radius, needed);
  }

  private reserveEdges(needed: number): void {
    this.edgeSource = withCapacity(this.edgeSource, needed);
    this.edgeTarget = withCapacity(this.edgeTarget, needed);
    this.edgeType = withCapacity(this.edgeType, needed);
    this.edgeWeight = withCapacity(this.edgeWeight, needed);
  }

  private clear(): void {
    this.nodeCount = 0;
    this.edgeCount = 0;
    this.degree.fill(0);
    this.types = [];
    this.typeCounts = [];
    this.edgeTypes = [];
    for (const map of [this.nodeAt, this.edgeAt, this.typeAt, this.edgeTypeAt]) map.clear();
  }
}

function intern(name: string, names: string[], at: Map<string, number>, added?: () => void): number {
  const known = at.get(name);
  if (known !== undefined) return known;
  names.push(name);
  at.set(name, names.length - 1);
  added?.();
  return names.length - 1;
}
