import type { ArrangeKind, LayoutTopology } from "./types";

/**
 * A picture as the host takes it, little-endian; its form is told in `crates/gm-api/src/layout.rs`. Typed arrays are
 * little-endian on everything this runs on.
 */
const HEAD_WORDS = 6;
const QUIET = 1;
const HAS_ALPHA = 2;
const KIND_SHIFT = 8;
export const ARRANGE_KINDS: readonly ArrangeKind[] = ["force", "circle", "tree", "by_type"];

export type PictureOptions = {
  layout: number;
  quiet?: boolean;
  alpha?: number | undefined;
  arrange?: ArrangeKind;
  positions?: Float32Array;
  pinned?: Uint8Array;
  types?: ArrayLike<number>;
};

export function encodePicture(topology: LayoutTopology, options: PictureOptions): Uint8Array {
  const n = topology.nodeCount;
  const m = topology.edgeSource.length;
  const buffer = new ArrayBuffer(4 * HEAD_WORDS + 17 * n + 12 * m);
  const flags = (options.quiet === true ? QUIET : 0) | (options.alpha === undefined ? 0 : HAS_ALPHA)
    | (ARRANGE_KINDS.indexOf(options.arrange ?? "force") << KIND_SHIFT);
  new Uint32Array(buffer, 0, 5).set([options.layout, topology.version, n, m, flags]);
  new Float32Array(buffer, 20, 1)[0] = options.alpha ?? 0;
  let at = 4 * HEAD_WORDS;
  const floats = (count: number, from: Float32Array | undefined) => {
    if (from !== undefined) new Float32Array(buffer, at, count).set(from.subarray(0, count));
    at += 4 * count;
  };
  const words = (count: number, from: ArrayLike<number> | undefined) => {
    const column = new Uint32Array(buffer, at, count);
    if (from !== undefined) for (let i = 0; i < count; i++) column[i] = from[i]!;
    at += 4 * count;
  };
  floats(2 * n, options.positions);
  floats(n, topology.radius);
  words(n, options.types);
  words(m, topology.edgeSource);
  words(m, topology.edgeTarget);
  floats(m, topology.edgeWeight);
  if (options.pinned !== undefined) new Uint8Array(buffer, at, n).set(options.pinned.subarray(0, n));
  return new Uint8Array(buffer);
}

export type NativeFrame = { version: number; serial: number; alpha: number; settled: boolean; tickMs: number; positions: Float32Array };

/** Null when no frame came in time. */
export function decodeFrame(buffer: ArrayBuffer): NativeFrame | null {
  if (buffer.byteLength < 24) return null;
  const words = new Uint32Array(buffer, 0, 6);
  const floats = new Float32Array(buffer, 0, 6);
  const n = words[5]!;
  if (buffer.byteLength !== 24 + 8 * n) throw new RangeError("a layout frame is not whole");
  return { version: words[0]!, serial: words[1]!, alpha: floats[2]!, settled: words[3] === 1, tickMs: floats[4]!, positions: new Float32Array(buffer, 24, 2 * n) };
}

export type Groups = { count: number; modularity: number; of: Uint32Array };

export function decodeGroups(buffer: ArrayBuffer): Groups {
  return { count: new Uint32Array(buffer, 0, 1)[0]!, modularity: new Float32Array(buffer, 4, 1)[0]!, of: new Uint32Array(buffer, 8) };
}
