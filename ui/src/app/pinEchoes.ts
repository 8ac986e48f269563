import type { SceneOp } from "../graph/types";

type At = { x: number; y: number } | null;

/**
 * Pins of the person come back as live changes. By then the node may be in the hand again, and putting it where it
 * was a quarter of a second ago would tear it away; so what we sent ourselves is not applied a second time.
 */
export class PinEchoes {
  private readonly sent = new Map<string, At[]>();

  expect(id: string, at: At): void {
    this.sent.set(id, [...(this.sent.get(id) ?? []), at]);
  }

  /** The host refused: nothing will come back. */
  forget(id: string): void {
    this.sent.delete(id);
  }

  isEcho(op: SceneOp): boolean {
    if (op.op !== "pin") return false;
    const waiting = this.sent.get(op.id);
    const found = waiting?.findIndex((at) => (at === null ? op.x === null : near(at.x, op.x) && near(at.y, op.y))) ?? -1;
    if (waiting === undefined || found < 0) return false;
    // An earlier pin that never came back was overtaken by this one.
    const rest = waiting.slice(found + 1);
    if (rest.length > 0) this.sent.set(op.id, rest);
    else this.sent.delete(op.id);
    return true;
  }

  clear(): void {
    this.sent.clear();
  }
}

function near(a: number, b: number | null): boolean {
  return b !== null && Math.abs(a - b) < 1e-3;
}
