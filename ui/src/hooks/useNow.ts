import { useSyncExternalStore } from "react";

const TICK_MS = 20_000;

let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

function tick(): void {
  now = Date.now();
  listeners.forEach((listener) => listener());
}

/** Milliseconds, one clock for all the "3 min ago" of the page. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}
