import { describe, expect, it } from "vitest";
import { isSettings, OWN_SETTINGS, PRESETS, presetOf } from "./layout";

describe("layout settings", () => {
  it("know their preset", () => {
    for (const [name, settings] of Object.entries(PRESETS)) {
      expect(presetOf(settings)).toBe(name);
      expect(isSettings(settings)).toBe(true);
    }
    expect(presetOf({ ...OWN_SETTINGS, gravity: 0.3 })).toBeNull();
  });

  it("are refused when remembered wrongly", () => {
    for (const wrong of [null, 1, {}, { ...OWN_SETTINGS, theta: 9 }, { ...OWN_SETTINGS, gravity: "1" }, { ...OWN_SETTINGS, repulsion: NaN }]) expect(isSettings(wrong)).toBe(false);
  });
});
