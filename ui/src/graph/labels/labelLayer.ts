import type { Theme } from "../theme";
import { FONT_STACK } from "../theme";
import { EDGE_LABEL_CHARACTERS, fitText } from "../text/ellipsis";
import { visibleText } from "../text/visibleText";
import type { Point, VisibleLabel } from "../types";
import { EDGE_LABEL_HEIGHT, type EdgeLabel } from "./edgeLabels";
import type { ChosenLabel } from "./labelChooser";
import { LABEL_FONT, LABEL_FONT_STRONG } from "./labelTexts";
import { CARD_LINE_FONT, CARD_LINE_HEIGHT, CARD_PADDING, CARD_TITLE_FONT, CARD_TITLE_HEIGHT, CARD_TYPE_FONT, CARD_TYPE_HEIGHT, type NodeCard } from "./nodeCards";

const EDGE_FONT = `500 11px ${FONT_STACK}`;
const HALO = 3.5;
const MARGIN = 4;
const FADE_IN_MS = 120;
/** Fainter than the dots are would be a smudge; emoji keep their colours, so this is opacity and not a colour. */
const FADED_LABEL = 0.34;
const KEPT_SPRITES = 800;

const IN_MEMORY: CanvasRenderingContext2DSettings = { willReadFrequently: true };

type Sprite = { canvas: HTMLCanvasElement; used: number };

/**
 * Names over the picture, on a 2D canvas so that the platform's text engine shapes every script. A halo is dear to
 * stroke, so each label is drawn once into a canvas of its own and copied from there while the camera moves.
 */
export class LabelLayer {
  readonly canvas = createCanvas();
  /**
   * In memory ("read frequently" is how a page says so): where GL is software, a canvas of the graphics stack waits for
   * the whole picture before it accepts its first label; where it is not, copying a label costs next to nothing.
   */
  readonly context = this.canvas.getContext("2d", IN_MEMORY);
  private readonly sprites = new Map<string, Sprite>();
  private readonly since = new Map<string, number>();
  private readonly edgeTexts = new Map<string, { text: string; width: number }>();
  private dpr = 1;
  private drawn = 0;
  private shown: ChosenLabel[] = [];
  private offset: Point = { x: 0, y: 0 };

  resize(width: number, height: number, dpr: number): void {
    this.canvas.width = Math.max(1, Math.round(width * dpr));
    this.canvas.height = Math.max(1, Math.round(height * dpr));
    if (dpr !== this.dpr) this.sprites.clear();
    this.dpr = dpr;
  }

  edgeText(type: string): { text: string; width: number } {
    let entry = this.edgeTexts.get(type);
    if (entry === undefined) {
      const { context } = this;
      if (context === null) return { text: type, width: 0 };
      context.font = EDGE_FONT;
      entry = fitText(visibleText(type), EDGE_LABEL_CHARACTERS, 200, (part) => context.measureText(part).width);
      this.edgeTexts.set(type, entry);
    }
    return entry;
  }

  /** `beneath` draws under the names. Returns whether a label is still fading in and another frame is wanted. */
  draw(labels: ChosenLabel[], edgeLabels: readonly EdgeLabel[], theme: Theme, now: number, animate: boolean, beneath?: (context: CanvasRenderingContext2D) => void): boolean {
    const { context, dpr } = this;
    this.shown = labels;
    this.shift(0, 0);
    if (context === null) return false;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    beneath?.(context);
    context.setTransform(dpr, 0, 0, dpr, 0, 0);
    for (const label of edgeLabels) this.plate(label, theme);

    context.setTransform(1, 0, 0, 1, 0, 0);
    this.drawn++;
    let fading = false;
    const present = new Set<string>();
    for (const label of labels) {
      present.add(label.id);
      let since = this.since.get(label.id);
      if (since === undefined) this.since.set(label.id, (since = now));
      const age = animate ? (now - since) / FADE_IN_MS : 1;
      if (age < 1) fading = true;
      context.globalAlpha = Math.min(1, Math.max(0.15, age)) * (label.faded ? FADED_LABEL : 1);
      const sprite = this.spriteOf(label, theme);
      // Whole device pixels keep the text as sharp as it was drawn.
      context.drawImage(sprite, Math.round((label.box.x - MARGIN) * dpr), Math.round((label.box.y - MARGIN) * dpr));
    }
    context.globalAlpha = 1;
    for (const id of this.since.keys()) if (!present.has(id)) this.since.delete(id);
    this.dropOldSprites();
    return fading;
  }

  /** The camera panned: move what is drawn along instead of drawing it again. */
  shift(x: number, y: number): void {
    if (x === this.offset.x && y === this.offset.y) return;
    this.offset = { x, y };
    this.canvas.style.transform = x === 0 && y === 0 ? "" : `translate(${x}px, ${y}px)`;
  }

  /** The node whose card is there. */
  cardAt({ x, y }: Point): string | null {
    const [left, top] = [x - this.offset.x, y - this.offset.y];
    const hit = this.shown.find(({ card, box }) => card !== undefined && left >= box.x && left <= box.x + box.width && top >= box.y && top <= box.y + box.height);
    return hit?.id ?? null;
  }

  visibleLabels(): VisibleLabel[] {
    const { x, y } = this.offset;
    return this.shown.map(({ id, text, box, card }) => ({ id, text, ...box, x: box.x + x, y: box.y + y, ...(card === undefined ? {} : { lines: card.lines }) }));
  }

  private spriteOf(label: ChosenLabel, theme: Theme): HTMLCanvasElement {
    const style = label.strong ? "s" : label.landmark && !label.faded ? "l" : "r";
    const key = label.card === undefined ? `${theme.name}${style}${label.text}` : `${theme.name}card${label.id}\n${label.card.title}\n${label.card.type}\n${label.card.lines.join("\n")}`;
    let sprite = this.sprites.get(key);
    if (sprite === undefined) {
      sprite = { canvas: label.card === undefined ? this.drawSprite(label, theme) : this.drawCard(label.card, theme), used: 0 };
      this.sprites.set(key, sprite);
    }
    sprite.used = this.drawn;
    return sprite.canvas;
  }

  private drawSprite({ text, box, strong, landmark, faded, rightToLeft }: ChosenLabel, theme: Theme): HTMLCanvasElement {
    const canvas = document.createElement("canvas");
    canvas.width = Math.ceil((box.width + 2 * MARGIN) * this.dpr);
    canvas.height = Math.ceil((box.height + 2 * MARGIN) * this.dpr);
    const context = canvas.getContext("2d", IN_MEMORY);
    if (context === null) return canvas;
    context.scale(this.dpr, this.dpr);
    context.font = strong ? LABEL_FONT_STRONG : LABEL_FONT;
    context.direction = rightToLeft ? "rtl" : "ltr";
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = HALO;
    context.strokeStyle = theme.halo;
    const [x, y] = [MARGIN + box.width / 2, MARGIN + box.height / 2 + 0.5];
    // The width was measured in the same font: the limit only guards against a face that loads late.
    context.strokeText(text, x, y, box.width + 1);
    context.fillStyle = strong || (landmark && !faded) ? theme.labelStrong : theme.labelResting;
    context.fillText(text, x, y, box.width + 1);
    return canvas;
  }

  private drawCard(card: NodeCard, theme: Theme): HTMLCanvasElement {
    const canvas = document.createElement("canvas");
    canvas.width = Math.ceil((card.width + 2 * MARGIN) * this.dpr);
    canvas.height = Math.ceil((card.height + 2 * MARGIN) * this.dpr);
    const context = canvas.getContext("2d", IN_MEMORY);
    if (context === null) return canvas;
    context.scale(this.dpr, this.dpr);
    context.beginPath();
    context.roundRect(MARGIN + 0.5, MARGIN + 0.5, card.width - 1, card.height - 1, 6);
    context.fillStyle = theme.plate;
    context.fill();
    context.lineWidth = 1;
    context.strokeStyle = theme.plateBorder;
    context.stroke();
    context.direction = card.rightToLeft ? "rtl" : "ltr";
    context.textAlign = "start";
    context.textBaseline = "middle";
    const x = MARGIN + (card.rightToLeft ? card.width - CARD_PADDING : CARD_PADDING);
    let y = MARGIN + CARD_PADDING - 1;
    const write = (text: string, font: string, colour: string, height: number) => {
      context.font = font;
      context.fillStyle = colour;
      context.fillText(text, x, y + height / 2 + 0.5);
      y += height;
    };
    write(card.title, CARD_TITLE_FONT, theme.labelStrong, CARD_TITLE_HEIGHT);
    write(card.type, CARD_TYPE_FONT, theme.labelResting, CARD_TYPE_HEIGHT);
    y += 4;
    for (const line of card.lines) write(line, CARD_LINE_FONT, theme.labelStrong, CARD_LINE_HEIGHT);
    return canvas;
  }

  private plate({ text, box }: EdgeLabel, theme: Theme): void {
    const { context } = this;
    if (context === null) return;
    context.beginPath();
    context.roundRect(Math.round(box.x) + 0.5, Math.round(box.y) + 0.5, Math.round(box.width) - 1, EDGE_LABEL_HEIGHT - 1, 4);
    context.fillStyle = theme.plate;
    context.fill();
    context.lineWidth = 1;
    context.strokeStyle = theme.plateBorder;
    context.stroke();
    context.font = EDGE_FONT;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillStyle = theme.labelResting;
    context.fillText(text, box.x + box.width / 2, Math.round(box.y) + box.height / 2 + 0.5);
  }

  private dropOldSprites(): void {
    if (this.sprites.size <= KEPT_SPRITES) return;
    for (const [key, sprite] of this.sprites) if (sprite.used < this.drawn) this.sprites.delete(key);
  }
}

function createCanvas(): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.setAttribute("aria-hidden", "true");
  Object.assign(canvas.style, { position: "absolute", inset: "0", width: "100%", height: "100%", pointerEvents: "none" });
  return canvas;
}
