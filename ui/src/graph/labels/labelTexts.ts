import { fitText, isRightToLeft, LABEL_CHARACTERS } from "../text/ellipsis";
import { visibleText } from "../text/visibleText";
import { FONT_STACK } from "../theme";

export const LABEL_FONT = `500 12px ${FONT_STACK}`;
export const LABEL_FONT_STRONG = `600 12px ${FONT_STACK}`;
export const LABEL_HEIGHT = 16;
export const LABEL_MAX_WIDTH = 160;

export type LabelText = { text: string; width: number; rightToLeft: boolean };

type Entry = { name: string; resting?: LabelText; strong?: LabelText };

/** Names of nodes that have been seen recently; measuring a thousand labels takes longer than drawing them. */
const KEPT = 6000;

/** The text of each label, made harmless, cut to size and measured once per name. */
export class LabelTexts {
  private readonly entries = new Map<string, Entry>();
  private readonly context = document.createElement("canvas").getContext("2d");

  of(id: string, name: string, strong: boolean): LabelText {
    let entry = this.entries.get(id);
    if (entry?.name !== name) {
      if (this.entries.size >= KEPT) this.entries.clear();
      entry = { name };
      this.entries.set(id, entry);
    }
    return strong ? (entry.strong ??= this.cut(name, LABEL_FONT_STRONG)) : (entry.resting ??= this.cut(name, LABEL_FONT));
  }

  /** Whether asking would be free of charge. */
  has(id: string): boolean {
    return this.entries.has(id);
  }

  private cut(name: string, font: string): LabelText {
    const { context } = this;
    // A long name is shortened before its characters are examined one by one.
    const shown = visibleText(name.length > 600 ? `${name.slice(0, 300)}${name.slice(-300)}` : name).trim() || "·";
    if (context === null) return { text: shown, width: shown.length * 7, rightToLeft: false };
    context.font = font;
    const { text, width } = fitText(shown, LABEL_CHARACTERS, LABEL_MAX_WIDTH, (part) => context.measureText(part).width);
    return { text, width: Math.min(LABEL_MAX_WIDTH, Math.ceil(width)), rightToLeft: isRightToLeft(text) };
  }
}
