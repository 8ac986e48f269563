/** Cutting names for labels: in the middle, because names that share a beginning often differ at the end. */

export const LABEL_CHARACTERS = 24;
export const EDGE_LABEL_CHARACTERS = 32;
const ELLIPSIS = "…";

const segmenter = typeof Intl.Segmenter === "function" ? new Intl.Segmenter(undefined, { granularity: "grapheme" }) : undefined;

/** What a reader counts as characters: an emoji family or a letter with its marks is one. */
export function graphemes(text: string): string[] {
  return segmenter === undefined ? Array.from(text) : Array.from(segmenter.segment(text), (part) => part.segment);
}

/** At most `limit` characters, the ellipsis among them. */
export function middleEllipsis(text: string, limit: number): string {
  // A name of 500 characters need not be segmented whole: what lies between the ends is cut anyway.
  const long = text.length > limit * 16;
  const parts = long ? [...graphemes(text.slice(0, limit * 8)), ...graphemes(text.slice(-limit * 8))] : graphemes(text);
  if (parts.length <= limit) return text;
  if (limit <= 1) return ELLIPSIS;
  const kept = limit - 1;
  const head = Math.ceil(kept / 2);
  return parts.slice(0, head).join("").trimEnd() + ELLIPSIS + parts.slice(parts.length - (kept - head)).join("").trimStart();
}

/** Cut further until `measure` says that it fits: 24 wide characters are more than 160 pixels. */
export function fitText(text: string, limit: number, maxWidth: number, measure: (text: string) => number): { text: string; width: number } {
  let cut = middleEllipsis(text, limit);
  let width = measure(cut);
  let characters = Math.min(limit, graphemes(cut).length);
  while (width > maxWidth && characters > 2) {
    characters = Math.min(characters - 1, Math.max(2, Math.floor((characters * maxWidth) / width)));
    cut = middleEllipsis(text, characters);
    width = measure(cut);
  }
  return { text: cut, width };
}

/** The base direction, by the first letter that has one. */
export function isRightToLeft(text: string): boolean {
  const strong = /\p{L}/u.exec(text)?.[0];
  return strong !== undefined && /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(strong);
}
