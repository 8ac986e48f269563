import { cssColour } from "./colour";
import { toScreen, type Bounds, type Camera, type Viewport } from "./camera";
import type { SceneColumns } from "./columns";
import type { Box } from "./labels/occupancy";
import { FONT_STACK, type Theme } from "./theme";
import { visibleText } from "./text/visibleText";

/** The group of each node, worked out for one version of the columns. */
export type NodeGroups = { version: number; of: Uint32Array; count: number };

/** A soft outline round a group of nodes that belong together, named after the most linked of them. */
export type Cluster = {
  /** Number of the group; the largest is 0. */
  group: number;
  name: string;
  /** The most linked node of the group. */
  leader: number;
  count: number;
  /** Corners of the outline in the graph, x and y in turn. */
  outline: Float32Array;
  x: number;
  y: number;
};

/** Pictures smaller than this are read node by node. */
export const CLUSTERS_FROM = 250;
/** Fading in as the camera goes away. */
const FROM_ZOOM = 0.42;
const FULL_ZOOM = 0.2;
const SMALLEST = 8;
/** Two are no group. */
const FEWEST_GATHERED = 3;
const MOST = 24;
const MOST_LOOKED_AT = 200;
/** A group may take up this many times its share of the picture, and a little more. */
const SPREAD = 2.5;
const SMALL_SHARE = 0.004;
/** Of a group's nodes, those furthest from its middle do not count: one stray would make an outline of everything. */
const KEPT_SHARE = 0.85;
const PAD_PX = 14;
const FONT = `600 12px ${FONT_STACK}`;
const COUNT_FONT = `500 11px ${FONT_STACK}`;
const NAME_HEIGHT = 18;
const GAP = 6;

/** How strongly clusters are told at this zoom: 0 is not at all. */
export function clusterStrength(zoom: number, nodes: number): number {
  if (nodes < CLUSTERS_FROM) return 0;
  return Math.min(1, Math.max(0, (FROM_ZOOM - zoom) / (FROM_ZOOM - FULL_ZOOM)));
}

export class Clusters {
  private groups: NodeGroups | null = null;
  private made: { key: string; clusters: Cluster[] } | undefined;

  constructor(private readonly columns: SceneColumns) {}

  set(groups: NodeGroups | null): void {
    this.groups = groups;
    this.made = undefined;
  }

  get known(): boolean {
    return this.groups?.version === this.columns.version;
  }

  /** Every group worth gathering, by its most linked node, of the nodes that are shown. */
  members(shows: (node: number) => boolean): Map<string, string[]> {
    const { columns, groups } = this;
    const found = new Map<string, string[]>();
    if (groups === null || groups.version !== columns.version) return found;
    const members: number[][] = [];
    for (let node = 0; node < columns.nodeCount; node++) if (shows(node)) (members[groups.of[node]!] ??= []).push(node);
    for (const nodes of members) {
      if (nodes === undefined || nodes.length < FEWEST_GATHERED) continue;
      const leader = leaderOf(columns, nodes);
      found.set(columns.ids[leader]!, nodes.filter((node) => node !== leader).map((node) => columns.ids[node]!));
    }
    return found;
  }

  /** While the layout moves everything, the outlines of a moment ago would be wrong: there are none. */
  at(moving: boolean): readonly Cluster[] {
    const { columns, groups } = this;
    if (groups === null || groups.version !== columns.version) return [];
    const key = `${columns.version} ${columns.moved}`;
    if (this.made?.key === key) return this.made.clusters;
    if (moving) return [];
    this.made = { key, clusters: clustersOf(columns, groups) };
    return this.made.clusters;
  }
}

export function clustersOf(columns: SceneColumns, groups: NodeGroups): Cluster[] {
  const members: number[][] = [];
  for (let node = 0; node < columns.nodeCount; node++) (members[groups.of[node]!] ??= []).push(node);
  const clusters: Cluster[] = [];
  const whole = areaOf(columns);
  members.slice(0, MOST_LOOKED_AT).forEach((nodes, group) => {
    if (clusters.length >= MOST || nodes.length < SMALLEST) return;
    const cluster = clusterOf(columns, group, nodes);
    // Spread over the picture, it is no place one could point at, and its outline would lie over everything.
    if (areaWithin(cluster.outline) <= whole * (SPREAD * (nodes.length / columns.nodeCount) + SMALL_SHARE)) clusters.push(cluster);
  });
  return clusters;
}

function areaOf({ positions, nodeCount }: SceneColumns): number {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let node = 0; node < nodeCount; node++) {
    left = Math.min(left, positions[2 * node]!);
    right = Math.max(right, positions[2 * node]!);
    top = Math.min(top, positions[2 * node + 1]!);
    bottom = Math.max(bottom, positions[2 * node + 1]!);
  }
  return Math.max(0, right - left) * Math.max(0, bottom - top);
}

/** By the shoelace formula. */
export function areaWithin(outline: Float32Array): number {
  let sum = 0;
  for (let k = 0; k < outline.length; k += 2) {
    const next = (k + 2) % outline.length;
    sum += outline[k]! * outline[next + 1]! - outline[next]! * outline[k + 1]!;
  }
  return Math.abs(sum) / 2;
}

function clusterOf(columns: SceneColumns, group: number, nodes: number[]): Cluster {
  const { positions, names } = columns;
  const middle = (axis: 0 | 1) => {
    const sorted = nodes.map((node) => positions[2 * node + axis]!).sort((a, b) => a - b);
    return sorted[sorted.length >> 1]!;
  };
  const [x, y] = [middle(0), middle(1)];
  const byDistance = nodes.map((node) => ({ node, distance: Math.hypot(positions[2 * node]! - x, positions[2 * node + 1]! - y) })).sort((a, b) => a.distance - b.distance);
  const kept = byDistance.slice(0, Math.max(3, Math.ceil(nodes.length * KEPT_SHARE)));
  const leader = leaderOf(columns, nodes);
  return { group, name: visibleText(names[leader]!), leader, count: nodes.length, outline: convexHull(kept.map(({ node }) => [positions[2 * node]!, positions[2 * node + 1]!])), x, y };
}

function leaderOf({ degree }: SceneColumns, nodes: readonly number[]): number {
  return nodes.reduce((best, node) => (degree[node]! > degree[best]! ? node : best));
}

/** Andrew's monotone chain, counter-clockwise. */
export function convexHull(points: [number, number][]): Float32Array {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  if (sorted.length < 3) return Float32Array.from(sorted.flat());
  const half = (from: [number, number][]) => {
    const chain: [number, number][] = [];
    for (const p of from) {
      while (chain.length >= 2) {
        const [a, b] = [chain[chain.length - 2]!, chain[chain.length - 1]!];
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
        chain.pop();
      }
      chain.push(p);
    }
    chain.pop();
    return chain;
  };
  return Float32Array.from([...half(sorted), ...half([...sorted].reverse())].flat());
}

/** Draws the outlines, and the names where there is room; answers what the names cover, for the labels of nodes. */
export function paintClusters(context: CanvasRenderingContext2D, clusters: readonly Cluster[], strength: number, theme: Theme, camera: Camera, view: Viewport, names: readonly ClusterName[]): void {
  for (const cluster of clusters) {
    context.beginPath();
    tracePadded(context, cluster, camera, view);
    // Grey: colours are the types' own.
    context.globalAlpha = 0.08 * strength;
    context.fillStyle = cssColour(theme.neutral);
    context.fill();
    context.globalAlpha = 0.4 * strength;
    context.strokeStyle = cssColour(theme.neutral);
    context.lineWidth = 1;
    context.stroke();
  }
  context.textAlign = "start";
  context.textBaseline = "middle";
  context.lineJoin = "round";
  context.lineWidth = 4;
  context.strokeStyle = theme.halo;
  context.globalAlpha = strength;
  for (const { text, wide, count, box } of names) {
    const [x, y] = [box.x, box.y + box.height / 2];
    for (const [font, part, at, colour] of [[FONT, text, x, theme.labelStrong], [COUNT_FONT, count, x + wide + GAP, theme.labelResting]] as const) {
      context.font = font;
      context.strokeText(part, at, y);
      context.fillStyle = colour;
      context.fillText(part, at, y);
    }
  }
  context.globalAlpha = 1;
}

/** `wide` is the width of the name alone. */
export type ClusterName = { cluster: Cluster; text: string; wide: number; count: string; box: Box };

/** The names that fit: the largest groups first, none over another or what is `taken`, none past the edge. */
export function placeNames(context: CanvasRenderingContext2D, clusters: readonly Cluster[], camera: Camera, view: Viewport, width: number, height: number, taken: readonly Box[] = []): ClusterName[] {
  const placed: ClusterName[] = [];
  for (const cluster of clusters) {
    const at = toScreen(camera, view, cluster.x, cluster.y);
    const text = cluster.name.length > 26 ? `${cluster.name.slice(0, 25)}…` : cluster.name;
    const count = cluster.count.toLocaleString("en");
    context.font = FONT;
    const wide = context.measureText(text).width;
    context.font = COUNT_FONT;
    const whole = wide + GAP + context.measureText(count).width;
    const box: Box = { x: at.x - whole / 2, y: at.y - NAME_HEIGHT / 2, width: whole, height: NAME_HEIGHT };
    const outside = box.x < view.left + 4 || box.y < 4 || box.x + box.width > width - view.right - 4 || box.y + box.height > height - 4;
    if (outside || [...taken, ...placed.map((name) => name.box)].some((other) => box.x < other.x + other.width + 4 && other.x < box.x + box.width + 4 && box.y < other.y + other.height + 2 && other.y < box.y + box.height + 2)) continue;
    placed.push({ cluster, text, wide, count, box });
  }
  return placed;
}

export function outlineBounds({ outline }: Cluster): Bounds {
  const bounds: Bounds = { minX: Infinity, maxX: -Infinity, minY: Infinity, maxY: -Infinity };
  for (let k = 0; k < outline.length; k += 2) {
    bounds.minX = Math.min(bounds.minX, outline[k]!);
    bounds.maxX = Math.max(bounds.maxX, outline[k]!);
    bounds.minY = Math.min(bounds.minY, outline[k + 1]!);
    bounds.maxY = Math.max(bounds.maxY, outline[k + 1]!);
  }
  return bounds;
}

/** A closed curve through the middles of the outline's sides, a little outside the dots. */
function tracePadded(context: CanvasRenderingContext2D, { outline, x, y }: Cluster, camera: Camera, view: Viewport): void {
  const centre = toScreen(camera, view, x, y);
  const corners: [number, number][] = [];
  for (let k = 0; k < outline.length; k += 2) {
    const at = toScreen(camera, view, outline[k]!, outline[k + 1]!);
    const [dx, dy] = [at.x - centre.x, at.y - centre.y];
    const length = Math.hypot(dx, dy) || 1;
    corners.push([at.x + (dx / length) * PAD_PX, at.y + (dy / length) * PAD_PX]);
  }
  if (corners.length < 3) {
    context.arc(centre.x, centre.y, PAD_PX * 2, 0, 2 * Math.PI);
    return;
  }
  const mid = (a: [number, number], b: [number, number]): [number, number] => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  context.moveTo(...mid(corners[corners.length - 1]!, corners[0]!));
  corners.forEach((corner, k) => context.quadraticCurveTo(...corner, ...mid(corner, corners[(k + 1) % corners.length]!)));
  context.closePath();
}
