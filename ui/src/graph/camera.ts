import type { Point } from "./types";

/**
 * Camera arithmetic, pure. The camera names the graph point in the middle of the *uncovered* part of the canvas, so
 * that panels sliding over it shift the picture without touching the camera.
 */
export type Camera = { x: number; y: number; zoom: number };

/** The canvas in CSS pixels, and how much of it panels cover on the left and right. */
export type Viewport = { width: number; height: number; left: number; right: number };

export type Bounds = { minX: number; minY: number; maxX: number; maxY: number };

export const ZOOM_FLOOR = 0.02;
export const ZOOM_CEILING = 8;
export const FIT_PADDING = 56;
/** A graph of three nodes is not blown up to fill the window. */
const FIT_ZOOM_LIMIT = 1.4;
/** A point inside this share of the free canvas counts as central. */
const CENTRAL_SHARE = 0.7;

export function viewCentre(view: Viewport): Point {
  return { x: view.left + freeWidth(view) / 2, y: view.height / 2 };
}

/** Panels can cover nearly everything in a small window; the picture still needs a middle. */
export function freeWidth(view: Viewport): number {
  return Math.max(120, view.width - view.left - view.right);
}

export function toScreen(camera: Camera, view: Viewport, x: number, y: number): Point {
  const centre = viewCentre(view);
  return { x: (x - camera.x) * camera.zoom + centre.x, y: (y - camera.y) * camera.zoom + centre.y };
}

export function toGraph(camera: Camera, view: Viewport, x: number, y: number): Point {
  const centre = viewCentre(view);
  return { x: (x - centre.x) / camera.zoom + camera.x, y: (y - centre.y) / camera.zoom + camera.y };
}

export function panBy(camera: Camera, dx: number, dy: number): Camera {
  return { ...camera, x: camera.x - dx / camera.zoom, y: camera.y - dy / camera.zoom };
}

/** Zoom by `factor`, keeping the graph point under the screen point where it is. */
export function zoomAt(camera: Camera, view: Viewport, at: Point, factor: number, floor: number): Camera {
  const zoom = clampZoom(camera.zoom * factor, floor);
  const anchor = toGraph(camera, view, at.x, at.y);
  const centre = viewCentre(view);
  return { x: anchor.x - (at.x - centre.x) / zoom, y: anchor.y - (at.y - centre.y) / zoom, zoom };
}

export function clampZoom(zoom: number, floor: number): number {
  return Math.min(ZOOM_CEILING, Math.max(floor, zoom));
}

/** The floor is always low enough to show the whole graph with some air around it. */
export function zoomFloor(bounds: Bounds | null, view: Viewport): number {
  return bounds === null ? ZOOM_FLOOR : Math.min(ZOOM_FLOOR, fitZoom(bounds, view) * 0.8);
}

export function fitCamera(bounds: Bounds | null, view: Viewport): Camera {
  if (bounds === null) return { x: 0, y: 0, zoom: 1 };
  return {
    x: (bounds.minX + bounds.maxX) / 2,
    y: (bounds.minY + bounds.maxY) / 2,
    zoom: Math.min(FIT_ZOOM_LIMIT, fitZoom(bounds, view)),
  };
}

function fitZoom(bounds: Bounds, view: Viewport): number {
  const width = Math.max(1, bounds.maxX - bounds.minX);
  const height = Math.max(1, bounds.maxY - bounds.minY);
  const room = (length: number) => Math.max(40, length - 2 * FIT_PADDING);
  return Math.min(ZOOM_CEILING, room(freeWidth(view)) / width, room(view.height) / height);
}

/** Whether the graph point already lies in the middle of the free canvas: then selecting it moves nothing. */
export function isCentral(camera: Camera, view: Viewport, x: number, y: number): boolean {
  const dx = Math.abs(x - camera.x) * camera.zoom;
  const dy = Math.abs(y - camera.y) * camera.zoom;
  return dx <= (freeWidth(view) * CENTRAL_SHARE) / 2 && dy <= (view.height * CENTRAL_SHARE) / 2;
}

/** A camera from which all of `bounds` lies in sight: the present one where it does, else one that comes no nearer. */
export function showingCamera(camera: Camera, view: Viewport, bounds: Bounds): Camera {
  if (isCentral(camera, view, bounds.minX, bounds.minY) && isCentral(camera, view, bounds.maxX, bounds.maxY)) return camera;
  const fit = fitCamera(bounds, view);
  return { ...fit, zoom: Math.min(camera.zoom, fit.zoom) };
}

/** The part of the graph that is on screen, panels not subtracted. */
export function visibleBounds(camera: Camera, view: Viewport, marginPx = 0): Bounds {
  const topLeft = toGraph(camera, view, -marginPx, -marginPx);
  const bottomRight = toGraph(camera, view, view.width + marginPx, view.height + marginPx);
  return { minX: topLeft.x, minY: topLeft.y, maxX: bottomRight.x, maxY: bottomRight.y };
}

/**
 * Keep some of the graph on screen: without this, a few wheel steps at the wrong place lose the picture. At least
 * `KEEP` pixels of its bounds stay inside.
 */
const KEEP = 80;

export function keepInReach(camera: Camera, view: Viewport, bounds: Bounds | null): Camera {
  if (bounds === null) return camera;
  const halfX = Math.max(0, freeWidth(view) / 2 - KEEP) / camera.zoom;
  const halfY = Math.max(0, view.height / 2 - KEEP) / camera.zoom;
  const x = Math.min(bounds.maxX + halfX, Math.max(bounds.minX - halfX, camera.x));
  const y = Math.min(bounds.maxY + halfY, Math.max(bounds.minY - halfY, camera.y));
  return x === camera.x && y === camera.y ? camera : { ...camera, x, y };
}
