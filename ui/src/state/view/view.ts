/** What the person hides from view. Nothing here touches the memory itself. */
export type View = { hiddenTypes: ReadonlySet<string> };

export const WHOLE_VIEW: View = { hiddenTypes: new Set() };

export function toggleType(view: View, type: string): View {
  const hidden = new Set(view.hiddenTypes);
  if (!hidden.delete(type)) hidden.add(type);
  return { ...view, hiddenTypes: hidden };
}

/** Only this type, or everything again if it was alone already. */
export function soloType(view: View, type: string, all: readonly string[]): View {
  const others = all.filter((each) => each !== type);
  const alone = !view.hiddenTypes.has(type) && others.length > 0 && others.every((each) => view.hiddenTypes.has(each));
  return { ...view, hiddenTypes: new Set(alone ? [] : others) };
}

export function showAll(view: View): View {
  return view.hiddenTypes.size === 0 ? view : { ...view, hiddenTypes: new Set() };
}
