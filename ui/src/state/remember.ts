/** Small preferences of this machine. Storage may be full, forbidden or hold anything: nothing depends on it. */
const PREFIX = "graph-mem.";

export function remembered<T>(key: string, accepts: (value: unknown) => value is T): T | undefined {
  try {
    const text = window.localStorage.getItem(PREFIX + key);
    const value: unknown = text === null ? undefined : JSON.parse(text);
    return accepts(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function remember(key: string, value: unknown): void {
  try {
    window.localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // A preference that cannot be kept is set again by hand; that is all.
  }
}

export function isText(value: unknown): value is string {
  return typeof value === "string";
}
