import { hashKey, type QueryClient, type QueryKey } from "@tanstack/react-query";

/** Agents may write hundreds of times a second; panels refresh at this pace at most. */
const PAUSE_MS = 80;

/**
 * Refetches what is out of date, one round at a time. Invalidating on every event would restart running fetches
 * (they would never finish under a steady stream) or, without restarting, miss what came while they ran.
 */
export class RefreshQueue {
  private readonly waiting = new Map<string, QueryKey>();
  private running = false;

  constructor(private readonly queries: QueryClient) {}

  add(staleKeys: readonly QueryKey[]): void {
    for (const key of staleKeys) this.waiting.set(hashKey(key), key);
    if (!this.running && this.waiting.size > 0) void this.run();
  }

  private async run(): Promise<void> {
    this.running = true;
    while (this.waiting.size > 0) {
      const round = [...this.waiting.values()];
      this.waiting.clear();
      await Promise.all(round.map((queryKey) => this.queries.invalidateQueries({ queryKey })));
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    this.running = false;
  }
}
