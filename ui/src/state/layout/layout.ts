import type { LayoutSettings } from "../../layout/types";

/** How the picture is laid out: factors of the explorer's own forces, as the person set them. */
export const OWN_SETTINGS: LayoutSettings = { link_distance: 1, link_strength: 1, repulsion: 1, damping: 1, gravity: 1, theta: 0.9 };

export type PresetName = "balanced" | "compact" | "spacious" | "clusters";

export const PRESETS: Record<PresetName, LayoutSettings> = {
  balanced: OWN_SETTINGS,
  compact: { ...OWN_SETTINGS, link_distance: 0.6, repulsion: 0.45, gravity: 1.6 },
  spacious: { ...OWN_SETTINGS, link_distance: 1.6, repulsion: 2, gravity: 0.7 },
  clusters: { ...OWN_SETTINGS, link_distance: 0.5, link_strength: 1.5, repulsion: 1.3, gravity: 0.6 },
};

/** What a slider may be set to. */
export const RANGES: Record<keyof LayoutSettings, { min: number; max: number; step: number }> = {
  link_distance: { min: 0.2, max: 4, step: 0.1 },
  link_strength: { min: 0.1, max: 2, step: 0.1 },
  repulsion: { min: 0.1, max: 4, step: 0.1 },
  damping: { min: 0.3, max: 2, step: 0.1 },
  gravity: { min: 0, max: 4, step: 0.1 },
  theta: { min: 0.3, max: 1.5, step: 0.1 },
};

export type LayoutView = { open: boolean; settings: LayoutSettings; paused: boolean };

export const OWN_LAYOUT: LayoutView = { open: false, settings: OWN_SETTINGS, paused: false };

export function presetOf(settings: LayoutSettings): PresetName | null {
  const same = (preset: LayoutSettings) => (Object.keys(preset) as (keyof LayoutSettings)[]).every((key) => preset[key] === settings[key]);
  return (Object.keys(PRESETS) as PresetName[]).find((name) => same(PRESETS[name])) ?? null;
}

export function isSettings(value: unknown): value is LayoutSettings {
  if (typeof value !== "object" || value === null) return false;
  return (Object.keys(RANGES) as (keyof LayoutSettings)[]).every((key) => {
    const setting = (value as Record<string, unknown>)[key];
    return typeof setting === "number" && setting >= RANGES[key].min && setting <= RANGES[key].max;
  });
}
