import type { Conflict } from "../../data/conflicts";
import type { Restored, TrashEntry } from "../../ipc/parts";
import { t } from "../../strings";

const DAY_SECONDS = 24 * 60 * 60;
/** A toast and a checkbox name a thing; what an observation said at length stands in its row. */
const LABEL_CHARACTERS = 60;

/** To the nearest day, since the page's clock ticks slowly and what was just deleted has thirty; 0 is today. */
export function daysLeft(expiresAt: number, nowMs: number): number {
  return Math.max(0, Math.round((expiresAt - nowMs / 1000) / DAY_SECONDS));
}

export function shortLabel(label: string): string {
  const [line = ""] = label.split(/[\r\n]/, 1);
  return line.length > LABEL_CHARACTERS ? `${line.slice(0, LABEL_CHARACTERS)}…` : line;
}

/** What came back, by name if it was one thing, and what did not. */
export function restoredText(chosen: readonly TrashEntry[], { entities, observations, relationships, left }: Restored): string {
  const only = chosen.length === 1 ? chosen[0] : undefined;
  if (entities + observations + relationships === 0) return t.trash.nothingCame;
  return [t.trash.came(only === undefined ? t.trash.cameMany({ entities, observations, relationships }) : oneThing(only, observations, relationships)), ...(left > 0 ? [t.trash.stays(left)] : [])].join(". ");
}

function oneThing({ kind, label }: TrashEntry, observations: number, relationships: number): string {
  const name = t.trash.thing(kind, shortLabel(label));
  return kind === "entity" && observations + relationships > 0 ? `${name} ${t.trash.withIt(observations, relationships)}` : name;
}

/** Why nothing was restored: the first thing in the way, by name, and how many more. */
export function inTheWay(conflicts: readonly Conflict[], entries: readonly TrashEntry[]): string {
  const [first] = conflicts;
  if (first === undefined) return "";
  const entry = entries.find(({ id }) => id === first.object_id);
  return t.trash.inTheWay(shortLabel(entry?.label ?? t.undo.objectKind(first.object_kind)), first.reason, conflicts.length - 1);
}
