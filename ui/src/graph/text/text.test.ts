import { describe, expect, it } from "vitest";
import { fitText, graphemes, isRightToLeft, middleEllipsis } from "./ellipsis";
import { visibleText } from "./visibleText";

describe("middle ellipsis", () => {
  it("leaves short names alone", () => {
    expect(middleEllipsis("Ada Lovelace", 24)).toBe("Ada Lovelace");
  });

  it("keeps both ends of a long name within the limit", () => {
    const cut = middleEllipsis("quarterly-report-2024-final-version-reviewed.pdf", 24);
    expect(graphemes(cut)).toHaveLength(24);
    expect(cut.startsWith("quarterly-re")).toBe(true);
    expect(cut.endsWith("iewed.pdf")).toBe(true);
  });

  it("never cuts an emoji or a letter with marks in two", () => {
    const family = "👩‍👩‍👧‍👦";
    expect(middleEllipsis(family.repeat(30), 5)).toBe(`${family}${family}…${family}${family}`);
    const accented = "e\u0301".repeat(40);
    expect(graphemes(middleEllipsis(accented, 9)).filter((g) => g !== "…").every((g) => g === "e\u0301")).toBe(true);
  });

  it("handles a name of 100,000 characters quickly", () => {
    const started = performance.now();
    expect(graphemes(middleEllipsis("x".repeat(100_000), 24))).toHaveLength(24);
    expect(performance.now() - started).toBeLessThan(50);
  });

  it("goes on cutting until the text is narrow enough", () => {
    const fitted = fitText("漢字".repeat(30), 24, 160, (text) => graphemes(text).length * 13);
    expect(fitted.width).toBeLessThanOrEqual(160);
    expect(fitted.text).toContain("…");
  });

  it("finds the base direction by the first letter", () => {
    expect(isRightToLeft("12 שלום")).toBe(true);
    expect(isRightToLeft("Ada שלום")).toBe(false);
    expect(isRightToLeft("… 42")).toBe(false);
  });
});

describe("visible text", () => {
  it("shows markup as the text it is", () => {
    expect(visibleText("<img src=x onerror=alert(1)>")).toBe("<img src=x onerror=alert(1)>");
    expect(visibleText("Ωmega 漢字 🙂")).toBe("Ωmega 漢字 🙂");
  });

  it("makes bidi and other control characters visible", () => {
    expect(visibleText("abc\u202Egpj.exe")).toBe("abc⟨RLO⟩gpj.exe");
    expect(visibleText("a\u2067b\u2069")).toBe("a⟨RLI⟩b⟨PDI⟩");
    expect(visibleText("a\u0000b\u001bc\u007f")).toBe("a\u2400b\u241Bc\u2421");
    expect(visibleText("two\nlines\tand tab")).toBe("two lines and tab");
    expect(visibleText("zero\u200bwidth\ufeff")).toBe("zero⟨ZWSP⟩width⟨BOM⟩");
  });

  it("shows a message hidden in tag characters, and leaves the flag of Scotland whole", () => {
    const hidden = Array.from("hi", (c) => String.fromCodePoint(0xe0000 + c.charCodeAt(0))).join("");
    expect(visibleText(`ok${hidden}`)).toBe("ok⟨E0068⟩⟨E0069⟩");
    const scotland = "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}";
    expect(visibleText(scotland)).toBe(scotland);
  });

  it("keeps joiners where they are spelling and shows them where they hide", () => {
    expect(visibleText("👩‍💻")).toBe("👩‍💻");
    expect(visibleText("می‌خواهم")).toBe("می‌خواهم");
    expect(visibleText("pass\u200dword")).toBe("pass⟨ZWJ⟩word");
  });
});
