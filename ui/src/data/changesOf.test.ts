import { describe, expect, it } from "vitest";
import type { HistoryEntry } from "../ipc/generated/wire";
import { changesOf, isBy, SCAN_PAGE } from "./changesOf";

const entry = (seq: number, actor: string, isAgent = true): HistoryEntry => ({ transaction: `t${seq}`, first_seq: seq, by: { actor, is_agent: isAgent, client: "", time: seq }, operation: "add_entity", changes: 1, subjects: [], subject_ids: [], undone: false });

/** A journal of `n` changes; the agent made those for which `mine` says so. */
function journal(n: number, mine: (seq: number) => boolean) {
  const asked: (number | undefined)[] = [];
  const read = (before: number | undefined) => {
    asked.push(before);
    const top = before ?? n + 1;
    return Promise.resolve(Array.from({ length: Math.min(SCAN_PAGE, top - 1) }, (_, at) => entry(top - 1 - at, mine(top - 1 - at) ? "claude" : "other")));
  };
  return { read, asked };
}

describe("one agent's changes", () => {
  it("are found among everybody's, and end with the past", async () => {
    const { read } = journal(20, (seq) => seq % 5 === 0);
    expect(await changesOf("claude", undefined, read)).toEqual({ entries: [20, 15, 10, 5].map((seq) => entry(seq, "claude")) });
  });

  it("are read for until there are enough", async () => {
    const { read, asked } = journal(3000, (seq) => seq % 4 === 0);
    const page = await changesOf("claude", undefined, read);
    expect(page.entries.length).toBe(100);
    expect(asked, "two pages hold enough").toEqual([undefined, 2801]);
    expect(page.before).toBe(2601);
  });

  it("are not looked for without end", async () => {
    const { read, asked } = journal(5000, (seq) => seq === 1);
    const page = await changesOf("claude", undefined, read);
    expect(page).toEqual({ entries: [], before: 4001 });
    expect(asked).toHaveLength(5);
    expect((await changesOf("claude", 202, read)).entries).toEqual([entry(1, "claude")]);
  });

  it("are not the person's, whatever the agent calls itself", () => {
    expect(isBy(entry(1, "person", false), "person")).toBe(false);
    expect(isBy(entry(1, "Claude"), "claude")).toBe(true);
  });
});
