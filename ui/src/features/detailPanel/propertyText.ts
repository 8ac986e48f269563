/** Properties hold any JSON. Plain text is written plainly; everything else, and text that looks like JSON, as JSON. */

export function propertyText(value: unknown): string {
  if (typeof value === "string" && !readsAsJson(value)) return value;
  return JSON.stringify(value, null, 2) ?? "";
}

export type Parsed = { value: unknown } | { refused: "bad_json" | "null" };

export function parseProperty(text: string): Parsed {
  const trimmed = text.trim();
  try {
    const value: unknown = JSON.parse(trimmed);
    return value === null ? { refused: "null" } : { value };
  } catch {
    // What begins like JSON was meant as JSON; storing half an object as text would hide the mistake.
    return /^[[{"]/.test(trimmed) ? { refused: "bad_json" } : { value: text };
  }
}

function readsAsJson(text: string): boolean {
  const trimmed = text.trim();
  if (/^[[{"]/.test(trimmed)) return true;
  try {
    JSON.parse(trimmed);
    return true;
  } catch {
    return false;
  }
}
