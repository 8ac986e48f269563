import { describe, expect, it } from "vitest";
import { contrast, deltaE2000, difference, parseHex, type Deficiency, type Rgb } from "./colour";
import { PALETTE, THEMES } from "./theme";
import { SHAPES, typeIcons, typeLooks } from "./typeLooks";
import type { ThemeName } from "./types";

const THEME_NAMES: ThemeName[] = ["light", "dark"];

function smallestDifference(colours: readonly Rgb[], deficiency?: Deficiency): number {
  let smallest = Infinity;
  colours.forEach((a, i) => colours.slice(i + 1).forEach((b) => (smallest = Math.min(smallest, difference(a, b, deficiency)))));
  return smallest;
}

describe("colour difference", () => {
  it("agrees with the published CIEDE2000 test pairs", () => {
    expect(deltaE2000([50, 2.6772, -79.7751], [50, 0, -82.7485])).toBeCloseTo(2.0425, 4);
    expect(deltaE2000([50, 2.5, 0], [73, 25, -18])).toBeCloseTo(27.1492, 4);
    expect(deltaE2000([2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514])).toBeCloseTo(0.9082, 4);
  });

  it("gives black on white the full contrast", () => {
    expect(contrast([0, 0, 0], [1, 1, 1])).toBeCloseTo(21, 5);
  });
});

describe.each(THEME_NAMES)("the %s theme", (name) => {
  const theme = THEMES[name];

  it("keeps every type colour at 3:1 or more against the canvas", () => {
    for (const slot of theme.slots) expect(contrast(slot, theme.canvas)).toBeGreaterThanOrEqual(3);
    expect(contrast(theme.neutral, theme.canvas)).toBeGreaterThanOrEqual(3);
    expect(contrast(theme.accent, theme.canvas)).toBeGreaterThanOrEqual(3);
    expect(contrast(theme.added, theme.canvas)).toBeGreaterThanOrEqual(3);
  });

  it("keeps text at 4.5:1 and full edges at 3:1", () => {
    expect(contrast(parseHex(theme.labelStrong), theme.canvas)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(parseHex(theme.labelResting), theme.canvas)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(theme.edge, theme.canvas)).toBeGreaterThanOrEqual(3);
  });

  it("keeps the eight slots apart for normal and deficient sight", () => {
    expect(PALETTE[name]).toHaveLength(8);
    expect(smallestDifference(theme.slots)).toBeGreaterThanOrEqual(20);
    for (const deficiency of ["protan", "deutan", "tritan"] as const) {
      expect(smallestDifference(theme.slots, deficiency)).toBeGreaterThanOrEqual(12);
    }
  });

  it("writes letters in an ink that can be read on every slot", () => {
    for (const look of typeLooks(Array.from({ length: 9 }, (_, i) => `type ${i}`), theme)) {
      expect(contrast(look.ink, look.colour)).toBeGreaterThanOrEqual(3.9);
    }
  });
});

describe("type looks", () => {
  it("gives types beyond the eighth the neutral colour and a shape of their own", () => {
    const looks = typeLooks(Array.from({ length: 13 }, (_, i) => `t${i}`), THEMES.light);
    expect(new Set(looks.slice(0, 8).map((look) => look.shape))).toEqual(new Set(["circle"]));
    expect(looks.slice(8).map((look) => look.shape)).toEqual(SHAPES.slice(1));
    expect(looks.slice(8).every((look) => look.colour === THEMES.light.neutral)).toBe(true);
  });

  it("tells types with the same first letter apart", () => {
    expect(typeIcons(["person", "project", "place", "人物", "🙂"])).toEqual(["P", "Pr", "Pl", "人", "?"]);
  });
});
