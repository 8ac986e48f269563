import { describe, expect, it } from "vitest";
import {
  fitCamera, isCentral, keepInReach, panBy, showingCamera, toGraph, toScreen, visibleBounds, zoomAt, zoomFloor, ZOOM_CEILING, ZOOM_FLOOR,
  type Camera, type Viewport,
} from "./camera";

const view: Viewport = { width: 1400, height: 900, left: 280, right: 360 };
const camera: Camera = { x: 37, y: -112, zoom: 0.63 };

describe("camera", () => {
  it("maps to the screen and back", () => {
    const screen = toScreen(camera, view, 421.5, 77);
    const graph = toGraph(camera, view, screen.x, screen.y);
    expect(graph.x).toBeCloseTo(421.5, 9);
    expect(graph.y).toBeCloseTo(77, 9);
  });

  it("puts its point in the middle of what panels leave free", () => {
    expect(toScreen(camera, view, camera.x, camera.y)).toEqual({ x: 280 + (1400 - 640) / 2, y: 450 });
  });

  it("keeps the point under the pointer through ten steps in and ten out", () => {
    const pointer = { x: 700, y: 300 };
    const anchor = toGraph(camera, view, pointer.x, pointer.y);
    let moved = camera;
    for (const factor of [...Array<number>(10).fill(1.2), ...Array<number>(10).fill(1 / 1.2)]) {
      moved = zoomAt(moved, view, pointer, factor, ZOOM_FLOOR);
      const at = toScreen(moved, view, anchor.x, anchor.y);
      expect(Math.hypot(at.x - pointer.x, at.y - pointer.y)).toBeLessThan(1e-6);
    }
    expect(moved.zoom).toBeCloseTo(camera.zoom, 9);
    expect(moved.x).toBeCloseTo(camera.x, 6);
  });

  it("holds the pointer's point at both ends of the range too", () => {
    const pointer = { x: 10, y: 880 };
    for (const factor of [1e6, 1e-6]) {
      const moved = zoomAt(camera, view, pointer, factor, ZOOM_FLOOR);
      expect(moved.zoom).toBe(factor > 1 ? ZOOM_CEILING : ZOOM_FLOOR);
      const before = toGraph(camera, view, pointer.x, pointer.y);
      const after = toGraph(moved, view, pointer.x, pointer.y);
      expect(after.x).toBeCloseTo(before.x, 6);
    }
  });

  it("pans by screen pixels", () => {
    const before = toScreen(camera, view, 5, 5);
    const after = toScreen(panBy(camera, 12, -7), view, 5, 5);
    expect(after.x - before.x).toBeCloseTo(12, 9);
    expect(after.y - before.y).toBeCloseTo(-7, 9);
  });

  it("fits the whole graph between the panels with the padding", () => {
    const bounds = { minX: -3000, minY: -500, maxX: 9000, maxY: 700 };
    const fitted = fitCamera(bounds, view);
    expect(toScreen(fitted, view, -3000, 0).x).toBeCloseTo(280 + 56, 6);
    expect(toScreen(fitted, view, 9000, 0).x).toBeCloseTo(1400 - 360 - 56, 6);
  });

  it("lets the zoom floor drop until any graph fits", () => {
    const huge = { minX: -1e6, minY: -1e6, maxX: 1e6, maxY: 1e6 };
    expect(zoomFloor(huge, view)).toBeLessThan(fitCamera(huge, view).zoom);
    expect(zoomFloor(null, view)).toBe(ZOOM_FLOOR);
  });

  it("knows the central part", () => {
    expect(isCentral(camera, view, camera.x, camera.y)).toBe(true);
    const edge = toGraph(camera, view, 300, 450);
    expect(isCentral(camera, view, edge.x, edge.y)).toBe(false);
  });

  it("moves for several only if one is out of sight, and comes no nearer than it was", () => {
    const near = { minX: camera.x - 10, minY: camera.y - 10, maxX: camera.x + 10, maxY: camera.y + 10 };
    expect(showingCamera(camera, view, near)).toBe(camera);
    const beside = { minX: 5000, minY: 0, maxX: 5020, maxY: 20 };
    expect(showingCamera(camera, view, beside)).toEqual({ x: 5010, y: 10, zoom: camera.zoom });
    const wide = { minX: -3000, minY: -500, maxX: 9000, maxY: 700 };
    expect(showingCamera(camera, view, wide)).toEqual(fitCamera(wide, view));
  });

  it("never loses the graph while panning", () => {
    const bounds = { minX: 0, minY: 0, maxX: 100, maxY: 100 };
    const lost = keepInReach({ x: 1e5, y: 0, zoom: 1 }, view, bounds);
    const seen = visibleBounds(lost, view);
    expect(seen.minX).toBeLessThan(bounds.maxX);
  });
});
