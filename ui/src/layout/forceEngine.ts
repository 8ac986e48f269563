import {
  forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY,
  type Simulation, type SimulationLinkDatum, type SimulationNodeDatum,
} from "d3-force";
import { Mobility, type LayoutParams, type LayoutTopology } from "./types";

/**
 * d3-force on our columns, one tick at a time, with no clock and no thread of its own. When only a few nodes may
 * move, only those and what stands near them take part: an arrival in a graph of 20,000 costs what one in a graph
 * of 200 does, and everything else cannot move because it is not there.
 */
type Body = SimulationNodeDatum & { index: number; node: number; x: number; y: number; radius: number; mobility: number };
type Link = SimulationLinkDatum<Body> & { source: Body; target: Body; weight: number };

const THETA = 0.9;
const CHARGE = -260;
const CHARGE_REACH = 1200;
const LINK_LENGTH = 48;
/** Windows are wider than high, and so is a picture that fills them. */
const GRAVITY_X = 0.026;
const GRAVITY_Y = 0.045;
/** Collision costs as much as the charge; in big graphs dots are too small on screen for it to show. */
const COLLIDE_UP_TO = 2500;
const ALPHA_MIN = 0.004;
const WARM_ALPHA = 0.3;
const DEFAULT_LEASH = 6;
/** How far around a moving node fixed ones still push it, and how many of them at most. */
const CONTEXT_REACH = 220;
const CONTEXT_LIMIT = 1500;

export class ForceEngine {
  private readonly bodies: Body[];
  private readonly bodyOf: Int32Array;
  private readonly simulation: Simulation<Body, Link>;
  private readonly anchors: Float32Array | undefined;
  private readonly leash: number;
  private readonly held = new Set<Body>();

  constructor(topology: LayoutTopology, positions: Float32Array, pinned: Uint8Array, params: LayoutParams) {
    const mobility = params.mobility;
    const local = mobility !== undefined;
    const nodes = local ? localNodes(topology, positions, mobility) : undefined;
    const count = nodes?.length ?? topology.nodeCount;
    this.bodyOf = new Int32Array(topology.nodeCount).fill(-1);
    this.anchors = params.anchors;
    this.leash = params.leash ?? DEFAULT_LEASH;
    this.bodies = Array.from({ length: count }, (_, index) => {
      const node = nodes?.[index] ?? index;
      this.bodyOf[node] = index;
      const [x, y] = [positions[2 * node]!, positions[2 * node + 1]!];
      const free = pinned[node] === 1 ? Mobility.fixed : (mobility?.[node] ?? Mobility.free);
      const body: Body = { index, node, x, y, radius: topology.radius[node]!, mobility: free };
      if (free === Mobility.fixed) [body.fx, body.fy] = [x, y];
      return body;
    });
    this.simulation = forceSimulation<Body, Link>(this.bodies)
      .stop()
      .alpha(params.alpha ?? (params.warm === true ? WARM_ALPHA : 1))
      .alphaMin(ALPHA_MIN)
      .velocityDecay(0.42)
      .force("charge", forceManyBody<Body>().strength((body) => CHARGE - 14 * body.radius).theta(THETA).distanceMax(CHARGE_REACH))
      .force("link", linkForce(topology, this.bodies, this.bodyOf))
      .force("x", forceX<Body>(0).strength(local ? 0 : GRAVITY_X))
      .force("y", forceY<Body>(0).strength(local ? 0 : GRAVITY_Y));
    if (count <= COLLIDE_UP_TO) {
      this.simulation.force("collide", forceCollide<Body>((body) => body.radius + 8).strength(0.7));
    }
    this.plan(300);
  }

  get alpha(): number {
    return this.simulation.alpha();
  }

  get settled(): boolean {
    return this.simulation.alpha() < ALPHA_MIN && this.held.size === 0;
  }

  /** Cool down so that about `ticks` remain, whatever the machine makes of one. */
  plan(ticks: number): void {
    const alpha = Math.max(ALPHA_MIN * 1.01, this.simulation.alpha());
    this.simulation.alphaDecay(1 - (ALPHA_MIN / alpha) ** (1 / Math.max(1, ticks)));
  }

  tick(): void {
    this.simulation.tick();
    for (const body of this.bodies) {
      if (body.mobility === Mobility.leashed) this.tie(body);
    }
  }

  /** Copy the places of all that took part into the columns. */
  write(positions: Float32Array): void {
    for (const body of this.bodies) {
      // A force gone wrong must not lose a node: the last good place stays.
      if (!Number.isFinite(body.x) || !Number.isFinite(body.y)) continue;
      positions[2 * body.node] = body.x;
      positions[2 * body.node + 1] = body.y;
    }
  }

  pin(node: number, x: number, y: number): void {
    const body = this.bodies[this.bodyOf[node]!];
    if (body === undefined) return;
    [body.x, body.y, body.fx, body.fy] = [x, y, x, y];
    body.mobility = Mobility.fixed;
  }

  unpin(node: number): void {
    const body = this.bodies[this.bodyOf[node]!];
    if (body === undefined) return;
    body.fx = body.fy = null;
    body.mobility = Mobility.free;
  }

  hold(node: number, x: number, y: number): void {
    this.pin(node, x, y);
    const body = this.bodies[this.bodyOf[node]!];
    if (body !== undefined) this.held.add(body);
    this.simulation.alphaTarget(0.25).alpha(Math.max(0.25, this.simulation.alpha()));
  }

  release(): void {
    this.held.clear();
    this.simulation.alphaTarget(0);
    this.plan(60);
  }

  private tie(body: Body): void {
    const ax = this.anchors?.[2 * body.node] ?? body.x;
    const ay = this.anchors?.[2 * body.node + 1] ?? body.y;
    const [dx, dy] = [body.x - ax, body.y - ay];
    const distance = Math.hypot(dx, dy);
    if (distance <= this.leash) return;
    body.x = ax + (dx / distance) * this.leash;
    body.y = ay + (dy / distance) * this.leash;
    body.vx = body.vy = 0;
  }
}

function linkForce(topology: LayoutTopology, bodies: readonly Body[], bodyOf: Int32Array) {
  const degree = new Uint32Array(topology.nodeCount);
  const links: Link[] = [];
  for (let e = 0; e < topology.edgeSource.length; e++) {
    const [s, t] = [topology.edgeSource[e]!, topology.edgeTarget[e]!];
    if (s === t) continue;
    degree[s]!++;
    degree[t]!++;
    const [source, target] = [bodies[bodyOf[s]!], bodies[bodyOf[t]!]];
    if (source !== undefined && target !== undefined) links.push({ source, target, weight: topology.edgeWeight[e]! });
  }
  // As in d3, a link between two hubs is weak, so that stars keep their shape; weight adds a little.
  const strength = (link: Link) =>
    (0.6 + 0.4 * Math.min(1, Math.max(0, link.weight))) / Math.max(1, Math.min(degree[link.source.node]!, degree[link.target.node]!));
  return forceLink<Body, Link>(links)
    .distance((link) => LINK_LENGTH + link.source.radius + link.target.radius)
    .strength(strength);
}

/** What may move, what it is linked to, and the fixed nodes close enough to push it. */
function localNodes(topology: LayoutTopology, positions: Float32Array, mobility: Uint8Array): Uint32Array {
  const member = new Uint8Array(topology.nodeCount);
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < topology.nodeCount; i++) {
    if (mobility[i] === Mobility.fixed) continue;
    member[i] = 1;
    if (mobility[i] !== Mobility.free) continue;
    minX = Math.min(minX, positions[2 * i]!);
    maxX = Math.max(maxX, positions[2 * i]!);
    minY = Math.min(minY, positions[2 * i + 1]!);
    maxY = Math.max(maxY, positions[2 * i + 1]!);
  }
  for (let e = 0; e < topology.edgeSource.length; e++) {
    const [s, t] = [topology.edgeSource[e]!, topology.edgeTarget[e]!];
    if (mobility[s] === Mobility.free) member[t] = 1;
    if (mobility[t] === Mobility.free) member[s] = 1;
  }
  let context = 0;
  for (let i = 0; i < topology.nodeCount && context < CONTEXT_LIMIT; i++) {
    if (member[i] === 1) continue;
    const [x, y] = [positions[2 * i]!, positions[2 * i + 1]!];
    if (x < minX - CONTEXT_REACH || x > maxX + CONTEXT_REACH || y < minY - CONTEXT_REACH || y > maxY + CONTEXT_REACH) continue;
    member[i] = 1;
    context++;
  }
  const nodes: number[] = [];
  member.forEach((is, node) => {
    if (is === 1) nodes.push(node);
  });
  return Uint32Array.from(nodes);
}
