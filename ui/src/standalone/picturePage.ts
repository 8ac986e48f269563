import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY, type Simulation, type SimulationLinkDatum, type SimulationNodeDatum } from "d3-force";
import { cssColour } from "../graph/colour";
import { BEND_STEP, FAN_LIMIT } from "../graph/edgeFan";
import { edgeOpacity } from "../graph/lod";
import { drawnRadius, nodeRadius } from "../graph/sizes";
import { FONT_STACK, THEMES, type Theme } from "../graph/theme";
import { shapePath, typeLooks, type TypeLook } from "../graph/typeLooks";
import { visibleText } from "../graph/text/visibleText";

/** What `crates/gm-picture` writes into the page. */
export type PictureData = {
  title: string;
  theme: "light" | "dark";
  legend: boolean;
  types: string[];
  edgeTypes: string[];
  names: string[];
  typeOf: number[];
  places: number[];
  edges: [source: number, target: number, type: number][];
};

type Body = SimulationNodeDatum & { index: number; x: number; y: number; radius: number; degree: number; name: string; type: number; near: Set<number> };
/** `bend` is the apex of the curve as a share of its length; of a loop, the number of the loop. */
type Line = SimulationLinkDatum<Body> & { source: Body; target: Body; type: number; bend: number };

const PADDING = 56;
const LABEL_FROM = 6;
const FADE = 0.15;
/** Above this, d3 takes longer for a tick than a frame lasts: the picture then only moves where it is dragged. */
const LIVE_UP_TO = 3000;
const CSS = `html,body{margin:0;height:100%;overflow:hidden;font:13px ${FONT_STACK}}canvas{display:block;width:100%;height:100%;outline:none;touch-action:none}
.box{position:fixed;left:16px;border-radius:8px;padding:8px 12px;max-width:min(260px,40vw)}.box h1{margin:0 0 2px;font-size:14px}.box p{margin:0}
.legend{bottom:16px;max-height:50vh;overflow:auto;padding:4px}.legend button{all:unset;display:flex;align-items:center;gap:8px;box-sizing:border-box;width:100%;min-height:24px;padding:0 8px;border-radius:4px;cursor:pointer}
.legend button:focus-visible{outline:2px solid}.legend button[aria-pressed=false]{opacity:.4;text-decoration:line-through}.legend span{flex:1;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}`;

/** Draws the picture and lets it be looked at: pan, zoom, drag, hover, hide types. */
export function show(root: HTMLElement, data: PictureData): void {
  new Page(root, data);
}

/** Relationships between the same two are spread into a fan; loops are numbered. */
function fan(lines: readonly Line[]): void {
  const groups = new Map<string, Line[]>();
  for (const line of lines) {
    const key = [line.source.index, line.target.index].sort((a, b) => a - b).join(" ");
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [line]);
    else group.push(line);
  }
  for (const group of groups.values()) {
    group.forEach((line, at) => {
      const n = Math.min(FAN_LIMIT, group.length);
      const apex = ((at % n) - (n - 1) / 2) * BEND_STEP;
      line.bend = line.source === line.target ? at + 1 : line.source.index < line.target.index ? apex : -apex;
    });
  }
}

class Page {
  private readonly theme: Theme;
  private readonly looks: TypeLook[];
  private readonly bodies: Body[];
  private readonly lines: Line[];
  private readonly canvas = document.createElement("canvas");
  private readonly context = this.canvas.getContext("2d")!;
  private readonly paths: Path2D[];
  private readonly simulation: Simulation<Body, Line> | undefined;
  private readonly hidden = new Set<number>();
  private camera = { x: 0, y: 0, zoom: 1 };
  private hovered: Body | undefined;
  private held: Body | undefined;
  private wanted = false;

  constructor(root: HTMLElement, private readonly data: PictureData) {
    this.theme = THEMES[data.theme];
    this.looks = typeLooks(data.types, this.theme);
    this.paths = this.looks.map((look) => new Path2D(shapePath(look.shape)));
    this.bodies = data.names.map((name, index) => ({ index, name: visibleText(name), type: data.typeOf[index]!, x: data.places[2 * index]!, y: data.places[2 * index + 1]!, radius: 5, degree: 0, near: new Set<number>() }));
    this.lines = data.edges.map(([source, target, type]) => ({ source: this.bodies[source]!, target: this.bodies[target]!, type, bend: 0 }));
    fan(this.lines);
    for (const { source, target } of this.lines) {
      source.degree++;
      if (source !== target) target.degree++;
      source.near.add(target.index);
      target.near.add(source.index);
    }
    for (const body of this.bodies) body.radius = nodeRadius(body.degree);
    if (this.bodies.length <= LIVE_UP_TO) this.simulation = this.simulate();
    this.build(root);
    this.fit();
    this.listen();
  }

  /** The places are settled: forces only answer to a hand. */
  private simulate(): Simulation<Body, Line> {
    return forceSimulation<Body, Line>(this.bodies).stop().alpha(0).alphaMin(0.01).velocityDecay(0.42)
      .force("charge", forceManyBody<Body>().strength((body) => -260 - 14 * body.radius).distanceMax(1200))
      .force("link", forceLink<Body, Line>(this.lines.filter((line) => line.source !== line.target)).distance((line) => 48 + line.source.radius + line.target.radius))
      .force("x", forceX<Body>(0).strength(0.026)).force("y", forceY<Body>(0).strength(0.045))
      .force("collide", forceCollide<Body>((body) => body.radius + 8).strength(0.7))
      .on("tick", () => this.draw());
  }

  private build(root: HTMLElement): void {
    const style = document.createElement("style");
    style.textContent = CSS;
    document.head.append(style);
    root.style.background = cssColour(this.theme.canvas);
    root.style.color = this.theme.labelStrong;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", `${visibleText(this.data.title)}: ${this.bodies.length} entities, ${this.lines.length} relationships`);
    const head = this.box("top:16px");
    const title = document.createElement("h1");
    title.textContent = visibleText(this.data.title);
    const counts = document.createElement("p");
    counts.textContent = `${this.bodies.length.toLocaleString()} entities · ${this.lines.length.toLocaleString()} relationships`;
    counts.style.color = this.theme.labelResting;
    head.append(title, counts);
    const legend = this.box("");
    legend.classList.add("legend");
    const ofType = new Map<number, number>();
    for (const { type } of this.bodies) ofType.set(type, (ofType.get(type) ?? 0) + 1);
    this.data.types.forEach((type, at) => {
      const count = ofType.get(at) ?? 0;
      if (count > 0) legend.append(this.row(type, at, count));
    });
    root.append(this.canvas, head);
    if (this.data.legend) root.append(legend);
  }

  private box(style: string): HTMLElement {
    const box = document.createElement("div");
    box.className = "box";
    box.style.cssText = `${style};background:${this.theme.plate};border:1px solid ${this.theme.plateBorder}`;
    return box;
  }

  private row(type: string, at: number, count: number): HTMLElement {
    const row = document.createElement("button");
    const look = this.looks[at]!;
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    for (const [name, value] of [["viewBox", "0 0 24 24"], ["width", "12"], ["height", "12"]] as const) svg.setAttribute(name, value);
    path.setAttribute("d", shapePath(look.shape));
    path.setAttribute("fill", cssColour(look.colour));
    svg.append(path);
    const name = document.createElement("span");
    name.textContent = visibleText(type);
    const number = document.createElement("small");
    number.textContent = count.toLocaleString();
    row.append(svg, name, number);
    row.ariaPressed = "true";
    row.onclick = () => {
      if (!this.hidden.delete(at)) this.hidden.add(at);
      row.ariaPressed = String(!this.hidden.has(at));
      this.draw();
    };
    return row;
  }

  private fit(): void {
    const { innerWidth: width, innerHeight: height } = window;
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const { x, y } of this.bodies) [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
    if (left > right) return;
    const zoom = Math.min((width - 2 * PADDING) / Math.max(1, right - left), (height - 2 * PADDING) / Math.max(1, bottom - top), 1.6);
    this.camera = { x: (left + right) / 2, y: (top + bottom) / 2, zoom: Math.max(1e-4, zoom) };
    this.draw();
  }

  private toScreen(body: { x: number; y: number }): [number, number] {
    const { x, y, zoom } = this.camera;
    return [(body.x - x) * zoom + window.innerWidth / 2, (body.y - y) * zoom + window.innerHeight / 2];
  }

  private toGraph(px: number, py: number): [number, number] {
    const { x, y, zoom } = this.camera;
    return [(px - window.innerWidth / 2) / zoom + x, (py - window.innerHeight / 2) / zoom + y];
  }

  private at(px: number, py: number): Body | undefined {
    let [best, nearest]: [Body | undefined, number] = [undefined, Infinity];
    for (const body of this.bodies) {
      if (this.hidden.has(body.type)) continue;
      const [x, y] = this.toScreen(body);
      const distance = Math.hypot(x - px, y - py) - Math.max(12, drawnRadius(body.radius, this.camera.zoom));
      if (distance < Math.min(0, nearest)) [best, nearest] = [body, distance];
    }
    return best;
  }

  private listen(): void {
    const { canvas } = this;
    let last: [number, number] | undefined;
    window.addEventListener("resize", () => this.draw());
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(1.2 ** (-Math.sign(event.deltaY) * Math.min(1, Math.abs(event.deltaY) / 50)), event.clientX, event.clientY);
    }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      last = [event.clientX, event.clientY];
      this.held = this.at(event.clientX, event.clientY);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (last === undefined) {
        const hovered = this.at(event.clientX, event.clientY);
        if (hovered !== this.hovered) {
          this.hovered = hovered;
          canvas.style.cursor = hovered === undefined ? "" : "pointer";
          this.draw();
        }
        return;
      }
      const [dx, dy] = [event.clientX - last[0], event.clientY - last[1]];
      last = [event.clientX, event.clientY];
      const { held } = this;
      if (held !== undefined) {
        [held.x, held.y] = this.toGraph(event.clientX, event.clientY);
        [held.fx, held.fy] = [held.x, held.y];
        this.simulation?.alphaTarget(0.15).restart();
      } else {
        this.camera.x -= dx / this.camera.zoom;
        this.camera.y -= dy / this.camera.zoom;
      }
      this.draw();
    });
    const release = () => {
      last = undefined;
      this.held = undefined;
      this.simulation?.alphaTarget(0);
    };
    canvas.addEventListener("pointerup", release);
    canvas.addEventListener("pointercancel", release);
    canvas.addEventListener("dblclick", () => this.fit());
    canvas.addEventListener("keydown", (event) => {
      const step = 60 / this.camera.zoom;
      const moves: Record<string, [number, number]> = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
      const move = moves[event.key];
      if (move !== undefined) {
        this.camera.x += move[0];
        this.camera.y += move[1];
        this.draw();
      } else if (event.key === "+" || event.key === "=") this.zoom(1.5, window.innerWidth / 2, window.innerHeight / 2);
      else if (event.key === "-") this.zoom(1 / 1.5, window.innerWidth / 2, window.innerHeight / 2);
      else if (event.key === "0") this.fit();
    });
  }

  private zoom(factor: number, px: number, py: number): void {
    const [x, y] = this.toGraph(px, py);
    const zoom = Math.min(8, Math.max(1e-4, this.camera.zoom * factor));
    this.camera = { zoom, x: x - (px - window.innerWidth / 2) / zoom, y: y - (py - window.innerHeight / 2) / zoom };
    this.draw();
  }

  private draw(): void {
    if (this.wanted) return;
    this.wanted = true;
    requestAnimationFrame(() => {
      this.wanted = false;
      this.paint();
    });
  }

  private isFaded(body: Body): boolean {
    return this.hovered !== undefined && body !== this.hovered && !this.hovered.near.has(body.index);
  }

  private paint(): void {
    const { canvas, context, camera, theme } = this;
    const dpr = window.devicePixelRatio;
    const [width, height] = [window.innerWidth, window.innerHeight];
    if (canvas.width !== Math.round(width * dpr) || canvas.height !== Math.round(height * dpr)) {
      canvas.width = Math.round(width * dpr);
      canvas.height = Math.round(height * dpr);
    }
    context.setTransform(dpr, 0, 0, dpr, 0, 0);
    context.fillStyle = cssColour(theme.canvas);
    context.fillRect(0, 0, width, height);
    const lines = this.lines.filter(({ source, target }) => !this.hidden.has(source.type) && !this.hidden.has(target.type));
    const opacity = edgeOpacity(lines.length);
    context.lineWidth = Math.min(2, Math.max(0.65, 1.2 * camera.zoom ** 0.3));
    for (const lit of [false, true]) {
      context.strokeStyle = cssColour(lit ? theme.edgeLit : theme.edge, lit ? 1 : this.hovered === undefined ? opacity : opacity * 0.35);
      context.beginPath();
      for (const line of lines) {
        if ((line.source === this.hovered || line.target === this.hovered) === lit) this.line(line);
      }
      context.stroke();
    }
    const drawn = this.bodies.filter((body) => !this.hidden.has(body.type));
    for (const body of drawn) this.dot(body);
    context.globalAlpha = 1;
    this.labels(drawn);
  }

  private line({ source, target, bend }: Line): void {
    const [ax, ay] = this.toScreen(source);
    const [bx, by] = this.toScreen(target);
    const { context, camera } = this;
    if (source === target) {
      const r = drawnRadius(source.radius, camera.zoom);
      const ring = 5 + 3 * bend;
      context.moveTo(ax + ring, ay - r - ring);
      context.arc(ax, ay - r - ring, ring, 0, 2 * Math.PI);
      return;
    }
    context.moveTo(ax, ay);
    // A quadratic curve's apex lies half way to its control point.
    const [cx, cy] = [(ax + bx) / 2 - (by - ay) * bend * 2, (ay + by) / 2 + (bx - ax) * bend * 2];
    context.quadraticCurveTo(cx, cy, bx, by);
    if (camera.zoom < 0.5) return;
    const length = Math.hypot(bx - cx, by - cy);
    if (length < 10) return;
    const [dx, dy] = [(bx - cx) / length, (by - cy) / length];
    const r = drawnRadius(target.radius, camera.zoom) + 1;
    const [tx, ty] = [bx - dx * r, by - dy * r];
    context.moveTo(tx - dx * 7 - dy * 2.5, ty - dy * 7 + dx * 2.5);
    context.lineTo(tx, ty);
    context.lineTo(tx - dx * 7 + dy * 2.5, ty - dy * 7 - dx * 2.5);
  }

  private dot(body: Body): void {
    const { context } = this;
    const [x, y] = this.toScreen(body);
    const r = drawnRadius(body.radius, this.camera.zoom);
    if (x < -r || y < -r || x > window.innerWidth + r || y > window.innerHeight + r) return;
    context.globalAlpha = this.isFaded(body) ? FADE : 1;
    context.save();
    context.translate(x, y);
    context.scale(r / 9, r / 9);
    context.translate(-12, -12);
    context.fillStyle = cssColour(this.looks[body.type]!.colour);
    context.fill(this.paths[body.type]!);
    context.restore();
  }

  private labels(drawn: readonly Body[]): void {
    const { context, theme, hovered } = this;
    context.font = `12px ${FONT_STACK}`;
    context.textAlign = "center";
    context.textBaseline = "top";
    context.lineJoin = "round";
    const taken: [number, number, number, number][] = [];
    const ranked = drawn.filter((body) => !this.isFaded(body)).sort((a, b) => Number(b === hovered) - Number(a === hovered) || b.degree - a.degree).slice(0, 400);
    for (const body of ranked) {
      const r = drawnRadius(body.radius, this.camera.zoom);
      if (r < LABEL_FROM && drawn.length > 140 && hovered === undefined) continue;
      const text = body.name.length > 24 ? `${body.name.slice(0, 12)}…${body.name.slice(-11)}` : body.name;
      const [x, y] = this.toScreen(body);
      if (x < 0 || y < 0 || x > window.innerWidth || y > window.innerHeight) continue;
      const half = context.measureText(text).width / 2;
      const box: [number, number, number, number] = [x - half, y + r + 3, x + half, y + r + 18];
      if (taken.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3])) continue;
      taken.push(box);
      context.strokeStyle = theme.halo;
      context.lineWidth = 3;
      context.strokeText(text, x, y + r + 3);
      context.fillStyle = body === hovered || r >= 9 ? theme.labelStrong : theme.labelResting;
      context.fillText(text, x, y + r + 3);
    }
  }
}
