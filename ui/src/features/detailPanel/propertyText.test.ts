import { describe, expect, it } from "vitest";
import { parseProperty, propertyText } from "./propertyText";

describe("properties as text", () => {
  it.each([["plain"], ["two\nlines"], ["42"], ["true"], ["null"], ['"quoted"'], ["{not json"], [""], [42], [-1.5], [true], [[1, 2]], [{ a: { b: [1] } }]])("%j comes back as it was", (value) => {
    expect(parseProperty(propertyText(value))).toEqual({ value });
  });

  it("takes what looks like JSON for JSON", () => {
    expect(parseProperty(' {"a": 1} ')).toEqual({ value: { a: 1 } });
    expect(parseProperty("3")).toEqual({ value: 3 });
  });

  it("refuses half an object, and null, which would delete", () => {
    expect(parseProperty('{"a": 1')).toEqual({ refused: "bad_json" });
    expect(parseProperty("null")).toEqual({ refused: "null" });
  });
});
