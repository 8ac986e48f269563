import type { App } from "../app/createApp";

/** Places of the page by name, so that actions need no references into components. */
export const PANES = ["list", "canvas", "panel"] as const;
export type Pane = (typeof PANES)[number];

export function focusSearch(app: App): void {
  app.stores.panels.set((panels) => (panels.left ? panels : { ...panels, left: true }));
  // After the panel is there.
  requestAnimationFrame(() => {
    const box = document.querySelector<HTMLInputElement>("[data-search-box]");
    box?.focus();
    box?.select();
  });
}

export function openGraphPicker(): void {
  document.querySelector<HTMLButtonElement>("[data-graph-picker]")?.click();
}

export function focusNextPane(): void {
  const panes = PANES.map((pane) => document.querySelector<HTMLElement>(`[data-pane="${pane}"]`)).filter((pane) => pane !== null && pane.offsetParent !== null) as HTMLElement[];
  const at = panes.findIndex((pane) => pane.contains(document.activeElement));
  const next = panes[(at + 1) % panes.length];
  const target = next?.querySelector<HTMLElement>('[data-pane-entry], [role="application"]') ?? next;
  target?.focus();
}

export function focusCanvas(): void {
  document.querySelector<HTMLElement>('[data-pane="canvas"] [role="application"]')?.focus({ preventScroll: true });
}
