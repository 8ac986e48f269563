import type { HistoryEntry } from "../ipc/generated/wire";

export const SCAN_PAGE = 200;
/** Enough to read at a time. */
const ENOUGH = 60;
/** An agent that wrote little may be far back; the person decides whether to look further. */
const MOST_PAGES = 5;

/** `before`: where to go on; absent once the past was read to its beginning. */
export type ChangesPage = { entries: HistoryEntry[]; before?: number };

/** An agent may call itself what the person is called, so the name alone is not enough. Names differ by more than case. */
export function isBy(entry: HistoryEntry, agent: string): boolean {
  return entry.by.is_agent && entry.by.actor.toLowerCase() === agent.toLowerCase();
}

/** One page of one agent's changes: reads on until there are enough, the past ends, or it has looked for long. */
export async function changesOf(agent: string, from: number | undefined, read: (before: number | undefined) => Promise<readonly HistoryEntry[]>): Promise<ChangesPage> {
  const entries: HistoryEntry[] = [];
  let before = from;
  for (let page = 0; page < MOST_PAGES && entries.length < ENOUGH; page++) {
    const all = await read(before);
    entries.push(...all.filter((entry) => isBy(entry, agent)));
    if (all.length < SCAN_PAGE) return { entries };
    before = all[all.length - 1]!.first_seq;
  }
  return { entries, before };
}
