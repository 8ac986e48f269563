import type { SceneColumns } from "./columns";
import { easeOut } from "./cameraMotion";
import type { Ring } from "./renderer/types";
import type { Theme } from "./theme";

export type PulseKind = "added" | "changed";

const PULSE_MS = 900;
/** Without motion a still ring has to be on long enough to be found. */
const STILL_MS = 4000;
/** A bulk write of hundreds would light up the whole canvas; the newest speak for the rest. */
const MOST = 40;

/** The single ring that marks what just changed, whoever changed it. */
export class Pulses {
  private readonly started = new Map<string, { kind: PulseKind; at: number }>();

  start(ids: readonly string[], kind: PulseKind, now: number): void {
    for (const id of ids.slice(-MOST)) {
      this.started.delete(id);
      this.started.set(id, { kind, at: now });
    }
    for (const id of this.started.keys()) {
      if (this.started.size <= MOST) break;
      this.started.delete(id);
    }
  }

  clear(): void {
    this.started.clear();
  }

  get running(): boolean {
    return this.started.size > 0;
  }

  nodes(columns: SceneColumns): number[] {
    return [...this.started.keys()].flatMap((id) => columns.indexOf(id) ?? []);
  }

  rings(columns: SceneColumns, theme: Theme, still: boolean, now: number): Ring[] {
    const rings: Ring[] = [];
    for (const [id, { kind, at }] of this.started) {
      const node = columns.indexOf(id);
      const share = Math.max(0, (now - at) / (still ? STILL_MS : PULSE_MS));
      if (share >= 1 || node === undefined) {
        this.started.delete(id);
        continue;
      }
      const colour = kind === "added" ? theme.added : theme.changed;
      if (still) rings.push({ node, colour, opacity: 1, gap: 3, width: 2, dashed: false });
      else rings.push({ node, colour, opacity: 1 - share ** 2, gap: 2 + 22 * easeOut(share), width: 2.5 - 1.5 * share, dashed: false });
    }
    return rings;
  }
}
