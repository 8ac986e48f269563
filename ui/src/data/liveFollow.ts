import type { SceneBatch, SceneDelta } from "../ipc/generated/wire";

const FIRST_RETRY_MS = 300;
const LONGEST_RETRY_MS = 5_000;

type Ends = {
  changesSince: (graph: string, seq: number) => Promise<SceneDelta>;
  apply: (batches: readonly SceneBatch[]) => void;
  /** Load the picture anew; answers the position it shows. */
  reload: (graph: string) => Promise<number>;
};

/**
 * Keeps the picture at the journal's head: a notice says that there is something, the pull says what. One pull at
 * a time; notices meanwhile become one more pull, so nothing is lost and nothing is asked twice.
 */
export class LiveFollow {
  private graph: string | null = null;
  private position = 0;
  private wanted = false;
  private running = false;
  /** Pulls of a graph that was left meanwhile must not touch the one that is open now. */
  private generation = 0;

  constructor(private readonly ends: Ends) {}

  get seq(): number {
    return this.position;
  }

  begin(graph: string, seq: number): void {
    this.generation++;
    this.running = false;
    this.wanted = false;
    this.graph = graph;
    this.position = seq;
  }

  stop(): void {
    this.generation++;
    this.graph = null;
    this.running = false;
    this.wanted = false;
  }

  /** Something may have happened; with `seq`, something up to there. */
  notify(seq?: number): void {
    if (this.graph === null || (seq !== undefined && seq <= this.position)) return;
    this.wanted = true;
    if (!this.running) void this.run(this.graph, this.generation);
  }

  private async run(graph: string, generation: number): Promise<void> {
    this.running = true;
    let retry = FIRST_RETRY_MS;
    while (this.wanted) {
      this.wanted = false;
      try {
        const delta = await this.ends.changesSince(graph, this.position);
        if (generation !== this.generation) return;
        if (delta.reload) {
          const seq = await this.ends.reload(graph);
          if (generation !== this.generation) return;
          this.position = seq;
        } else {
          this.position = delta.seq;
          if (delta.batches.length > 0) this.ends.apply(delta.batches);
        }
        retry = FIRST_RETRY_MS;
      } catch {
        if (generation !== this.generation) return;
        // The file may be busy or the host away for a moment; what was announced is still owed.
        this.wanted = true;
        await new Promise((resolve) => setTimeout(resolve, retry));
        if (generation !== this.generation) return;
        retry = Math.min(LONGEST_RETRY_MS, retry * 2);
      }
    }
    this.running = false;
  }
}
