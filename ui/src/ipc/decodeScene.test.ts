import { describe, expect, it } from "vitest";
import type { SceneData } from "../graph/types";
import { decodeScene } from "./decodeScene";
import { encodeScene } from "./fake/encodeScene";

const SCENE: SceneData = {
  graph: "notes", seq: 7, settled: true,
  types: ["person", "Ω"], edgeTypes: ["knows"],
  ids: ["a", "b", "c"], names: ["Ada", "漢字 🙂", "<img src=x>"], edgeIds: ["e"],
  positions: Float32Array.of(1, 2, -3, 4, 5.5, 6),
  edgeSource: Uint32Array.of(2), edgeTarget: Uint32Array.of(0), edgeWeight: Float32Array.of(0.5),
  typeIndex: Uint16Array.of(0, 1, 0), edgeTypeIndex: Uint16Array.of(0), pinned: Uint8Array.of(0, 1, 0),
};

describe("decodeScene", () => {
  it("reads back what the host wrote", () => {
    expect(decodeScene(encodeScene(SCENE))).toEqual(SCENE);
  });

  it("lays its columns over the bytes instead of copying them", () => {
    const bytes = encodeScene(SCENE);
    const { positions, typeIndex, pinned } = decodeScene(bytes);
    expect(positions.buffer).toBe(bytes);
    expect(typeIndex.buffer).toBe(bytes);
    expect(pinned.buffer).toBe(bytes);
  });

  it("follows the byte layout of the host to the letter", () => {
    const header = new TextEncoder().encode('{"graph":"g","seq":1,"settled":false,"types":["t"],"edgeTypes":[],"ids":["a"],"names":["A"],"edgeIds":[]}');
    const start = (4 + header.length + 3) & ~3;
    const bytes = new ArrayBuffer(start + 8 + 4 + 4);
    const view = new DataView(bytes);
    view.setUint32(0, header.length, true);
    new Uint8Array(bytes).set(header, 4);
    view.setFloat32(start, 1.5, true);
    view.setFloat32(start + 4, -2, true);
    view.setUint16(start + 8, 0, true);
    view.setUint8(start + 12, 1);
    const scene = decodeScene(bytes);
    expect([...scene.positions]).toEqual([1.5, -2]);
    expect([...scene.pinned]).toEqual([1]);
    expect(scene.edgeSource).toHaveLength(0);
  });

  it("reads an empty graph", () => {
    const empty = { ...SCENE, ids: [], names: [], edgeIds: [], positions: new Float32Array(), edgeSource: new Uint32Array(), edgeTarget: new Uint32Array(), edgeWeight: new Float32Array(), typeIndex: new Uint16Array(), edgeTypeIndex: new Uint16Array(), pinned: new Uint8Array() };
    expect(decodeScene(encodeScene(empty)).ids).toEqual([]);
  });

  it.each([0, 3, 20, -4])("refuses bytes that end early (%i)", (length) => {
    const bytes = encodeScene(SCENE);
    expect(() => decodeScene(bytes.slice(0, length < 0 ? bytes.byteLength + length : length))).toThrow();
  });
});
