import { FlatPainter } from "./flatPainter";
import type { DrawFrame, Renderer } from "./types";

/** The same picture through the 2D canvas, for machines without WebGL 2. Plainer on purpose. */
export class Canvas2dRenderer implements Renderer {
  readonly kind = "canvas2d";
  private readonly context: CanvasRenderingContext2D;

  constructor(readonly canvas: HTMLCanvasElement) {
    const context = canvas.getContext("2d", { alpha: false });
    if (context === null) throw new Error("no 2D canvas");
    this.context = context;
  }

  resize(width: number, height: number, dpr: number): void {
    this.canvas.width = Math.max(1, Math.round(width * dpr));
    this.canvas.height = Math.max(1, Math.round(height * dpr));
  }

  draw(frame: DrawFrame): void {
    const painter = new FlatPainter(this.context, frame);
    painter.clear();
    painter.all();
    const { dirty } = frame.columns;
    dirty.nodes.clear();
    dirty.positions.clear();
    dirty.edges.clear();
    dirty.types = false;
  }

  finish(): void {
    this.context.getImageData(0, 0, 1, 1);
  }

  destroy(): void {
    this.canvas.remove();
  }
}
