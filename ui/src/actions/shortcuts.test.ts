import { describe, expect, it } from "vitest";
import { matches, shown } from "./shortcuts";

const press = (key: string, ...mods: ("ctrl" | "shift" | "alt" | "meta")[]) => ({
  key, ctrlKey: mods.includes("ctrl"), shiftKey: mods.includes("shift"), altKey: mods.includes("alt"), metaKey: mods.includes("meta"),
});

describe("shortcuts", () => {
  it("match letters whatever Shift makes of them", () => {
    expect(matches("Mod+Shift+Z", press("Z", "ctrl", "shift"), false)).toBe(true);
    expect(matches("Mod+Z", press("Z", "ctrl", "shift"), false)).toBe(false);
    expect(matches("Mod+Z", press("z", "ctrl"), false)).toBe(true);
  });

  it("take ⌘ on a Mac and Ctrl elsewhere", () => {
    expect(matches("Mod+K", press("k", "meta"), true)).toBe(true);
    expect(matches("Mod+K", press("k", "ctrl"), true)).toBe(false);
    expect(matches("Mod+K", press("k", "meta"), false)).toBe(false);
  });

  it("find symbols on any layout", () => {
    expect(matches("?", press("?", "shift"), false)).toBe(true);
    expect(matches("Mod+=", press("+", "ctrl", "shift"), false)).toBe(true);
    expect(matches("Mod+-", press("-", "ctrl"), false)).toBe(true);
  });

  it("never take AltGr, which types text", () => {
    expect(matches("Mod+B", press("b", "ctrl", "alt"), false)).toBe(false);
  });

  it("are written for the platform", () => {
    expect(shown("Mod+Shift+N", false)).toBe("Ctrl+Shift+N");
    expect(shown("Mod+Shift+N", true)).toBe("⌘⇧N");
  });
});
