import type { SceneData } from "../../graph/types";

/** The host's side of `decodeScene`, for the fake and the tests. */
export function encodeScene(data: SceneData): ArrayBuffer {
  const { graph, seq, settled, types, edgeTypes, ids, names, edgeIds } = data;
  const header = new TextEncoder().encode(JSON.stringify({ graph, seq, settled, types, edgeTypes, ids, names, edgeIds }));
  const columns = [data.positions, data.edgeSource, data.edgeTarget, data.edgeWeight, data.typeIndex, data.edgeTypeIndex, data.pinned];
  const start = padded(4 + header.length);
  const bytes = new ArrayBuffer(columns.reduce((sum, column) => sum + padded(column.byteLength), start));
  new DataView(bytes).setUint32(0, header.length, true);
  const all = new Uint8Array(bytes);
  all.set(header, 4);
  let offset = start;
  for (const column of columns) {
    all.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), offset);
    offset += padded(column.byteLength);
  }
  return bytes;
}

function padded(length: number): number {
  return (length + 3) & ~3;
}
