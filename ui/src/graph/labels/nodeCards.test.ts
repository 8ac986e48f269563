// @vitest-environment jsdom
import { describe, expect, it } from "vitest";
import { broken } from "./nodeCards";

const measure = (text: string) => [...text].length;

describe("the lines of a card", () => {
  it("break between words and say when there is more", () => {
    expect(broken("likes numbers", 20, 2, measure)).toEqual(["likes numbers"]);
    expect(broken("likes numbers and engines", 14, 2, measure)).toEqual(["likes numbers", "and engines"]);
    expect(broken("likes numbers and engines of all kinds", 14, 2, measure)).toEqual(["likes numbers", "and engines o…"]);
    expect(broken("", 14, 2, measure)).toEqual([]);
  });

  it("fit whatever comes: one endless word, scripts without spaces, emoji", () => {
    for (const text of ["x".repeat(300), "漢字".repeat(60), "👩‍👩‍👧 ".repeat(40), "a ".repeat(200), "สวัสดีครับ".repeat(20)]) {
      const lines = broken(text, 18, 2, measure);
      expect(lines.length).toBeLessThanOrEqual(2);
      for (const line of lines) expect(measure(line)).toBeLessThanOrEqual(18);
      expect(lines.at(-1)!.endsWith("…")).toBe(true);
    }
  });
});
