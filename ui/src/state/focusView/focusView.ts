import type { Focus } from "../../graph/subset";

/** One thing that was looked at: the whole graph (`focus` null) or a neighbourhood, with camera and selection. */
export type Look = { focus: Focus | null; camera: { x: number; y: number; zoom: number } | null; selection: readonly string[] };

export type FocusView = {
  now: Focus | null;
  /** Entities in the neighbourhood. */
  count: number;
  relations: readonly string[];
  past: readonly Look[];
  future: readonly Look[];
};

export const NO_FOCUS: FocusView = { now: null, count: 0, relations: [], past: [], future: [] };

export const MIN_DEPTH = 1;
export const MAX_DEPTH = 4;
const MOST_LOOKS = 50;

/** Going somewhere new: what was seen until now can be gone back to, what lay ahead is forgotten. */
export function went(view: FocusView, from: Look, to: Focus | null): FocusView {
  return { ...view, now: to, past: [...view.past, from].slice(-MOST_LOOKS), future: [] };
}

export function wentBack(view: FocusView, from: Look): { view: FocusView; look: Look } | null {
  const look = view.past.at(-1);
  return look === undefined ? null : { look, view: { ...view, now: look.focus, past: view.past.slice(0, -1), future: [from, ...view.future].slice(0, MOST_LOOKS) } };
}

export function wentForward(view: FocusView, from: Look): { view: FocusView; look: Look } | null {
  const look = view.future[0];
  return look === undefined ? null : { look, view: { ...view, now: look.focus, past: [...view.past, from].slice(-MOST_LOOKS), future: view.future.slice(1) } };
}
