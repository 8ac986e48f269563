/** The left list's filters. `text` is what stands in the box; the query follows it after a short pause. */
export type ListFilter = { text: string; type: string | null; order: "name" | "updated" };

export const NO_FILTER: ListFilter = { text: "", type: null, order: "name" };
