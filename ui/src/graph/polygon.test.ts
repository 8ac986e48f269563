import { describe, expect, it } from "vitest";
import { isInside } from "./polygon";

describe("an outline drawn by hand", () => {
  const bay = [[0, 0], [100, 0], [100, 100], [50, 40], [0, 100]].map(([x, y]) => ({ x: x!, y: y! }));
  it("holds what it goes around, and not what lies in its bays", () => {
    expect(isInside(bay, { x: 50, y: 20 })).toBe(true);
    expect(isInside(bay, { x: 50, y: 60 })).toBe(false);
    expect(isInside(bay, { x: 10, y: 60 })).toBe(true);
    expect(isInside(bay, { x: 120, y: 20 })).toBe(false);
    expect(isInside(bay.slice(0, 2), { x: 50, y: 0 })).toBe(false);
    expect(isInside([], { x: 0, y: 0 })).toBe(false);
  });
});
