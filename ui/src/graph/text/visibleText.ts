/**
 * Text written by agents is shown as what it is. Characters that would hide text, reorder it or carry a message no
 * person sees (bidi controls, zero-width and tag characters, other controls) appear as a visible mark.
 */

/** Every character that needs a look; all others pass through untouched. */
// eslint-disable-next-line no-control-regex, no-misleading-character-class -- finding such characters is the purpose
const SUSPECT = /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb]|[\u{1bca0}-\u{1bca3}]|[\u{1d173}-\u{1d17a}]|[\u{e0000}-\u{e0fff}]/gu;

const JOINER_SCRIPTS = /[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Syriac}\p{Script=Mongolian}]/u;
// eslint-disable-next-line no-misleading-character-class -- any one of these is meant, not their combination
const PICTOGRAPH = /[\p{Extended_Pictographic}\u{fe0f}\u{1f3fb}-\u{1f3ff}]/u;
const IDEOGRAPH = /\p{Script=Han}/u;
const BLACK_FLAG = "\u{1f3f4}";

const SHORT_NAMES: Record<number, string> = {
  0x061c: "ALM", 0x200b: "ZWSP", 0x200c: "ZWNJ", 0x200d: "ZWJ", 0x200e: "LRM", 0x200f: "RLM", 0x202a: "LRE", 0x202b: "RLE",
  0x202c: "PDF", 0x202d: "LRO", 0x202e: "RLO", 0x2060: "WJ", 0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI", 0x2069: "PDI",
  0x00ad: "SHY", 0xfeff: "BOM",
};

export function visibleText(text: string): string {
  return text.replace(SUSPECT, (character, at: number) => {
    const code = character.codePointAt(0)!;
    if (code === 0x09 || code === 0x0a || code === 0x0d || code === 0x2028 || code === 0x2029 || code === 0x85) return " ";
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    if (code === 0x7f) return "\u2421";
    if (belongs(text, at, character, code)) return character;
    return `⟨${SHORT_NAMES[code] ?? code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}

/** Joiners shape several scripts and emoji, selectors choose glyphs: there they are spelling, not hiding. */
function belongs(text: string, at: number, character: string, code: number): boolean {
  if (code >= 0x180b && code <= 0x180f) return JOINER_SCRIPTS.test(before(text, at));
  if (code === 0x200c) return JOINER_SCRIPTS.test(before(text, at));
  if (code === 0x200d) {
    const previous = before(text, at);
    const next = String.fromCodePoint(text.codePointAt(at + character.length) ?? 0);
    return JOINER_SCRIPTS.test(previous) || (PICTOGRAPH.test(previous) && PICTOGRAPH.test(next));
  }
  if (code >= 0xe0100 && code <= 0xe01ef) return IDEOGRAPH.test(before(text, at));
  if (code >= 0xe0020 && code <= 0xe007f) return isFlagTag(text, at);
  return false;
}

function before(text: string, at: number): string {
  if (at === 0) return "";
  const low = text.charCodeAt(at - 1);
  return low >= 0xdc00 && low <= 0xdfff ? text.slice(Math.max(0, at - 2), at) : text.charAt(at - 1);
}

/** Tags follow a black flag in three flags; a run of them anywhere else is a hidden message. */
function isFlagTag(text: string, at: number): boolean {
  let start = at;
  let steps = 0;
  while (start >= 2 && steps <= 7) {
    const code = text.codePointAt(start - 2)!;
    if (String.fromCodePoint(code) === BLACK_FLAG) return true;
    if (code < 0xe0020 || code > 0xe007f) return false;
    start -= 2;
    steps++;
  }
  return false;
}
