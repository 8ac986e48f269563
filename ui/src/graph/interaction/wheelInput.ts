import type { SceneActions } from "./actions";

/** One notch of a wheel. */
export const WHEEL_STEP = 1.2;
const LINE_PX = 16;
/** A page that was busy gets many notches as one event; they all count, but no event crosses the whole range. */
const MOST_NOTCHES = 12;
/** Events of one trackpad gesture follow each other closer than this. */
const GESTURE_MS = 180;

export type WheelIntent = { kind: "zoom"; factor: number } | { kind: "pan"; dx: number; dy: number };

type WheelReading = { deltaX: number; deltaY: number; deltaMode: number; ctrlKey: boolean; shiftKey: boolean; wheelDeltaY?: number };

/**
 * Tells a wheel from a trackpad. Browsers report both as the same event: a wheel comes in whole notches along one axis, a
 * trackpad in small or fractional steps, and a pinch as Ctrl with a small delta.
 */
export class WheelReader {
  private lastTrackpad = -Infinity;

  read(event: WheelReading, viewHeight: number, now: number): WheelIntent {
    const unit = event.deltaMode === 1 ? LINE_PX : event.deltaMode === 2 ? viewHeight : 1;
    const dx = event.deltaX * unit;
    const dy = event.deltaY * unit;
    if (event.ctrlKey && Math.abs(dy) < 30 && event.deltaMode === 0) return { kind: "zoom", factor: Math.exp(-dy * 0.012) };
    const trackpad = !event.ctrlKey && this.isTrackpad(event, dx, dy, now);
    if (trackpad) {
      this.lastTrackpad = now;
      return { kind: "pan", dx: -dx, dy: -dy };
    }
    // Shift turns a wheel sideways on several platforms; here as everywhere it then pans.
    if (event.shiftKey && !event.ctrlKey) return { kind: "pan", dx: -(dx || dy), dy: 0 };
    if (dy === 0) return { kind: "pan", dx: -dx, dy: 0 };
    return { kind: "zoom", factor: WHEEL_STEP ** -(Math.sign(dy) * notches(dy, event.wheelDeltaY)) };
  }

  private isTrackpad(event: WheelReading, dx: number, dy: number, now: number): boolean {
    if (event.deltaMode !== 0) return false;
    if (now - this.lastTrackpad < GESTURE_MS) return true;
    if (dx !== 0 && dy !== 0) return true;
    if (event.wheelDeltaY !== undefined && event.wheelDeltaY !== 0 && event.wheelDeltaY % 120 === 0) return false;
    return !Number.isInteger(dy) || (Math.abs(dy) > 0 && Math.abs(dy) < 30) || (dx !== 0 && Math.abs(dx) < 30);
  }
}

/** Several notches can come in one event; a platform's idea of one lies between 40 and 120. */
function notches(dy: number, wheelDelta: number | undefined): number {
  if (wheelDelta !== undefined && wheelDelta !== 0 && wheelDelta % 120 === 0) return Math.min(MOST_NOTCHES, Math.abs(wheelDelta) / 120);
  return Math.min(MOST_NOTCHES, Math.max(1, Math.round(Math.abs(dy) / 120)));
}

export function attachWheel(element: HTMLElement, actions: SceneActions): () => void {
  const reader = new WheelReader();
  const onWheel = (event: WheelEvent) => {
    // Otherwise Ctrl+wheel would zoom the page.
    event.preventDefault();
    const box = element.getBoundingClientRect();
    const reading = event as WheelEvent & { wheelDeltaY?: number };
    const intent = reader.read(reading, box.height, event.timeStamp);
    if (intent.kind === "pan") actions.pan(intent.dx, intent.dy);
    else actions.zoom({ x: event.clientX - box.left, y: event.clientY - box.top }, intent.factor);
  };
  element.addEventListener("wheel", onWheel, { passive: false });
  return () => element.removeEventListener("wheel", onWheel);
}
