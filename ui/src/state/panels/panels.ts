export type RightTab = "details" | "activity" | "agents";

/** `left` and `right` are what the person asked for; a narrow window may still hide what says nothing. */
export type Panels = { left: boolean; right: boolean; tab: RightTab; legend: boolean };

export const OPEN_PANELS: Panels = { left: true, right: true, tab: "details", legend: true };

export function toggle(panels: Panels, which: "left" | "right" | "legend"): Panels {
  return { ...panels, [which]: !panels[which] };
}

export function showTab(panels: Panels, tab: RightTab): Panels {
  return panels.right && panels.tab === tab ? panels : { ...panels, right: true, tab };
}

/** Its key or button opens a tab, and goes back to the details when it is what one sees. */
export function toggleTab(panels: Panels, tab: RightTab): Panels {
  return panels.right && panels.tab === tab ? { ...panels, tab: "details" } : showTab(panels, tab);
}
