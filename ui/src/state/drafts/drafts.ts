/**
 * Text the person is typing, by field, outside the components: a live change, a re-render or a click elsewhere
 * never loses it. `base` is what the field held when the typing began; it decides what counts as a conflict.
 */
export type Draft = {
  base: string;
  text: string;
  /** The entity's `updated_at` that `base` belongs to. */
  seen?: number;
  error?: { message: string; hint?: string };
  /** What stands there now, once a save met it. */
  clash?: Clash;
};

export type Clash = { theirs: string; seen?: number };

export type Drafts = ReadonlyMap<string, Draft>;

export function draftKey(graph: string, entity: string, field: string): string {
  // A character no name can hold, so that no two keys meet.
  return [graph, entity, field].join("\u0000");
}

export function putDraft(drafts: Drafts, key: string, draft: Draft): Drafts {
  const next = new Map(drafts);
  next.set(key, draft);
  return next;
}

export function dropDraft(drafts: Drafts, key: string): Drafts {
  if (!drafts.has(key)) return drafts;
  const next = new Map(drafts);
  next.delete(key);
  return next;
}

/** What was typed for an entity and not saved: its fields and their drafts. */
export function draftsOf(drafts: Drafts, graph: string, entity: string): [string, Draft][] {
  const prefix = draftKey(graph, entity, "");
  return [...drafts].filter(([key, draft]) => key.startsWith(prefix) && draft.text !== draft.base).map(([key, draft]) => [key.slice(prefix.length), draft]);
}

/** The field changed under the person's hands, and not into what they were typing anyway. */
export function drifted(draft: Draft, current: string): boolean {
  return current !== draft.base && current !== draft.text;
}

export type Choice = "mine" | "theirs" | "both";

/** How a clash ends: a draft to save, a draft to go on with, or none. */
export function settle(draft: Draft, clash: Clash, choice: Choice, joint: string): Draft | null {
  if (choice === "theirs") return null;
  const text = choice === "mine" ? draft.text : clash.theirs + joint + draft.text;
  return { base: clash.theirs, text, seen: clash.seen };
}
