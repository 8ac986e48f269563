/** Where a key leads in a list; undefined for keys that are not about walking. */
export function nextIndex(key: string, at: number, total: number, page: number): number | undefined {
  if (total === 0) return undefined;
  const clamp = (index: number) => Math.max(0, Math.min(total - 1, index));
  switch (key) {
    case "ArrowDown": return clamp(at + 1);
    case "ArrowUp": return clamp(at - 1);
    case "PageDown": return clamp(at + page);
    case "PageUp": return clamp(at - page);
    case "Home": return 0;
    case "End": return total - 1;
    default: return undefined;
  }
}
