import { describe, expect, it } from "vitest";
import type { HistoryEntry } from "../ipc/generated/wire";
import { actorName, told } from "../strings";
import { ago } from "../time";
import { groupEntries } from "./activity/groupEntries";
import { fits } from "./commandPalette/entries";
import { parseWeight, weightText } from "./detailPanel/relationForm";
import { nextIndex } from "./entityList/nextIndex";

const entry = (transaction: string, actor: string, time: number): HistoryEntry => ({ transaction, first_seq: 0, by: { actor, is_agent: true, client: "", time }, operation: "add_entity", changes: 1, subjects: [], subject_ids: [], undone: false });

describe("activity", () => {
  it("groups neighbours of one author, until somebody else or a pause", () => {
    const works = groupEntries([entry("4", "a", 10_000), entry("3", "a", 9_990), entry("2", "b", 9_980), entry("1", "a", 9_970), entry("0", "a", 100)]);
    expect(works.map(({ entries }) => entries.map((each) => each.transaction))).toEqual([["4", "3"], ["2"], ["1"], ["0"]]);
  });

  it("speaks about the memory", () => {
    expect(told("add_observations", 3, 1)).toBe("noted 3 things about");
    expect(told("future_verb", 1, 1)).toContain("future verb");
    expect(actorName("person", false)).toBe("you");
    expect(actorName("person", true), "an agent may not pass for the person").toBe("person");
  });
});

describe("lists", () => {
  it("walk and stop at the ends", () => {
    expect(nextIndex("ArrowDown", 0, 3, 10)).toBe(1);
    expect(nextIndex("ArrowUp", 0, 3, 10)).toBe(0);
    expect(nextIndex("PageDown", 0, 100, 10)).toBe(10);
    expect(nextIndex("End", 0, 100, 10)).toBe(99);
    expect(nextIndex("x", 0, 100, 10)).toBeUndefined();
    expect(nextIndex("End", 0, 0, 10)).toBeUndefined();
  });

  it("find commands by any of their words", () => {
    expect(fits("Export picture…", "pic exp")).toBe(true);
    expect(fits("Export picture…", "zoom")).toBe(false);
  });
});

describe("weights", () => {
  it("are numbers from 0 to 1", () => {
    expect(parseWeight("0.5")).toBe(0.5);
    expect(parseWeight("0,5")).toBe(0.5);
    expect(parseWeight("")).toBe(1);
    for (const text of ["2", "-1", "x", "Infinity"]) expect(parseWeight(text), text).toBeUndefined();
    expect(weightText(0.30000000000000004)).toBe("0.3");
  });
});

describe("times", () => {
  it("are told as a person would", () => {
    const now = 1_000_000_000_000;
    const before = (seconds: number) => ago(now / 1000 - seconds, now);
    expect([before(-5), before(10), before(180), before(7200), before(100_000), before(400_000)]).toEqual(["just now", "just now", "3 min ago", "2 h ago", "yesterday", "5 days ago"]);
  });
});
