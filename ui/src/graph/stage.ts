import { LabelLayer } from "./labels/labelLayer";
import type { Box } from "./labels/occupancy";
import { Canvas2dRenderer } from "./renderer/canvas2dRenderer";
import type { Renderer } from "./renderer/types";
import { WebglRenderer } from "./renderer/webglRenderer";
import type { Point } from "./types";

const NO_WEBGL = "WebGL 2 is not available here, so the graph is drawn in a simpler way.";
const CONTEXT_GONE = "The graphics driver was reset and did not come back, so the graph is drawn in a simpler way.";
/** A driver that resets comes back within a second or two, or not at all. */
const RESTORE_PATIENCE_MS = 3000;

type StageEvents = {
  /** Whatever was drawn is gone or has another size. */
  stale: () => void;
  resized: (width: number, height: number) => void;
  notice: (text: string) => void;
};

/** The elements on the page: picture, labels, the marquee, the spoken line; and which renderer draws. */
export class Stage {
  readonly root = document.createElement("div");
  readonly labels = new LabelLayer();
  readonly marquee = document.createElement("div");
  private readonly lasso = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  private readonly lassoLine = document.createElementNS("http://www.w3.org/2000/svg", "polygon");
  renderer: Renderer;
  width = 1;
  height = 1;
  dpr = 1;
  private readonly spoken = document.createElement("div");
  /** Stands for the node that has the focus, which is only drawn. */
  private readonly node = document.createElement("div");
  private readonly observer: ResizeObserver;
  private patience = 0;
  private dprLimit = Infinity;

  constructor(
    private readonly container: HTMLElement,
    private readonly events: StageEvents,
  ) {
    Object.assign(this.root.style, { position: "absolute", inset: "0", overflow: "hidden", touchAction: "none", userSelect: "none" });
    this.root.tabIndex = 0;
    this.root.setAttribute("role", "application");
    this.root.setAttribute("aria-label", "Knowledge graph. Tab enters, arrow keys walk to the nearest node, N to the next of its relations, Enter opens.");
    this.spoken.setAttribute("aria-live", "polite");
    this.node.id = "graph-node";
    this.node.setAttribute("role", "img");
    for (const unseen of [this.spoken, this.node]) Object.assign(unseen.style, { position: "absolute", width: "1px", height: "1px", overflow: "hidden", clipPath: "inset(50%)", whiteSpace: "nowrap" });
    Object.assign(this.marquee.style, { position: "absolute", display: "none", pointerEvents: "none", boxSizing: "border-box", borderRadius: "2px" });
    Object.assign(this.lasso.style, { position: "absolute", inset: "0", width: "100%", height: "100%", display: "none", pointerEvents: "none" });
    this.lasso.setAttribute("aria-hidden", "true");
    this.lasso.append(this.lassoLine);
    this.root.append(this.labels.canvas, this.marquee, this.lasso, this.spoken);
    container.append(this.root);
    this.renderer = this.createRenderer();
    this.observer = new ResizeObserver(() => this.measure());
    this.observer.observe(container);
    // A window that goes to a screen of another density keeps its size.
    window.addEventListener("resize", this.measure);
    this.measure();
  }

  /** The node that has the focus, for screen readers: said once the person stops moving, and read in the tree. */
  say(text: string): void {
    this.spoken.textContent = text;
    this.node.setAttribute("aria-label", text);
    if (text === "") {
      this.node.remove();
      this.root.removeAttribute("aria-activedescendant");
    } else {
      this.root.append(this.node);
      this.root.setAttribute("aria-activedescendant", this.node.id);
    }
  }

  /** An outline drawn by hand, closed to where it began; null takes it away. */
  drawLasso(outline: readonly Point[] | null, line: string, fill: string): void {
    this.lasso.style.display = outline === null ? "none" : "block";
    if (outline === null) return;
    this.lassoLine.setAttribute("points", outline.map(({ x, y }) => `${x},${y}`).join(" "));
    Object.assign(this.lassoLine.style, { stroke: line, strokeWidth: "1", fill, fillRule: "evenodd" });
  }

  /** What the page lays over the canvas, such as its legend: elements marked `data-over-canvas`. */
  overlays(): Box[] {
    const { left, top } = this.root.getBoundingClientRect();
    return Array.from(document.querySelectorAll("[data-over-canvas]"), (element) => {
      const box = element.getBoundingClientRect();
      return { x: box.left - left, y: box.top - top, width: box.width, height: box.height };
    });
  }

  /** Keyboard focus on the canvas itself, when no node carries the ring. */
  outline(colour: string | null): void {
    this.root.style.outline = colour === null ? "none" : `2px solid ${colour}`;
    this.root.style.outlineOffset = "-2px";
  }

  /** A machine that cannot keep up draws one pixel per point, however fine its screen. */
  limitDpr(limit: number): void {
    this.dprLimit = limit;
    this.measure();
  }

  measure = (): void => {
    const width = Math.max(1, this.container.clientWidth);
    const height = Math.max(1, this.container.clientHeight);
    const dpr = Math.min(this.dprLimit, Math.max(1, window.devicePixelRatio || 1));
    if (width === this.width && height === this.height && dpr === this.dpr) return;
    [this.width, this.height, this.dpr] = [width, height, dpr];
    this.renderer.resize(width, height, dpr);
    this.labels.resize(width, height, dpr);
    this.events.stale();
    this.events.resized(width, height);
  };

  destroy(): void {
    window.clearTimeout(this.patience);
    this.observer.disconnect();
    window.removeEventListener("resize", this.measure);
    this.renderer.destroy();
    this.root.remove();
  }

  private createRenderer(): Renderer {
    const forced = new URLSearchParams(window.location.search).get("renderer");
    if (forced !== "2d") {
      const canvas = this.newCanvas();
      try {
        return new WebglRenderer(canvas, () => this.waitForRestore(), () => this.restored());
      } catch (error) {
        // A missing context is expected on some machines; a shader that fails to build is worth a line in the log.
        console.warn("WebGL 2 cannot be used", error);
        canvas.remove();
      }
    }
    this.events.notice(NO_WEBGL);
    return new Canvas2dRenderer(this.newCanvas());
  }

  private newCanvas(): HTMLCanvasElement {
    const canvas = document.createElement("canvas");
    canvas.setAttribute("aria-hidden", "true");
    cover(canvas);
    this.root.prepend(canvas);
    return canvas;
  }

  private waitForRestore(): void {
    window.clearTimeout(this.patience);
    this.patience = window.setTimeout(() => {
      this.renderer.destroy();
      this.renderer = new Canvas2dRenderer(this.newCanvas());
      this.renderer.resize(this.width, this.height, this.dpr);
      this.events.notice(CONTEXT_GONE);
      this.events.stale();
    }, RESTORE_PATIENCE_MS);
  }

  private restored(): void {
    window.clearTimeout(this.patience);
    this.events.stale();
  }
}

function cover(canvas: HTMLCanvasElement): void {
  Object.assign(canvas.style, { position: "absolute", inset: "0", width: "100%", height: "100%", display: "block" });
}
