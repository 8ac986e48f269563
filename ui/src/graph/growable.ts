/** Typed arrays that grow by doubling, and the ranges of them that the renderer has not seen yet. */

type TypedArray = Float32Array | Uint32Array | Uint16Array | Uint8Array;

export function withCapacity<T extends TypedArray>(array: T, needed: number): T {
  if (array.length >= needed) return array;
  const grown = new (array.constructor as new (length: number) => T)(Math.max(needed, array.length * 2, 64));
  grown.set(array);
  return grown;
}

/** One span that covers everything touched: a live change is a few items, and the spans between are cheap. */
export class DirtyRange {
  from = Infinity;
  to = 0;

  add(index: number): void {
    if (index < this.from) this.from = index;
    if (index >= this.to) this.to = index + 1;
  }

  addAll(count: number): void {
    this.from = 0;
    this.to = Math.max(this.to, count);
  }

  get empty(): boolean {
    return this.to <= this.from;
  }

  clear(): void {
    this.from = Infinity;
    this.to = 0;
  }
}
