import type { SceneEvents } from "./types";

/** Typed events; a handler that throws must not stop the frame it was called from. */
export class SceneEmitter {
  private readonly handlers = new Map<keyof SceneEvents, Set<(...args: never[]) => void>>();

  on<K extends keyof SceneEvents>(event: K, handler: SceneEvents[K]): () => void {
    let set = this.handlers.get(event);
    if (set === undefined) this.handlers.set(event, (set = new Set()));
    set.add(handler);
    return () => set.delete(handler);
  }

  emit<K extends keyof SceneEvents>(event: K, ...args: Parameters<SceneEvents[K]>): void {
    for (const handler of this.handlers.get(event) ?? []) {
      try {
        (handler as (...values: Parameters<SceneEvents[K]>) => void)(...args);
      } catch (error) {
        console.error(`a handler of "${event}" failed`, error);
      }
    }
  }

  has(event: keyof SceneEvents): boolean {
    return (this.handlers.get(event)?.size ?? 0) > 0;
  }

  clear(): void {
    this.handlers.clear();
  }
}
