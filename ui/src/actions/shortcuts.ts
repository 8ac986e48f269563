/** Keys as text, "Mod+Shift+Z", matched against events and written for people. */

export const IS_MAC = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.userAgent);

type Pressed = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

export function matches(shortcut: string, event: Pressed, mac = IS_MAC): boolean {
  const parts = shortcut.split("+");
  const key = parts.pop()!;
  const wants = (name: string) => parts.includes(name);
  const mod = mac ? event.metaKey : event.ctrlKey;
  const other = mac ? event.ctrlKey : event.metaKey;
  if (wants("Mod") !== mod || other || wants("Alt") !== event.altKey) return false;
  // A character such as `?` may need Shift on one layout and not on another; letters and named keys say it themselves.
  const symbol = key.length === 1 && !/[a-z0-9]/i.test(key);
  if (!symbol && wants("Shift") !== event.shiftKey) return false;
  const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return pressed === (key.length === 1 ? key.toLowerCase() : key) || (key === "=" && event.key === "+");
}

const MAC_SIGNS: Record<string, string> = { Mod: "⌘", Shift: "⇧", Alt: "⌥", Backspace: "⌫", Delete: "⌦", Enter: "↩" };

export function shown(shortcut: string, mac = IS_MAC): string {
  const parts = shortcut.split("+").map((part) => (mac ? (MAC_SIGNS[part] ?? part) : part === "Mod" ? "Ctrl" : part === "-" ? "−" : part));
  return parts.join(mac ? "" : "+");
}
