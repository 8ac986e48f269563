import type { Point } from "../types";
import type { SceneActions } from "./actions";

/** Further than this and a press is a drag; fingers are less steady. */
const TOLERANCE_MOUSE = 4;
const TOLERANCE_TOUCH = 10;
const LONG_PRESS_MS = 550;
const DOUBLE_CLICK_MS = 450;
const DOUBLE_CLICK_PX = 6;

type Gesture =
  | { kind: "press"; id: string | null; from: Point; pans: boolean; marquee: boolean; lasso: boolean }
  | { kind: "pan" }
  | { kind: "drag" }
  | { kind: "marquee"; from: Point }
  | { kind: "lasso"; outline: Point[] }
  | { kind: "pinch"; distance: number; middle: Point }
  | { kind: "spent" };

/** Mouse, pen and fingers. A press becomes a click or a drag, never both. */
export class PointerInput {
  private gesture: Gesture | undefined;
  private last: Point = { x: 0, y: 0 };
  private readonly touches = new Map<number, Point>();
  private longPress = 0;
  /** The last press: a second one soon after and close by means the same thing, even if the camera has set off. */
  private pressed: { id: string | null; at: Point; time: number } = { id: null, at: { x: 0, y: 0 }, time: -Infinity };
  private readonly detach: () => void;

  constructor(
    private readonly element: HTMLElement,
    private readonly actions: SceneActions,
  ) {
    const listeners: [string, (event: never) => void][] = [
      ["pointerdown", this.down],
      ["pointermove", this.move],
      ["pointerup", this.up],
      ["pointercancel", this.cancelled],
      ["pointerleave", this.leave],
      ["dblclick", this.doubleClick],
      ["contextmenu", this.contextMenu],
    ];
    for (const [name, listener] of listeners) element.addEventListener(name, listener as (event: Event) => void);
    this.detach = () => {
      for (const [name, listener] of listeners) element.removeEventListener(name, listener as (event: Event) => void);
    };
  }

  /** Escape while dragging: put everything back. Returns whether there was anything to cancel. */
  cancel(): boolean {
    const { gesture } = this;
    if (gesture === undefined || gesture.kind === "press" || gesture.kind === "spent") return false;
    if (gesture.kind === "drag") this.actions.drop(false);
    if (gesture.kind === "marquee") this.actions.marquee(gesture.from, null);
    if (gesture.kind === "lasso") this.actions.lasso(null);
    this.gesture = { kind: "spent" };
    this.cursor("");
    return true;
  }

  destroy(): void {
    window.clearTimeout(this.longPress);
    this.detach();
  }

  private down = (event: PointerEvent): void => {
    const at = this.point(event);
    // Not focus(): that would scroll the page to the canvas.
    this.element.focus({ preventScroll: true });
    if (event.pointerType === "touch") {
      this.touches.set(event.pointerId, at);
      if (this.touches.size === 2) {
        this.beginPinch();
        return;
      }
    }
    if (event.button === 2 || this.gesture !== undefined) return;
    this.capture(event.pointerId);
    this.last = at;
    const touch = event.pointerType === "touch";
    const pans = event.button === 1;
    const id = pans ? null : this.press(at, touch, event.timeStamp);
    this.gesture = { kind: "press", id, from: at, pans, marquee: event.shiftKey && id === null && !pans, lasso: event.altKey && id === null && !pans };
    if (event.button === 1) event.preventDefault();
    if (touch) {
      this.longPress = window.setTimeout(() => {
        this.gesture = { kind: "spent" };
        this.menu(id, at, true, event);
      }, LONG_PRESS_MS);
    }
  };

  private move = (event: PointerEvent): void => {
    const at = this.point(event);
    if (this.touches.has(event.pointerId)) this.touches.set(event.pointerId, at);
    const { gesture } = this;
    if (gesture === undefined) {
      const touch = event.pointerType === "touch";
      const id = touch ? null : this.actions.nodeAt(at, false);
      const edge = touch || id !== null ? null : this.actions.edgeAt(at, false);
      this.actions.hover(id);
      this.actions.hoverEdge(edge);
      this.cursor(id === null && edge === null ? "" : "pointer");
      return;
    }
    if (gesture.kind === "pinch") {
      this.pinch(gesture);
      return;
    }
    if (gesture.kind === "press") {
      const tolerance = event.pointerType === "touch" ? TOLERANCE_TOUCH : TOLERANCE_MOUSE;
      if (Math.hypot(at.x - gesture.from.x, at.y - gesture.from.y) <= tolerance) return;
      window.clearTimeout(this.longPress);
      this.begin(gesture);
    }
    this.drag(at);
  };

  private press(at: Point, touch: boolean, time: number): string | null {
    const { pressed } = this;
    const again = time - pressed.time < DOUBLE_CLICK_MS && Math.hypot(at.x - pressed.at.x, at.y - pressed.at.y) <= DOUBLE_CLICK_PX;
    const id = again ? pressed.id : this.actions.nodeAt(at, touch);
    this.pressed = { id, at, time };
    return id;
  }

  /** The tolerance is left: from here on it is a drag, and what it covered so far counts. */
  private begin(press: Extract<Gesture, { kind: "press" }>): void {
    this.last = press.from;
    if (press.lasso) this.gesture = { kind: "lasso", outline: [press.from] };
    else if (press.marquee) this.gesture = { kind: "marquee", from: press.from };
    else if (press.id !== null) {
      this.gesture = { kind: "drag" };
      this.actions.grab(press.id);
      this.cursor("grabbing");
    } else {
      this.gesture = { kind: "pan" };
      this.actions.hover(null);
      this.actions.hoverEdge(null);
      this.cursor("grabbing");
    }
  }

  private drag(at: Point): void {
    const [dx, dy] = [at.x - this.last.x, at.y - this.last.y];
    this.last = at;
    if (this.gesture?.kind === "pan") this.actions.pan(dx, dy);
    else if (this.gesture?.kind === "drag") this.actions.dragBy(dx, dy);
    else if (this.gesture?.kind === "marquee") this.actions.marquee(this.gesture.from, at);
    else if (this.gesture?.kind === "lasso") {
      this.gesture.outline.push(at);
      this.actions.lasso(this.gesture.outline);
    }
  }

  private up = (event: PointerEvent): void => {
    window.clearTimeout(this.longPress);
    this.touches.delete(event.pointerId);
    const { gesture } = this;
    if (gesture === undefined) return;
    if (gesture.kind === "pinch" && this.touches.size > 0) {
      this.gesture = { kind: "spent" };
      return;
    }
    this.gesture = undefined;
    this.cursor("");
    if (gesture.kind === "drag") this.actions.drop(true);
    if (gesture.kind === "marquee") {
      this.actions.marquee(gesture.from, null);
      this.actions.chooseMany(this.actions.nodesIn(gesture.from, this.point(event)), "add");
    }
    if (gesture.kind === "lasso") {
      this.actions.lasso(null);
      this.actions.chooseMany(this.actions.nodesWithin(gesture.outline), "add");
    }
    if (gesture.kind === "press" && event.button === 0 && !gesture.pans) this.click(gesture.id, event);
  };

  private click(id: string | null, event: PointerEvent): void {
    const toggles = event.ctrlKey || event.metaKey;
    // A cluster's name lies over its dots, and is what was aimed at.
    if (!toggles && !event.shiftKey && this.actions.enterCluster(this.point(event))) return;
    if (id !== null) {
      this.actions.choose(id, toggles ? "toggle" : event.shiftKey ? "add" : "only");
      return;
    }
    // With a key held the person is gathering nodes: a line in between, or a near miss, must not throw them away.
    if (toggles || event.shiftKey) return;
    const edge = this.actions.edgeAt(this.point(event), event.pointerType === "touch");
    if (edge !== null) this.actions.chooseEdge(edge);
    else this.actions.deselect();
  }

  private cancelled = (event: PointerEvent): void => {
    this.touches.delete(event.pointerId);
    window.clearTimeout(this.longPress);
    this.cancel();
    this.gesture = undefined;
  };

  private leave = (): void => {
    if (this.gesture !== undefined) return;
    this.actions.hover(null);
    this.actions.hoverEdge(null);
  };

  private doubleClick = (event: MouseEvent): void => {
    if (this.pressed.id !== null) this.actions.enter(this.pressed.id);
    else if (this.actions.edgeAt(this.point(event), false) === null) this.actions.createAt(this.point(event));
  };

  private contextMenu = (event: MouseEvent): void => {
    event.preventDefault();
    const at = this.point(event);
    this.menu(this.actions.nodeAt(at, false), at, false, event);
  };

  /** Of exactly what is there: a cluster's name, which lies over its dots, a node, else a relationship, else the canvas. */
  private menu(id: string | null, at: Point, touch: boolean, { clientX, clientY }: MouseEvent): void {
    if (this.actions.clusterMenu(at, clientX, clientY)) return;
    const edge = id === null ? this.actions.edgeAt(at, touch) : null;
    if (edge !== null) this.actions.edgeMenu(edge, clientX, clientY);
    else this.actions.contextMenu(id, clientX, clientY);
  }

  private beginPinch(): void {
    window.clearTimeout(this.longPress);
    this.cancel();
    const { distance, middle } = this.spread();
    this.gesture = { kind: "pinch", distance, middle };
  }

  private pinch(gesture: Extract<Gesture, { kind: "pinch" }>): void {
    if (this.touches.size < 2) return;
    const { distance, middle } = this.spread();
    this.actions.pan(middle.x - gesture.middle.x, middle.y - gesture.middle.y);
    this.actions.zoom(middle, distance / Math.max(1, gesture.distance));
    this.gesture = { kind: "pinch", distance, middle };
  }

  private spread(): { distance: number; middle: Point } {
    const [a, b] = [...this.touches.values()] as [Point, Point];
    return { distance: Math.hypot(a.x - b.x, a.y - b.y), middle: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 } };
  }

  /** So that a drag goes on outside the canvas. A pointer that is gone already, or was never real, has nothing to capture. */
  private capture(pointer: number): void {
    try {
      this.element.setPointerCapture(pointer);
    } catch {
      // The gesture works without it as long as the pointer stays inside.
    }
  }

  private point(event: MouseEvent): Point {
    const box = this.element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private cursor(cursor: string): void {
    this.element.style.cursor = cursor;
  }
}
