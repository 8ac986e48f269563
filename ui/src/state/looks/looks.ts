import type { TypeColour } from "../../graph/types";

/** How each type is drawn, as the canvas decides it; lists and legend repeat it. */
export type Looks = { rows: readonly TypeColour[]; byType: ReadonlyMap<string, TypeColour> };

export const NO_LOOKS: Looks = { rows: [], byType: new Map() };

export function lookAt(looks: Looks, rows: readonly TypeColour[]): Looks {
  const same = rows.length === looks.rows.length && rows.every((row, at) => sameLook(row, looks.rows[at]!));
  return same ? looks : { rows, byType: new Map(rows.map((row) => [row.type, row])) };
}

function sameLook(a: TypeColour, b: TypeColour): boolean {
  return a.type === b.type && a.colour === b.colour && a.count === b.count && a.shape === b.shape && a.icon === b.icon;
}
