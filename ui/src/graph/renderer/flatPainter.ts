import { toScreen } from "../camera";
import { cssColour, mix, type Rgb } from "../colour";
import { BUNDLED_AWAY } from "../edgeFan";
import { drawnRadius, edgeWidth } from "../sizes";
import { FONT_STACK } from "../theme";
import type { TypeShape } from "../types";
import type { DrawFrame } from "./types";

/** Above this many edges on screen heads are left out: here each costs a path of its own. */
const ARROW_LIMIT = 1500;

/** Edges, nodes and rings through the 2D canvas: every line of a layer in one path, and nothing that is off screen. */
export class FlatPainter {
  private readonly projection: Projection;

  constructor(
    private readonly context: CanvasRenderingContext2D,
    private readonly frame: DrawFrame,
  ) {
    this.projection = new Projection(frame);
    context.setTransform(frame.dpr, 0, 0, frame.dpr, 0, 0);
    context.globalAlpha = 1;
  }

  clear(): void {
    const { context, frame } = this;
    context.fillStyle = cssColour(frame.theme.canvas);
    context.fillRect(0, 0, frame.view.width, frame.view.height);
  }

  all(): void {
    const { columns, theme, edgeOpacity, fade, arrowOpacity, order } = this.frame;
    this.lines(columns.edgeCount, (at) => at, theme.edge, edgeOpacity * fade, arrowOpacity);
    if (!this.frame.litOver) this.litEdges();
    this.nodes(order, fade);
    if (this.frame.litOver) this.litEdges();
    this.litNodes();
    this.rings();
  }

  litEdges(): void {
    for (const layer of this.frame.lit) this.lines(layer.edges.length, (at) => layer.edges[at]!, layer.colour, 1, 1);
  }

  litNodes(): void {
    for (const layer of this.frame.lit) this.nodes(layer.nodes, 1);
  }

  private lines(count: number, edgeAt: (at: number) => number, colour: Rgb, opacity: number, arrows: number): void {
    if (opacity <= 0) return;
    const { context, frame, projection } = this;
    const { columns, fan, typeAlpha } = frame;
    const heads: [x: number, y: number, dx: number, dy: number][] = [];
    context.strokeStyle = cssColour(colour, opacity);
    context.beginPath();
    for (let at = 0; at < count; at++) {
      const edge = edgeAt(at);
      const [s, t] = [fan.source[edge]!, fan.target[edge]!];
      const bend = fan.bend[edge]!;
      if (bend <= BUNDLED_AWAY / 2 || !projection.sees(s, t)) continue;
      if ((typeAlpha[columns.typeOf[s]!] ?? 1) < 0.5 || (typeAlpha[columns.typeOf[t]!] ?? 1) < 0.5) continue;
      const [ax, ay, bx, by] = [projection.x(s), projection.y(s), projection.x(t), projection.y(t)];
      if (s === t) {
        const radius = projection.radius(s);
        context.moveTo(ax + 7, ay - radius - 5);
        context.arc(ax, ay - radius - 5, 7 + 4 * (bend - 1), 0, 2 * Math.PI);
        continue;
      }
      const [cx, cy] = [(ax + bx) / 2 + (by - ay) * bend * 2, (ay + by) / 2 - (bx - ax) * bend * 2];
      const length = Math.hypot(bx - cx, by - cy);
      const stop = projection.radius(t) + 1.5;
      const [dx, dy] = [(bx - cx) / length, (by - cy) / length];
      context.moveTo(ax, ay);
      if (bend === 0) context.lineTo(bx - dx * stop, by - dy * stop);
      else context.quadraticCurveTo(cx, cy, bx - dx * stop, by - dy * stop);
      if (arrows > 0 && heads.length <= ARROW_LIMIT && length > stop * 1.5) heads.push([bx - dx * stop, by - dy * stop, dx, dy]);
    }
    context.lineWidth = Math.max(0.6, edgeWidth(columns.edgeCount > 0 ? columns.edgeWeight[edgeAt(0)]! : 1) * frame.edgeWidthScale);
    context.stroke();
    if (heads.length > ARROW_LIMIT) return;
    context.fillStyle = cssColour(colour, opacity * arrows);
    context.beginPath();
    for (const [x, y, dx, dy] of heads) {
      context.moveTo(x, y);
      context.lineTo(x - dx * 7 - dy * 2.8, y - dy * 7 + dx * 2.8);
      context.lineTo(x - dx * 7 + dy * 2.8, y - dy * 7 - dx * 2.8);
    }
    context.fill();
  }

  private nodes(list: Uint32Array, fade: number): void {
    const { context, frame, projection } = this;
    const { columns, looks, theme, typeAlpha } = frame;
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (const node of list) {
      const alpha = typeAlpha[columns.typeOf[node]!] ?? 1;
      if (alpha <= 0 || !projection.sees(node, node)) continue;
      const look = looks[columns.typeOf[node]!] ?? looks[looks.length - 1]!;
      const [x, y, radius] = [projection.x(node), projection.y(node), projection.radius(node)];
      context.globalAlpha = alpha;
      if (radius > 2.5) {
        context.fillStyle = cssColour(theme.canvas);
        trace(context, look.shape, x, y, radius + 1);
      }
      context.fillStyle = cssColour(mix(theme.canvas, look.colour, fade));
      trace(context, look.shape, x, y, radius);
      if (columns.pinned[node] === 1) {
        context.fillStyle = cssColour(theme.canvas);
        trace(context, "circle", x, y, Math.max(1.3, radius * 0.3));
      } else if (frame.letters && radius >= 9.9) {
        context.fillStyle = cssColour(mix(theme.canvas, look.ink, fade));
        context.font = `600 ${Math.round(radius)}px ${FONT_STACK}`;
        context.fillText(look.icon, x, y, radius * 1.6);
      }
    }
    context.globalAlpha = 1;
  }

  rings(): void {
    const { context, projection } = this;
    for (const ring of this.frame.rings) {
      context.strokeStyle = cssColour(ring.colour, ring.opacity);
      context.lineWidth = ring.width;
      context.setLineDash(ring.dashed ? [4, 3] : []);
      context.beginPath();
      context.arc(projection.x(ring.node), projection.y(ring.node), projection.radius(ring.node) + ring.gap + ring.width / 2, 0, 2 * Math.PI);
      context.stroke();
    }
    context.setLineDash([]);
  }
}

class Projection {
  private readonly positions: Float32Array;
  private readonly radii: Float32Array;
  private readonly zoom: number;
  private readonly originX: number;
  private readonly originY: number;

  constructor(private readonly frame: DrawFrame) {
    this.positions = frame.columns.positions;
    this.radii = frame.columns.radius;
    this.zoom = frame.camera.zoom;
    const origin = toScreen(frame.camera, frame.view, 0, 0);
    this.originX = origin.x;
    this.originY = origin.y;
  }

  x(node: number): number {
    return this.positions[2 * node]! * this.zoom + this.originX;
  }

  y(node: number): number {
    return this.positions[2 * node + 1]! * this.zoom + this.originY;
  }

  radius(node: number): number {
    return drawnRadius(this.radii[node]!, this.zoom);
  }

  /** Whether the box between two nodes touches the canvas. */
  sees(a: number, b: number): boolean {
    const margin = 30;
    const { width, height } = this.frame.view;
    const [ax, ay, bx, by] = [this.x(a), this.y(a), this.x(b), this.y(b)];
    return Math.max(ax, bx) > -margin && Math.min(ax, bx) < width + margin && Math.max(ay, by) > -margin && Math.min(ay, by) < height + margin;
  }
}

const POLYGONS: Partial<Record<TypeShape, readonly (readonly [number, number])[]>> = {
  square: [[-0.88, -0.88], [0.88, -0.88], [0.88, 0.88], [-0.88, 0.88]],
  diamond: [[0, -1.15], [1.15, 0], [0, 1.15], [-1.15, 0]],
  triangle: [[0, -1.2], [1.04, 0.62], [-1.04, 0.62]],
  hexagon: [[-0.54, -0.93], [0.54, -0.93], [1.07, 0], [0.54, 0.93], [-0.54, 0.93], [-1.07, 0]],
  plus: [[-0.36, -1], [0.36, -1], [0.36, -0.36], [1, -0.36], [1, 0.36], [0.36, 0.36], [0.36, 1], [-0.36, 1], [-0.36, 0.36], [-1, 0.36], [-1, -0.36], [-0.36, -0.36]],
};

function trace(context: CanvasRenderingContext2D, shape: TypeShape, x: number, y: number, radius: number): void {
  context.beginPath();
  const polygon = POLYGONS[shape];
  if (polygon === undefined) context.arc(x, y, radius, 0, 2 * Math.PI);
  else polygon.forEach(([px, py]) => context.lineTo(x + px * radius, y + py * radius));
  context.fill();
}
