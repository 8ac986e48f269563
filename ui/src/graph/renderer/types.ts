import type { Camera, Viewport } from "../camera";
import type { Rgb } from "../colour";
import type { SceneColumns } from "../columns";
import type { EdgeFan } from "../edgeFan";
import type { Theme } from "../theme";
import type { TypeLook } from "../typeLooks";

/** A ring round a node: selection, keyboard focus, a change that just came in. */
export type Ring = { node: number; colour: Rgb; opacity: number; gap: number; width: number; dashed: boolean };

/** Nodes and edges drawn at full strength over the rest, with the colour their edges take. */
export type LitLayer = { nodes: Uint32Array; edges: Uint32Array; colour: Rgb };

/** Everything a renderer needs to draw one picture; it decides nothing about what is shown. */
export type DrawFrame = {
  camera: Camera;
  view: Viewport;
  dpr: number;
  theme: Theme;
  looks: readonly TypeLook[];
  columns: SceneColumns;
  fan: EdgeFan;
  /** Nodes by rising importance, the drawing order. */
  order: Uint32Array;
  /** Opacity per entity type: less than 1 while a type is being hidden. */
  typeAlpha: readonly number[];
  /** 1 when nothing is faded. */
  fade: number;
  lit: readonly LitLayer[];
  /** The lit edges lie over the (faded) nodes; otherwise nodes cover them as they cover all edges. */
  litOver: boolean;
  /** Of the lit layers, those that belong to the picture itself, and how faint the rest of it is beside them. */
  under: readonly LitLayer[];
  underFade: number;
  rings: readonly Ring[];
  edgeOpacity: number;
  edgeWidthScale: number;
  /** 0 hides the heads; between, they fade in. */
  arrowOpacity: number;
  letters: boolean;
  /** Drawing cannot keep up: fewer effects until the picture rests. */
  economy: boolean;
};

export type Renderer = {
  readonly kind: "webgl2" | "canvas2d";
  readonly canvas: HTMLCanvasElement;
  resize(width: number, height: number, dpr: number): void;
  draw(frame: DrawFrame): void;
  /** Wait until everything asked for is on the canvas: to find out what drawing really takes. */
  finish(): void;
  destroy(): void;
};
