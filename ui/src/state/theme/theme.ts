import type { ThemeName } from "../../graph/types";

export type ThemeChoice = "system" | ThemeName;
export type Theme = { choice: ThemeChoice; system: ThemeName };

export function resolveTheme({ choice, system }: Theme): ThemeName {
  return choice === "system" ? system : choice;
}

export function isThemeChoice(value: unknown): value is ThemeChoice {
  return value === "system" || value === "light" || value === "dark";
}
