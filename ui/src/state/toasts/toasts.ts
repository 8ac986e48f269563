export type Toast = {
  id: number;
  text: string;
  tone: "info" | "error";
  action?: { label: string; run: () => void };
  /** Milliseconds until it goes by itself; null stays until dismissed. */
  lasts: number | null;
};

/** More than this and they cover the canvas. */
const MOST = 3;

export function addToast(toasts: readonly Toast[], toast: Toast): readonly Toast[] {
  // Saying the same again replaces it: a failing retry must not pile up.
  return [...toasts.filter((each) => each.text !== toast.text), toast].slice(-MOST);
}

export function removeToast(toasts: readonly Toast[], id: number): readonly Toast[] {
  const rest = toasts.filter((toast) => toast.id !== id);
  return rest.length === toasts.length ? toasts : rest;
}
