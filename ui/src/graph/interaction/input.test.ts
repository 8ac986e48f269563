import { describe, expect, it, vi } from "vitest";
import type { SceneActions } from "./actions";
import { keyAction } from "./keyboardInput";
import { WHEEL_STEP, WheelReader } from "./wheelInput";

const wheel = (deltaY: number, more: object = {}) => ({ deltaX: 0, deltaY, deltaMode: 0, ctrlKey: false, shiftKey: false, ...more });

describe("wheel", () => {
  it("zooms by 1.2 a notch, whatever unit the platform counts in", () => {
    for (const event of [wheel(120), wheel(100), wheel(53), wheel(3, { deltaMode: 1 }), wheel(40, { wheelDeltaY: -120 })]) {
      expect(new WheelReader().read(event, 900, 0)).toEqual({ kind: "zoom", factor: 1 / WHEEL_STEP });
    }
    expect(new WheelReader().read(wheel(-120), 900, 0)).toEqual({ kind: "zoom", factor: WHEEL_STEP });
  });

  it("comes back to the same zoom after as many steps out as in", () => {
    const reader = new WheelReader();
    let zoom = 1;
    for (const delta of [...Array<number>(10).fill(-100), ...Array<number>(10).fill(100)]) {
      const intent = reader.read(wheel(delta, { ctrlKey: true }), 900, 0);
      if (intent.kind === "zoom") zoom *= intent.factor;
    }
    expect(zoom).toBeCloseTo(1, 9);
  });

  it("pans with two fingers, also when a fast stroke looks like a notch", () => {
    const reader = new WheelReader();
    expect(reader.read(wheel(4.5, { deltaX: 1 }), 900, 0)).toEqual({ kind: "pan", dx: -1, dy: -4.5 });
    expect(reader.read(wheel(120), 900, 50)).toEqual({ kind: "pan", dx: -0, dy: -120 });
    expect(reader.read(wheel(120), 900, 2000).kind).toBe("zoom");
  });

  it("takes a pinch as a fine zoom", () => {
    const intent = new WheelReader().read(wheel(-4, { ctrlKey: true }), 900, 0);
    expect(intent.kind === "zoom" && intent.factor > 1 && intent.factor < 1.1).toBe(true);
  });
});

function actions(focused: string | null, selected: string[] = [], edge: { focused?: string; selected?: string } = {}) {
  return {
    focusedEdge: () => edge.focused ?? null, selectedEdge: () => edge.selected ?? null, focusNextEdge: vi.fn(() => true), leaveEdge: vi.fn(), chooseEdge: vi.fn(), activateEdge: vi.fn(),
    focusedNode: () => focused, selection: () => new Set(selected), entryNode: () => "entry", nodeTowards: () => "next", centreOfView: () => ({ x: 0, y: 0 }),
    focusNode: vi.fn(), pan: vi.fn(), zoom: vi.fn(), choose: vi.fn(), activate: vi.fn(), enter: vi.fn(), deselect: vi.fn(), enterCluster: vi.fn(() => false), fit: vi.fn(), reheat: vi.fn(), togglePin: vi.fn(),
  };
}

const key = (name: string, more: object = {}) => ({ key: name, shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, ...more });
const press = (name: string, on: ReturnType<typeof actions>, more: object = {}) => keyAction(key(name, more), on as unknown as SceneActions);

describe("keys", () => {
  it("Tab goes into the graph, and the next Tab leaves the canvas", () => {
    const outside = actions(null);
    expect(press("Tab", outside)).toBe(true);
    expect(outside.focusNode).toHaveBeenCalledWith("entry");
    expect(press("Tab", actions("a"))).toBe(false);
  });

  it("arrows pan, or walk when a node has the focus", () => {
    const panning = actions(null);
    press("ArrowLeft", panning);
    expect(panning.pan).toHaveBeenCalledWith(60, -0);
    const walking = actions("a");
    press("ArrowLeft", walking);
    expect(walking.focusNode).toHaveBeenCalledWith("next");
  });

  it("Escape takes one step at a time", () => {
    const both = actions("a", ["a"]);
    press("Escape", both);
    expect(both.deselect).toHaveBeenCalled();
    expect(both.focusNode).not.toHaveBeenCalled();
    expect(press("Escape", actions(null))).toBe(false);
  });

  it("N walks the relations of a node, Enter opens the one it is on, and Escape leaves that first", () => {
    const walking = actions("a");
    expect(press("n", walking)).toBe(true);
    press("N", walking, { shiftKey: true });
    expect(walking.focusNextEdge.mock.calls).toEqual([[false], [true]]);
    const on = actions("a", ["a"], { focused: "e" });
    press("Enter", on);
    expect(on.chooseEdge).toHaveBeenCalledWith("e");
    expect(on.activateEdge).toHaveBeenCalledWith("e");
    expect(on.activate).not.toHaveBeenCalled();
    press("Escape", on);
    expect(on.leaveEdge).toHaveBeenCalled();
    expect(on.deselect).not.toHaveBeenCalled();
    const chosen = actions(null, [], { selected: "e" });
    expect(press("Escape", chosen)).toBe(true);
    expect(chosen.deselect).toHaveBeenCalled();
  });

  it("leaves keys with Ctrl, Alt or the command key to the window", () => {
    for (const modifier of ["ctrlKey", "altKey", "metaKey"]) expect(press("f", actions(null), { [modifier]: true })).toBe(false);
  });

  it("F looks at what is around a node and Space lets the layout run", () => {
    expect(press("f", actions(null))).toBe(false);
    const on = actions("a");
    press("f", on);
    press(" ", on);
    expect(on.enter).toHaveBeenCalledWith("a");
    expect(on.reheat).toHaveBeenCalled();
  });
});
