import { describe, expect, it } from "vitest";
import type { TrashEntry } from "../../ipc/parts";
import { daysLeft, inTheWay, restoredText, shortLabel } from "./trashWords";

const NOW = 1_000_000_000_000;
const DAY = 86_400;
const entry = (kind: string, label: string): TrashEntry => ({ id: label, kind, label, detail: "person", observations: 0, relationships: 0, by: { actor: "claude", is_agent: true, client: "", time: 0 }, expires_at: 0 });
const restored = (entities: number, observations = 0, relationships = 0, left = 0) => ({ entities, observations, relationships, left });

describe("how long the trash keeps it", () => {
  it("is counted in days", () => {
    const left = (seconds: number) => daysLeft(NOW / 1000 + seconds, NOW);
    expect([left(30 * DAY + 15), left(29.2 * DAY), left(0.6 * DAY), left(10), left(-5)]).toEqual([30, 29, 1, 0, 0]);
  });
});

describe("what came back", () => {
  it("is named when it was one thing, with what went with it", () => {
    expect(restoredText([entry("entity", "Ada")], restored(1, 3, 1))).toBe("Restored “Ada” with 3 observations and 1 relation");
    expect(restoredText([entry("entity", "Ada")], restored(1))).toBe("Restored “Ada”");
    expect(restoredText([entry("relationship", "knows")], restored(0, 0, 1))).toBe("Restored the relation “knows”");
    expect(restoredText([entry("observation", "a long story")], restored(0, 1))).toBe("Restored an observation");
  });

  it("is counted when it was several", () => {
    expect(restoredText([entry("entity", "Ada"), entry("entity", "Bob")], restored(2, 3, 1))).toBe("Restored 2 entities, 3 observations and 1 relation");
  });

  it("says what stays, and why", () => {
    expect(restoredText([entry("entity", "Ada")], restored(1, 0, 0, 2))).toBe("Restored “Ada”. 2 relations stay in the trash, because the other end is not there");
    expect(restoredText([entry("entity", "Ada")], restored(1, 0, 0, 1))).toContain("1 relation stays");
  });

  it("was back already", () => {
    expect(restoredText([entry("entity", "Ada")], restored(0))).toBe("Everything was back already");
  });
});

describe("what stands in the way", () => {
  it("is named, not numbered", () => {
    const conflict = (id: string) => ({ object_kind: "entity", object_id: id, field: "", reason: "it exists again" });
    expect(inTheWay([conflict("Ada")], [entry("entity", "Ada")])).toBe("“Ada”: it exists again. Nothing was restored");
    expect(inTheWay([conflict("x"), conflict("y")], [])).toBe("“Entity”: it exists again, and 1 more. Nothing was restored");
  });
});

describe("a label", () => {
  it("is the first line, cut", () => {
    expect(shortLabel("one\ntwo")).toBe("one");
    expect(shortLabel("x".repeat(100))).toHaveLength(61);
  });
});
