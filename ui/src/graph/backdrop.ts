import { viewCentre, type Camera, type Viewport } from "./camera";
import type { DrawFrame, Renderer } from "./renderer/types";

/**
 * Decides when the picture is really drawn. It is skipped when nothing in it changed. On a machine where drawing takes
 * longer than a frame (software GL, above all), the picture last drawn becomes a backdrop: while the camera moves the
 * page shifts and scales it, what is lit or ringed is drawn over it, and it is drawn anew when the camera rests.
 */
const SLOW_DRAW_MS = 28;
/** The first draw compiles shaders; of the next few, timed to their end, the fastest is what the machine can do. */
const WARM_UP_DRAWS = 1;
const TIMED_DRAWS = 2;
/** While the camera moves on, the backdrop is renewed this often at most, and only if much of the canvas is bare. */
const RENEW_MS = 450;
const RENEW_BARE = 0.18;
const RENEW_SCALE = 2;

/** One and the same, because frames are compared by identity. */
const NOTHING: never[] = [];

type Drawn = { camera: Camera; view: Viewport; content: unknown[]; economy: boolean; at: number };

export class Backdrop {
  /** Drawing cannot keep up here; for good, because a machine does not get faster. */
  slow = false;
  private drawn: Drawn | undefined;
  private draws = 0;
  private fastest = Infinity;

  constructor(private readonly becameSlow: () => void) {}

  /** The next `show` draws, whatever it is told. */
  invalidate(): void {
    this.drawn = undefined;
  }

  /** What is left for the layer above the backdrop to draw: lit and ringed things, if the backdrop is without them. */
  show(frame: DrawFrame, renderer: Renderer, cameraMoving: boolean, now: number): DrawFrame | null {
    const base: DrawFrame = this.slow ? { ...frame, lit: NOTHING, rings: NOTHING, fade: 1 } : frame;
    renderer.canvas.style.opacity = this.slow && frame.fade < 1 ? String(frame.fade) : "";
    const content = contentOf(base);
    const { drawn } = this;
    const same = drawn !== undefined && !isDirty(base) && content.every((value, at) => value === drawn.content[at]);
    if (same && this.slow && cameraMoving && !this.needsRenewal(drawn, base, now)) place(renderer.canvas, drawn, base);
    else if (!same || !sameCamera(drawn, base) || (drawn.economy && !cameraMoving)) this.draw(base, renderer, content, cameraMoving, now);
    else place(renderer.canvas, drawn, base);
    return this.slow ? frame : null;
  }

  private draw(frame: DrawFrame, renderer: Renderer, content: unknown[], moving: boolean, now: number): void {
    const economy = this.slow && moving;
    const timed = !this.slow && this.draws >= WARM_UP_DRAWS && this.draws < WARM_UP_DRAWS + TIMED_DRAWS;
    this.draws++;
    if (timed) renderer.finish();
    const started = performance.now();
    renderer.draw({ ...frame, economy });
    if (timed) renderer.finish();
    this.fastest = Math.min(this.fastest, timed ? performance.now() - started : Infinity);
    this.drawn = { camera: frame.camera, view: frame.view, content, economy, at: now };
    renderer.canvas.style.transform = "";
    if (timed && this.draws === WARM_UP_DRAWS + TIMED_DRAWS && this.fastest > SLOW_DRAW_MS) this.declareSlow();
  }

  /** Another graph may be too much where this one was not: look again. */
  reassess(): void {
    this.draws = 0;
    this.fastest = Infinity;
  }

  declareSlow(): void {
    this.slow = true;
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

function place(canvas: HTMLCanvasElement, drawn: Drawn, frame: DrawFrame): void {
  const { scale, x, y } = shift(drawn, frame);
  canvas.style.transformOrigin = "0 0";
  canvas.style.transform = scale === 1 && x === 0 && y === 0 ? "" : `translate(${x}px, ${y}px) scale(${scale})`;
}
