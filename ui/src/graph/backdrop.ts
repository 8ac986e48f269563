import { viewCentre, type Camera, type Viewport } from "./camera";
import type { DrawFrame, LitLayer, Renderer } from "./renderer/types";

/**
 * Decides when the picture is really drawn. It is skipped when nothing in it changed. On a machine where drawing takes
 * longer than a frame (software GL, above all), the picture last drawn becomes a backdrop: it is copied under the
 * labels, shifted and scaled while the camera moves, what is lit or ringed is drawn over it, and it is drawn anew when
 * the camera rests. One layer on the page instead of two: there the page itself is put together in software as well.
 */
const SLOW_DRAW_MS = 16;
/**
 * The machine is judged by draws right after a load, timed to their end, before the person begins to move the camera.
 * The first compiles shaders, so it counts only if it is hopeless; of the others the fastest counts.
 */
const JUDGED_DRAWS = 3;
const HOPELESS_MS = 700;
/** A picture this small is quick to draw on anything. */
const JUDGED_FROM = 150;

/** While the camera moves on, the backdrop is renewed this often at most, and only if much of the canvas is bare. */
const RENEW_MS = 450;
const RENEW_BARE = 0.3;
const RENEW_SCALE = 2;

/** One and the same, because frames are compared by identity. */
const NOTHING: never[] = [];

const MOST_DRAWN_OVER = 3000;

/** The picture to begin with, how faint, and what belongs over it. */
export type Underlay = { paint: (context: CanvasRenderingContext2D) => void; fade: number; over: DrawFrame | null };

type Drawn = { camera: Camera; view: Viewport; content: unknown[]; economy: boolean; at: number };

export class Backdrop {
  /** Drawing cannot keep up here; for good, because a machine does not get faster. */
  slow = false;
  /** Another frame is wanted to find out what drawing takes here. */
  judging = false;
  private drawn: Drawn | undefined;
  private apartNow: { lit: readonly LitLayer[]; rest: readonly LitLayer[] } | undefined;
  private draws = 0;
  private fastest = Infinity;
  private readonly copy = document.createElement("canvas");
  private readonly copied = this.copy.getContext("2d", { alpha: false, willReadFrequently: true });
  /** Grows with every real drawing. */
  serial = 0;

  constructor(private readonly becameSlow: () => void) {}

  /** The next `show` draws, whatever it is told. */
  invalidate(): void {
    this.drawn = undefined;
  }

  /** What the layer above has to begin with, where it is the only one on the page; null where it is not. */
  show(frame: DrawFrame, renderer: Renderer, cameraMoving: boolean, now: number): Underlay | null {
    // Thousands of lit things are drawn faster with the rest than one by one over it.
    const lit = this.withoutUnder(frame);
    const apart = this.slow && litCount(lit, frame.rings) <= MOST_DRAWN_OVER;
    const base: DrawFrame = apart ? { ...frame, lit: frame.under, litOver: false, rings: NOTHING, fade: frame.underFade } : frame;
    const content = contentOf(base);
    const { drawn } = this;
    const same = drawn !== undefined && !isDirty(base) && content.every((value, at) => value === drawn.content[at]);
    const carry = same && this.slow && cameraMoving && !this.needsRenewal(drawn, base, now);
    if (!carry && (!same || !sameCamera(drawn, base) || (drawn.economy && !cameraMoving) || this.judging)) {
      this.draw(base, renderer, content, cameraMoving, now);
    }
    renderer.canvas.style.visibility = this.slow ? "hidden" : "";
    if (!this.slow) return null;
    // What belongs to the picture is in the copy; what is faded in it already is not faded twice.
    const over = { ...frame, lit };
    return { paint: (context) => this.paintUnder(context, base), fade: apart ? Math.min(1, frame.fade / frame.underFade) : 1, over: apart ? over : null };
  }

  /** The same array for the same layers, as frames are compared by identity. */
  private withoutUnder({ lit, under }: DrawFrame): readonly LitLayer[] {
    if (under.length === 0) return lit;
    if (this.apartNow?.lit !== lit) this.apartNow = { lit, rest: lit.filter((layer) => !under.includes(layer)) };
    return this.apartNow.rest;
  }

  private paintUnder(context: CanvasRenderingContext2D, frame: DrawFrame): void {
    if (this.drawn === undefined) return;
    const { scale, x, y } = shift(this.drawn, frame);
    const { dpr } = frame;
    context.setTransform(scale, 0, 0, scale, x * dpr, y * dpr);
    context.drawImage(this.copy, 0, 0);
  }

  private draw(frame: DrawFrame, renderer: Renderer, content: unknown[], moving: boolean, now: number): void {
    const economy = this.slow && moving;
    const { judging } = this;
    const started = performance.now();
    renderer.draw({ ...frame, economy });
    this.drawn = { camera: frame.camera, view: frame.view, content, economy, at: now };
    this.serial++;
    if (this.slow) this.keep(renderer.canvas);
    if (frame.columns.nodeCount < JUDGED_FROM) this.judging = false;
    if (!judging || !this.judging) return;
    renderer.finish();
    this.judge(performance.now() - started);
  }

  /** In the same task as the drawing: afterwards the browser may take the picture away. */
  private keep(canvas: HTMLCanvasElement): void {
    if (this.copy.width !== canvas.width || this.copy.height !== canvas.height) {
      this.copy.width = canvas.width;
      this.copy.height = canvas.height;
    }
    this.copied?.drawImage(canvas, 0, 0);
  }

  private judge(took: number): void {
    this.draws++;
    if (this.draws > 1) this.fastest = Math.min(this.fastest, took);
    const slow = took > HOPELESS_MS || (this.draws === JUDGED_DRAWS && this.fastest > SLOW_DRAW_MS);
    this.judging = !slow && this.draws < JUDGED_DRAWS && this.fastest > SLOW_DRAW_MS;
    if (slow) this.declareSlow();
  }

  /** Another graph may be too much where this one was not: look again. */
  reassess(): void {
    this.draws = 0;
    this.fastest = Infinity;
    this.judging = !this.slow;
  }

  declareSlow(): void {
    this.slow = true;
    this.judging = false;
    this.drawn = undefined;
    this.becameSlow();
  }

  private needsRenewal(drawn: Drawn, frame: DrawFrame, now: number): boolean {
    if (now - drawn.at < RENEW_MS) return false;
    const { scale, x, y } = shift(drawn, frame);
    if (scale > RENEW_SCALE || scale < 1 / RENEW_SCALE) return true;
    const { width, height } = frame.view;
    const coveredX = Math.max(0, Math.min(width, x + width * scale) - Math.max(0, x));
    const coveredY = Math.max(0, Math.min(height, y + height * scale) - Math.max(0, y));
    return 1 - (coveredX * coveredY) / (width * height) > RENEW_BARE;
  }
}

function litCount(lit: readonly LitLayer[], rings: DrawFrame["rings"]): number {
  return lit.reduce((sum, layer) => sum + layer.nodes.length + layer.edges.length, rings.length);
}

/** Everything in the picture that is not the camera; arrays are compared by identity. */
function contentOf(frame: DrawFrame): unknown[] {
  return [
    frame.theme, frame.looks, frame.fan, frame.order, frame.lit, frame.litOver && frame.lit.length > 0, frame.rings, frame.fade,
    frame.typeAlpha.join(), frame.dpr, frame.view.width, frame.view.height,
  ];
}

function isDirty({ columns: { dirty } }: DrawFrame): boolean {
  return !dirty.nodes.empty || !dirty.positions.empty || !dirty.edges.empty || dirty.types;
}

function sameCamera(drawn: Drawn, { camera, view }: DrawFrame): boolean {
  const before = drawn.camera;
  return before.x === camera.x && before.y === camera.y && before.zoom === camera.zoom && viewCentre(drawn.view).x === viewCentre(view).x;
}

/** How the picture drawn with one camera lies under another. */
function shift(drawn: Drawn, { camera, view }: Pick<DrawFrame, "camera" | "view">): { scale: number; x: number; y: number } {
  const scale = camera.zoom / drawn.camera.zoom;
  const [before, after] = [viewCentre(drawn.view), viewCentre(view)];
  return {
    scale,
    x: (drawn.camera.x - camera.x) * camera.zoom + after.x - before.x * scale,
    y: (drawn.camera.y - camera.y) * camera.zoom + after.y - before.y * scale,
  };
}
