import { contrast, parseHex, type Rgb } from "./colour";
import type { Theme } from "./theme";
import type { TypeShape } from "./types";

/**
 * How each entity type is told apart. The first eight have a palette slot and are dots; the rest share the neutral
 * grey, so from the ninth on the shape differs. A letter joins inside dots with room for it: colour is never
 * the only sign.
 */
export type TypeLook = { colour: Rgb; shape: TypeShape; icon: string; ink: Rgb };

export const SHAPES: readonly TypeShape[] = ["circle", "square", "diamond", "triangle", "hexagon", "plus"];

const WHITE = parseHex("#FFFFFF");
const NEAR_BLACK = parseHex("#14171D");

export function typeLooks(types: readonly string[], theme: Theme): TypeLook[] {
  const icons = typeIcons(types);
  return types.map((_, index) => {
    const colour = theme.slots[index] ?? theme.neutral;
    const beyond = index - theme.slots.length;
    return {
      colour,
      shape: beyond < 0 ? "circle" : SHAPES[1 + (beyond % (SHAPES.length - 1))]!,
      icon: icons[index]!,
      ink: contrast(colour, WHITE) >= contrast(colour, NEAR_BLACK) ? WHITE : NEAR_BLACK,
    };
  });
}

/** The first letter of each type, or the first and a later one where the first is taken. */
export function typeIcons(types: readonly string[]): string[] {
  const taken = new Set<string>();
  return types.map((type) => {
    const letters = Array.from(type.normalize("NFC")).filter((letter) => /[\p{L}\p{N}]/u.test(letter));
    const first = letters[0]?.toLocaleUpperCase("en") ?? "?";
    const candidates = [first, ...letters.slice(1).map((letter) => first + letter.toLocaleLowerCase("en"))];
    const icon = candidates.find((candidate) => !taken.has(candidate)) ?? first;
    taken.add(icon);
    return icon;
  });
}

/** The outline of a shape in a 24 × 24 box, as an SVG path, so that the legend and the canvas agree. */
export function shapePath(shape: TypeShape): string {
  switch (shape) {
    case "circle":
      return "M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18z";
    case "square":
      return "M5 4h14a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1z";
    case "diamond":
      return "M12 1.5 22.5 12 12 22.5 1.5 12z";
    case "triangle":
      return "M12 2.5 22 20H2z";
    case "hexagon":
      return "M7 3.3h10L22 12l-5 8.7H7L2 12z";
    case "plus":
      return "M9 3h6v6h6v6h-6v6H9v-6H3V9h6z";
  }
}
