import type { Bounds, Camera, Viewport } from "./camera";

/** What a zoom level shows: smooth between the levels, so that nothing pops while the wheel turns. */
export type LevelOfDetail = {
  edgeOpacity: number;
  arrowOpacity: number;
  letters: boolean;
  /** Drawn radius from which a dot earns a label by itself. */
  labelFromRadius: number;
  /** Side of the squares of which each gets at least one label. */
  labelCell: number;
  edgeLabels: boolean;
};

const FULL_UP_TO = 300;
const FAINT_FROM = 5000;
const FAINT = 0.3;
/** A hundred thousand lines at a third each would still be a solid block. */
const FAINTEST = 0.1;
const FAINTEST_FROM = 60_000;

/** Opacity of one edge among `visible` many; sliding on the logarithm, as the eye counts. */
export function edgeOpacity(visible: number): number {
  if (visible <= FULL_UP_TO) return 1;
  if (visible <= FAINT_FROM) return slide(visible, FULL_UP_TO, FAINT_FROM, 1, FAINT);
  return slide(Math.min(visible, FAINTEST_FROM), FAINT_FROM, FAINTEST_FROM, FAINT, FAINTEST);
}

function slide(value: number, from: number, to: number, start: number, end: number): number {
  return start + (end - start) * (Math.log(value / from) / Math.log(to / from));
}

/** How many nodes are on screen, judged by area: it depends on zoom alone, so panning changes no label. */
export function visibleNodes(shown: number, camera: Camera, view: Viewport, bounds: Bounds | null): number {
  return bounds === null ? shown : shown * shareOf(camera, view, bounds) ** 0.8;
}

/**
 * How many edges cross the screen: of lines of a mean length that lie anywhere in the picture, in any direction, a
 * window meets those whose middle is in it or near enough (Crofton; the window's area, and its edges times the
 * length). Where edges are long, a small window is full of lines that only pass.
 */
export function visibleEdges(shown: number, meanLength: number, camera: Camera, view: Viewport, bounds: Bounds | null): number {
  if (bounds === null) return shown;
  const [width, height] = [view.width / camera.zoom, view.height / camera.zoom];
  const met = width * height + (2 / Math.PI) * meanLength * (width + height);
  return shown * Math.min(1, met / areaOf(bounds));
}

/** Layers of ink at which lines still let the ground, and each other, be seen. */
const INK = 0.55;
/** However many there are, what they are of must be guessed at. */
const LEAST_OPACITY = 0.07;
/** Pixels of a line's width. */
const LINE_PX = 1.2;

/** How much denser than on average a graph is where one looks closely: in its middle. */
const DENSER = 4;

/** How many lines lie over each pixel: their length on screen, and how wide they are drawn. */
export function edgeLayers(shown: number, meanLength: number, camera: Camera, view: Viewport, bounds: Bounds | null): number {
  if (bounds === null) return 0;
  const share = shareOf(camera, view, bounds);
  const density = share + DENSER * (1 - share);
  return (density * shown * meanLength * LINE_PX) / (areaOf(bounds) * camera.zoom);
}

/** How much of the picture's area is on screen. */
function shareOf(camera: Camera, view: Viewport, bounds: Bounds): number {
  return Math.min(1, (view.width * view.height) / camera.zoom ** 2 / areaOf(bounds));
}

function areaOf({ minX, maxX, minY, maxY }: Bounds): number {
  return Math.max(1, maxX - minX) * Math.max(1, maxY - minY);
}

/** Fewer nodes than this on screen: every label that fits is welcome. */
const FEW_NODES = 140;

export function levelOfDetail(
  camera: Camera,
  view: Viewport,
  bounds: Bounds | null,
  shownNodes: number,
  shownEdges: number,
  meanEdgeLength: number,
  highContrast = false,
): LevelOfDetail {
  const onScreen = visibleEdges(shownEdges, meanEdgeLength, camera, view, bounds);
  const nodesOnScreen = visibleNodes(shownNodes, camera, view, bounds);
  const { zoom } = camera;
  const ink = INK / Math.max(1e-6, edgeLayers(shownEdges, meanEdgeLength, camera, view, bounds));
  return {
    edgeOpacity: highContrast ? 1 : Math.max(LEAST_OPACITY, Math.min(edgeOpacity(onScreen), ink)),
    arrowOpacity: Math.min(1, Math.max(0, (zoom - 0.42) / 0.12)),
    letters: zoom >= 1.2 || highContrast,
    labelFromRadius: nodesOnScreen <= FEW_NODES ? 0 : 6,
    labelCell: zoom < 0.5 ? 200 : 100,
    edgeLabels: zoom >= 1.2 && onScreen < 150,
  };
}
