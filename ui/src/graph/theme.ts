import { cssColour, mix, parseHex, type Rgb } from "./colour";
import type { ThemeName } from "./types";

/** Eight slots, the same order in both themes, found by search (contrast and difference are unit-tested). */
export const PALETTE: Record<ThemeName, readonly string[]> = {
  light: ["#4961FE", "#BE130D", "#337E4F", "#E84185", "#A38C23", "#249AB4", "#620E9B", "#742B42"],
  dark: ["#97AFFF", "#E98A04", "#0C986E", "#C35096", "#E2D77A", "#52E5DB", "#7960FE", "#E62E43"],
};

export type Theme = {
  name: ThemeName;
  canvas: Rgb;
  labelStrong: string;
  labelResting: string;
  /** Drawn under text so that it stays readable over edges. */
  halo: string;
  plate: string;
  plateBorder: string;
  edge: Rgb;
  /** Edges of the hovered or selected nodes. */
  edgeLit: Rgb;
  neutral: Rgb;
  accent: Rgb;
  added: Rgb;
  changed: Rgb;
  slots: readonly Rgb[];
};

type Tokens = {
  canvas: string;
  strong: string;
  resting: string;
  edge: string;
  edgeLit: string;
  neutral: string;
  accent: string;
  added: string;
  changed: string;
};

const TOKENS: Record<ThemeName, Tokens> = {
  light: {
    canvas: "#F7F8FA",
    strong: "#1B1F27",
    resting: "#5B6272",
    edge: "#8A909C",
    edgeLit: "#4A5162",
    neutral: "#7A808C",
    accent: "#2F5BEA",
    added: "#1F8A4C",
    changed: "#2F5BEA",
  },
  dark: {
    canvas: "#14171D",
    strong: "#E6E9EF",
    resting: "#AEB5C2",
    edge: "#5F6775",
    edgeLit: "#B4BCCB",
    neutral: "#8A92A0",
    accent: "#7FA2FF",
    added: "#3FCB7F",
    changed: "#7FA2FF",
  },
};

function build(name: ThemeName): Theme {
  const tokens = TOKENS[name];
  const canvas = parseHex(tokens.canvas);
  return {
    name,
    canvas,
    labelStrong: tokens.strong,
    labelResting: tokens.resting,
    halo: tokens.canvas,
    plate: cssColour(mix(canvas, name === "light" ? [1, 1, 1] : parseHex(tokens.edge), name === "light" ? 1 : 0.16)),
    plateBorder: cssColour(mix(canvas, parseHex(tokens.edge), 0.45)),
    edge: parseHex(tokens.edge),
    edgeLit: parseHex(tokens.edgeLit),
    neutral: parseHex(tokens.neutral),
    accent: parseHex(tokens.accent),
    added: parseHex(tokens.added),
    changed: parseHex(tokens.changed),
    slots: PALETTE[name].map(parseHex),
  };
}

export const THEMES: Record<ThemeName, Theme> = { light: build("light"), dark: build("dark") };

/** The platform's own face, so that every script matches the rest of the desktop. */
export const FONT_STACK = 'system-ui, -apple-system, "Segoe UI", "Noto Sans", "Helvetica Neue", Arial, sans-serif';
