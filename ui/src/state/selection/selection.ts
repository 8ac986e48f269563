/** Which entities are selected, in the order they were chosen. */
export type Selection = { ids: readonly string[]; set: ReadonlySet<string> };

export const NOTHING: Selection = { ids: [], set: new Set() };

export function selectOnly(selection: Selection, ids: readonly string[]): Selection {
  const unique = new Set(ids);
  if (unique.size === selection.ids.length && selection.ids.every((id) => unique.has(id))) return selection;
  return unique.size === 0 ? NOTHING : { ids: [...unique], set: unique };
}

export function toggleSelected(selection: Selection, id: string): Selection {
  return selectOnly(selection, selection.set.has(id) ? selection.ids.filter((each) => each !== id) : [...selection.ids, id]);
}

export function addSelected(selection: Selection, ids: readonly string[]): Selection {
  return selectOnly(selection, [...selection.ids, ...ids]);
}
