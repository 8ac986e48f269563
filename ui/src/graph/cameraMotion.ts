import type { Camera } from "./camera";

/** A flight of the camera from one place to another, eased out; reduced motion arrives at once. */
export type Flight = { from: Camera; to: Camera; start: number; duration: number };

export const FLIGHT_MS = 350;
export const PANEL_MS = 180;

export function flightAt(flight: Flight, now: number): { camera: Camera; done: boolean } {
  const t = flight.duration <= 0 ? 1 : Math.min(1, Math.max(0, (now - flight.start) / flight.duration));
  if (t >= 1) return { camera: flight.to, done: true };
  const share = easeOut(t);
  // Zoom in equal ratios, and move by the share of *screen* distance covered, so that the target does not swing.
  const zoom = flight.from.zoom * (flight.to.zoom / flight.from.zoom) ** share;
  const inverse = (1 / zoom - 1 / flight.from.zoom) / (1 / flight.to.zoom - 1 / flight.from.zoom);
  const way = Math.abs(flight.to.zoom / flight.from.zoom - 1) < 1e-3 ? share : inverse;
  return {
    camera: {
      x: flight.from.x + (flight.to.x - flight.from.x) * way,
      y: flight.from.y + (flight.to.y - flight.from.y) * way,
      zoom,
    },
    done: false,
  };
}

export function easeOut(t: number): number {
  return 1 - (1 - t) ** 3;
}

/** A number that slides to its target: the fade of what is not in focus, the insets, a type being hidden. */
export class Tween {
  private from: number;
  private start = 0;
  private duration = 0;

  constructor(private target: number) {
    this.from = target;
  }

  to(target: number, duration: number, now: number): void {
    if (target === this.target) return;
    this.from = this.at(now);
    this.target = target;
    this.start = now;
    this.duration = duration;
  }

  at(now: number): number {
    if (this.duration <= 0) return this.target;
    const t = (now - this.start) / this.duration;
    return t >= 1 ? this.target : this.from + (this.target - this.from) * easeOut(Math.max(0, t));
  }

  running(now: number): boolean {
    return this.duration > 0 && now < this.start + this.duration;
  }

  get end(): number {
    return this.target;
  }
}
