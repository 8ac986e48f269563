import { isRightToLeft, fitText } from "../text/ellipsis";
import { visibleText } from "../text/visibleText";
import { FONT_STACK } from "../theme";

export const CARD_TITLE_FONT = `600 12px ${FONT_STACK}`;
export const CARD_TYPE_FONT = `500 11px ${FONT_STACK}`;
export const CARD_LINE_FONT = `400 12px ${FONT_STACK}`;
export const CARD_PADDING = 8;
export const CARD_TITLE_HEIGHT = 16;
export const CARD_TYPE_HEIGHT = 14;
export const CARD_LINE_HEIGHT = 16;
const WIDEST = 220;
const TITLE_CHARACTERS = 40;
const TYPE_CHARACTERS = 32;
const LINES = 2;
/** Of an observation no more is looked at than could ever fit. */
const LOOKED_AT = 240;
const KEPT = 500;

/** What a node says of itself where it is seen from near: name, type, the beginning of an observation. */
export type NodeCard = { title: string; type: string; lines: string[]; width: number; height: number; rightToLeft: boolean };

type Measure = (text: string) => number;

/** Cut, broken into lines and measured once for each content. */
export class NodeCards {
  private readonly cards = new Map<string, { key: string; card: NodeCard }>();
  private readonly context = document.createElement("canvas").getContext("2d");

  of(id: string, name: string, type: string, observation: string | undefined): NodeCard {
    const key = `${name}\n${type}\n${observation ?? ""}`;
    const known = this.cards.get(id);
    if (known?.key === key) return known.card;
    if (this.cards.size >= KEPT) this.cards.clear();
    const card = this.make(name, type, observation);
    this.cards.set(id, { key, card });
    return card;
  }

  private make(name: string, typeName: string, observation: string | undefined): NodeCard {
    const inside = WIDEST - 2 * CARD_PADDING;
    const title = fitText(visibleText(name.slice(0, 600)).trim() || "·", TITLE_CHARACTERS, inside, this.measure(CARD_TITLE_FONT));
    const type = fitText(visibleText(typeName.slice(0, 600)), TYPE_CHARACTERS, inside, this.measure(CARD_TYPE_FONT));
    const measure = this.measure(CARD_LINE_FONT);
    const lines = observation === undefined || observation === "" ? [] : broken(visibleText(observation.slice(0, LOOKED_AT)).replace(/\s+/g, " ").trim(), inside, LINES, measure);
    const width = Math.ceil(Math.max(title.width, type.width, ...lines.map(measure))) + 2 * CARD_PADDING;
    const height = CARD_TITLE_HEIGHT + CARD_TYPE_HEIGHT + (lines.length > 0 ? 4 + lines.length * CARD_LINE_HEIGHT : 0) + 2 * CARD_PADDING - 2;
    return { title: title.text, type: type.text, lines, width, height, rightToLeft: isRightToLeft(observation ?? name) };
  }

  private measure(font: string): Measure {
    const { context } = this;
    return (text) => {
      if (context === null) return text.length * 7;
      context.font = font;
      return context.measureText(text).width;
    };
  }
}

const segmenter = typeof Intl.Segmenter === "function" ? new Intl.Segmenter(undefined, { granularity: "word" }) : undefined;
const ELLIPSIS = "…";

/** Into lines that fit: between spaces, else between words as the script has them; what does not fit ends in an ellipsis. */
export function broken(text: string, width: number, most: number, measure: Measure): string[] {
  const words = (part: string) => (segmenter === undefined || measure(part.trimEnd()) <= width ? [part] : Array.from(segmenter.segment(part), ({ segment }) => segment));
  const parts = text.split(/(?<= )/).flatMap(words);
  const lines: string[] = [];
  let line = "";
  for (let at = 0; at < parts.length; at++) {
    const longer = line + parts[at]!;
    if (measure(longer.trimEnd()) <= width) {
      line = longer;
      continue;
    }
    if (lines.length === most - 1) return [...lines, shortened(longer + parts.slice(at + 1).join(""), width, measure)];
    if (line.trim() === "") {
      // One word wider than a line.
      lines.push(shortened(longer, width, measure));
      line = "";
    } else {
      lines.push(line.trimEnd());
      line = parts[at]!.trimStart();
    }
  }
  return line.trim() === "" ? lines : [...lines, line.trimEnd()];
}

function shortened(text: string, width: number, measure: Measure): string {
  const characters = Array.from(text.trimEnd());
  let [low, high] = [0, characters.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (measure(characters.slice(0, middle).join("").trimEnd() + ELLIPSIS) <= width) low = middle;
    else high = middle - 1;
  }
  return low === characters.length ? text.trimEnd() : characters.slice(0, low).join("").trimEnd() + ELLIPSIS;
}
