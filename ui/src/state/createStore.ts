import { useSyncExternalStore } from "react";

/** A small slice of state outside React, so that the canvas, the keys and the host can read and write it, too. */
export type Store<T> = {
  get: () => T;
  /** An update that returns the same object tells nobody. */
  set: (update: (state: T) => T) => void;
  subscribe: (listener: () => void) => () => void;
};

export function createStore<T>(initial: T): Store<T> {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    set(update) {
      const next = update(state);
      if (Object.is(next, state)) return;
      state = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** `select` must return a primitive or a reference that stays the same while nothing changed. */
export function useStore<T, S>(store: Store<T>, select: (state: T) => S): S {
  return useSyncExternalStore(store.subscribe, () => select(store.get()));
}
