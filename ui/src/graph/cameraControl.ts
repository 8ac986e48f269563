import {
  fitCamera, isCentral, keepInReach, panBy, showingCamera, zoomAt, zoomFloor,
  type Bounds, type Camera, type Viewport,
} from "./camera";
import { FLIGHT_MS, flightAt, PANEL_MS, Tween, type Flight } from "./cameraMotion";
import type { Point } from "./types";

const OPENING_MS = 1500;

/** Where the person looks: the camera, its flights, and the panels that cover parts of the canvas. */
export class CameraControl {
  camera: Camera = { x: 0, y: 0, zoom: 1 };
  private flight: Flight | undefined;
  private readonly left = new Tween(0);
  private readonly right = new Tween(0);
  private width = 1;
  private height = 1;
  /** Follow the graph while its first layout unfolds, until the person takes over. */
  following = false;
  private openedAt = -Infinity;
  lastMotion = -Infinity;

  constructor(
    private readonly bounds: () => Bounds | null,
    private readonly reducedMotion: () => boolean,
    private readonly changed: () => void,
  ) {}

  /** The first picture of a graph, as a whole. */
  open(now: number): void {
    this.openedAt = now;
    this.jump(fitCamera(this.bounds(), this.settledView()));
  }

  /** Panels and the window find their sizes while a graph opens; until the person looks around, the fit goes along. */
  private get opening(): boolean {
    return performance.now() - this.openedAt < OPENING_MS;
  }

  resize(width: number, height: number): void {
    this.width = width;
    this.height = height;
    if (this.following || this.opening) this.camera = fitCamera(this.bounds(), this.settledView());
    this.changed();
  }

  setInsets(left: number, right: number, now: number): void {
    const duration = this.reducedMotion() ? 0 : PANEL_MS;
    this.left.to(left, duration, now);
    this.right.to(right, duration, now);
    if (this.opening) this.camera = fitCamera(this.bounds(), this.settledView());
    this.changed();
  }

  view(now: number): Viewport {
    return { width: this.width, height: this.height, left: this.left.at(now), right: this.right.at(now) };
  }

  /** As it will be when panels have come to rest: what fits and flights aim for. */
  settledView(): Viewport {
    return { width: this.width, height: this.height, left: this.left.end, right: this.right.end };
  }

  /** Advance flights; true while the camera or the panels are under way. */
  step(now: number): boolean {
    let moving = this.left.running(now) || this.right.running(now);
    if (this.flight !== undefined) {
      const { camera, done } = flightAt(this.flight, now);
      this.camera = camera;
      if (done) this.flight = undefined;
      moving = true;
    } else if (this.following) {
      this.follow();
    }
    if (moving) this.lastMotion = now;
    return moving;
  }

  pan(dx: number, dy: number, now: number): void {
    this.take(now);
    this.camera = keepInReach(panBy(this.camera, dx, dy), this.view(now), this.bounds());
  }

  zoom(at: Point, factor: number, now: number): void {
    this.take(now);
    const view = this.view(now);
    this.camera = zoomAt(this.camera, view, at, factor, zoomFloor(this.bounds(), view));
  }

  jump(camera: Camera): void {
    this.flight = undefined;
    this.camera = camera;
    this.changed();
  }

  fit(now: number, animate = true): void {
    const target = fitCamera(this.bounds(), this.settledView());
    if (animate) this.fly(target, now);
    else this.jump(target);
  }

  /** These, as large as they fit. */
  fitTo(bounds: Bounds, now: number): void {
    this.fly(fitCamera(bounds, this.settledView()), now);
  }

  fly(to: Camera, now: number, duration = FLIGHT_MS): void {
    this.following = false;
    this.openedAt = -Infinity;
    this.flight = { from: this.camera, to, start: now, duration: this.reducedMotion() ? 0 : duration };
    this.lastMotion = now;
    this.changed();
  }

  centre(at: Point, now: number, onlyIfOutside: boolean): void {
    const aim = this.flight?.to ?? this.camera;
    if (onlyIfOutside && isCentral(aim, this.settledView(), at.x, at.y)) return;
    this.fly({ ...aim, x: at.x, y: at.y }, now);
  }

  show(bounds: Bounds, now: number): void {
    const aim = this.flight?.to ?? this.camera;
    const to = showingCamera(aim, this.settledView(), bounds);
    if (to !== aim) this.fly(to, now);
  }

  /** The person moves the camera: flights and following end here. */
  private take(now: number): void {
    this.flight = undefined;
    this.following = false;
    this.openedAt = -Infinity;
    this.lastMotion = now;
    this.changed();
  }

  /** Ease towards the fit, so that a layout that breathes does not shake the picture. */
  private follow(): void {
    const target = fitCamera(this.bounds(), this.settledView());
    const share = 0.18;
    this.camera = {
      x: this.camera.x + (target.x - this.camera.x) * share,
      y: this.camera.y + (target.y - this.camera.y) * share,
      zoom: this.camera.zoom * (target.zoom / this.camera.zoom) ** share,
    };
  }
}
