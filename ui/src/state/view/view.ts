/** What the person hides from view. Nothing here touches the memory itself. */
export type View = {
  hiddenTypes: ReadonlySet<string>;
  /** How many of the most linked entities of a large graph stand out; the others are there, more quietly. */
  inFocus: number;
};

/** A picture up to here is read as it is; of a larger one, so many stand out at first. */
export const IN_FOCUS = 250;

export const WHOLE_VIEW: View = { hiddenTypes: new Set(), inFocus: IN_FOCUS };

/** How many stand out of so many; 0 when all count alike. */
export function coreOf(view: View, nodes: number): number {
  return nodes > view.inFocus ? view.inFocus : 0;
}

/** Four times as many, or all. */
export function moreInFocus(view: View, nodes: number): View {
  const more = view.inFocus * 4;
  return { ...view, inFocus: more >= nodes ? Infinity : more };
}

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
