import type { SceneData } from "../graph/types";

type Header = Pick<SceneData, "graph" | "seq" | "settled" | "types" | "edgeTypes" | "ids" | "names" | "edgeIds">;

/**
 * The picture as the host sends it: `u32 header length | header JSON | padding | columns`. The columns are views
 * into the buffer; with 100,000 nodes a copy of each would be felt.
 */
export function decodeScene(bytes: ArrayBuffer): SceneData {
  if (bytes.byteLength < 4) throw new Error("the scene is shorter than its own length field");
  const headerLength = new DataView(bytes).getUint32(0, true);
  if (4 + headerLength > bytes.byteLength) throw new Error("the scene ends inside its header");
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, headerLength))) as Header;
  const [nodes, edges] = [header.ids.length, header.edgeIds.length];

  let offset = aligned(4 + headerLength);
  const take = (byteLength: number): number => {
    const start = offset;
    offset = aligned(start + byteLength);
    if (start + byteLength > bytes.byteLength) throw new Error("the scene ends inside a column");
    return start;
  };
  return {
    ...header,
    positions: new Float32Array(bytes, take(8 * nodes), 2 * nodes),
    edgeSource: new Uint32Array(bytes, take(4 * edges), edges),
    edgeTarget: new Uint32Array(bytes, take(4 * edges), edges),
    edgeWeight: new Float32Array(bytes, take(4 * edges), edges),
    typeIndex: new Uint16Array(bytes, take(2 * nodes), nodes),
    edgeTypeIndex: new Uint16Array(bytes, take(2 * edges), edges),
    pinned: new Uint8Array(bytes, take(nodes), nodes),
  };
}

function aligned(offset: number): number {
  return (offset + 3) & ~3;
}
