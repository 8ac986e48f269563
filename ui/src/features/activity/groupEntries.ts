import type { HistoryEntry } from "../../ipc/generated/wire";

/** Neighbouring entries of one author, as one piece of work. */
export type Work = { key: string; by: HistoryEntry["by"]; entries: HistoryEntry[] };

/** A pause longer than this begins another piece of work. */
const PAUSE_SECONDS = 30 * 60;

export function groupEntries(entries: readonly HistoryEntry[]): Work[] {
  const works: Work[] = [];
  for (const entry of entries) {
    const last = works[works.length - 1];
    const previous = last?.entries[last.entries.length - 1];
    const sameAuthor = last !== undefined && last.by.actor === entry.by.actor && last.by.is_agent === entry.by.is_agent;
    if (sameAuthor && previous !== undefined && previous.by.time - entry.by.time < PAUSE_SECONDS) last.entries.push(entry);
    else works.push({ key: entry.transaction, by: entry.by, entries: [entry] });
  }
  return works;
}
