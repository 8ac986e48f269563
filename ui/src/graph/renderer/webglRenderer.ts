import { InstanceBuffer } from "../gl/instanceBuffer";
import { DataTexture } from "../gl/dataTexture";
import { TypeTextures } from "../gl/typeTextures";
import { ArrowsProgram } from "../programs/arrows";
import { EdgesProgram, EDGE_WORDS } from "../programs/edges";
import { UNIT } from "../programs/frameUniforms";
import { NodesProgram } from "../programs/nodes";
import { RingsProgram } from "../programs/rings";
import { bundleWidth, edgeWidth } from "../sizes";
import type { EdgeFan } from "../edgeFan";
import type { TypeLook } from "../typeLooks";
import type { DrawFrame, LitLayer, Renderer } from "./types";

/** In motion on a slow machine, at most this many edges are drawn. */
const ECONOMY_EDGES = 10_000;
/** When this far away, more curves than this are drawn as the straight lines they look like. */
const FLAT_ZOOM = 0.3;
const FLAT_FROM = 600;

/** Everything that lives on the GPU, made anew when a lost context comes back. */
type Resources = ReturnType<typeof createResources>;

/**
 * The scene in a handful of instanced draw calls. Per frame this side sets uniforms only; nodes, edges and their
 * lists are sent when they have changed, in the spans that have changed.
 */
export class WebglRenderer implements Renderer {
  readonly kind = "webgl2";
  readonly canvas: HTMLCanvasElement;
  private readonly gl: WebGL2RenderingContext;
  private resources: Resources | undefined;
  private sent: { fan?: EdgeFan; order?: Uint32Array; looks?: readonly TypeLook[]; lit?: readonly LitLayer[]; typeAlpha?: string } = {};

  /** Throws where there is no WebGL 2. `restored` is called when a lost context is back and a frame is wanted. */
  constructor(canvas: HTMLCanvasElement, lost: () => void, restored: () => void) {
    this.canvas = canvas;
    // No antialiasing by multisampling: every edge of ours is a distance field, and samples cost a software
    // renderer fourfold. Opaque, because blending a canvas with the page costs as much again.
    const gl = canvas.getContext("webgl2", { alpha: false, antialias: false, depth: false, stencil: false, powerPreference: "high-performance" });
    if (gl === null) throw new Error("no WebGL 2");
    this.gl = gl;
    canvas.addEventListener("webglcontextlost", (event) => {
      // Without this the browser does not try to restore it.
      event.preventDefault();
      this.resources = undefined;
      lost();
    });
    canvas.addEventListener("webglcontextrestored", () => {
      this.sent = {};
      this.resources = createResources(gl);
      restored();
    });
    this.resources = createResources(gl);
  }

  resize(width: number, height: number, dpr: number): void {
    this.canvas.width = Math.max(1, Math.round(width * dpr));
    this.canvas.height = Math.max(1, Math.round(height * dpr));
  }

  draw(frame: DrawFrame): void {
    const { gl, resources } = this;
    if (resources === undefined) return;
    this.send(frame, resources);
    const { edges, arrows, rings } = resources;
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(...frame.theme.canvas, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    bindTextures(gl, resources);

    edges.begin(frame);
    this.drawEdges(frame, resources);
    if (frame.arrowOpacity > 0 && !frame.economy) {
      arrows.begin(frame);
      // Heads overlap nothing, so they may be stronger than lines that add up where they cross.
      arrows.draw(resources.allEdges.list, resources.allEdges.buffer.count, frame.theme.edge, Math.min(1, frame.edgeOpacity * 1.35) * frame.fade * frame.arrowOpacity);
    }
    if (!frame.litOver) this.drawLitEdges(frame, resources);
    this.drawNodes(frame, resources);
    if (frame.litOver) this.drawLitEdges(frame, resources);
    this.drawLitNodes(frame, resources);
    rings.draw(frame);
    gl.bindVertexArray(null);
  }

  finish(): void {
    const { gl } = this;
    // Unlike gl.finish(), which some browsers only queue, this cannot return early.
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  }

  destroy(): void {
    this.resources = undefined;
    this.gl.getExtension("WEBGL_lose_context")?.loseContext();
    this.canvas.remove();
  }

  private drawEdges(frame: DrawFrame, { edges, allEdges, curvedEdges }: Resources): void {
    const { edge } = frame.theme;
    const opacity = frame.edgeOpacity * frame.fade;
    if (frame.economy) {
      // Edges are stored in no order of space or time: the first of them are a fair sample of all.
      const sample = Math.min(allEdges.buffer.count, ECONOMY_EDGES);
      edges.draw(allEdges.list, sample, "hairlines", edge, Math.min(1, opacity * Math.sqrt(allEdges.buffer.count / Math.max(1, sample)) * 0.8));
    } else if (frame.camera.zoom < FLAT_ZOOM && curvedEdges.buffer.count > FLAT_FROM) {
      edges.draw(allEdges.list, allEdges.buffer.count, "all-straight", edge, opacity);
    } else {
      edges.draw(allEdges.list, allEdges.buffer.count, "straight", edge, opacity);
      edges.draw(curvedEdges.list, curvedEdges.buffer.count, "curved", edge, opacity);
    }
  }

  /** All in one order where letters are shown; else dots first, and the few that are more than dots over them. */
  private drawNodes(frame: DrawFrame, { plainNodes, nodes, allNodes, dots, others }: Resources): void {
    if (frame.letters && !frame.economy) {
      nodes.begin(frame);
      nodes.draw(allNodes.list, allNodes.buffer.count, frame.fade);
      return;
    }
    plainNodes.begin(frame);
    plainNodes.draw(dots.list, dots.buffer.count, frame.fade);
    if (others.buffer.count === 0) return;
    nodes.begin(frame);
    nodes.draw(others.list, others.buffer.count, frame.fade);
  }

  /** What is in focus, again and at full strength, over the faded rest. */
  private drawLitEdges(frame: DrawFrame, resources: Resources): void {
    if (frame.lit.length === 0) return;
    const strong: DrawFrame = { ...frame, arrowOpacity: 1, edgeWidthScale: frame.edgeWidthScale * 1.15 };
    resources.edges.begin(strong);
    frame.lit.forEach((layer, at) => {
      const { list, buffer } = resources.lit[at]!.edges;
      resources.edges.draw(list, buffer.count, "straight", layer.colour, 1);
      resources.edges.draw(list, buffer.count, "curved", layer.colour, 1);
    });
    resources.arrows.begin(strong);
    frame.lit.forEach((layer, at) => {
      const { list, buffer } = resources.lit[at]!.edges;
      resources.arrows.draw(list, buffer.count, layer.colour, 1);
    });
  }

  private drawLitNodes(frame: DrawFrame, resources: Resources): void {
    if (frame.lit.length === 0) return;
    resources.nodes.begin(frame);
    frame.lit.forEach((_, at) => {
      const { list, buffer } = resources.lit[at]!.nodes;
      resources.nodes.draw(list, buffer.count, 1);
    });
  }

  private send(frame: DrawFrame, resources: Resources): void {
    const { columns } = frame;
    const first = this.sent.fan === undefined;
    if (first) columns.markAllDirty();
    const alphaKey = frame.typeAlpha.join();
    const alphaChanged = alphaKey !== this.sent.typeAlpha;
    if (alphaChanged) columns.dirty.nodes.addAll(columns.nodeCount);

    const listsChanged = frame.order !== this.sent.order || frame.looks !== this.sent.looks || !columns.dirty.nodes.empty;
    sendNodes(frame, resources);
    if (frame.fan !== this.sent.fan || !columns.dirty.edges.empty) sendEdges(frame, resources, this.sent.fan);
    if (listsChanged) fillNodeLists(frame, resources);
    if (frame.looks !== this.sent.looks) resources.typeTextures.send(frame.looks);
    if (frame.lit !== this.sent.lit || frame.fan !== this.sent.fan) {
      frame.lit.forEach((layer, at) => {
        const target = (resources.lit[at] ??= createLit(this.gl, resources.nodes, resources.edges));
        fillIndices(target.nodes.buffer, layer.nodes);
        fillEdges(target.edges.buffer, layer.edges, frame);
      });
    }
    columns.dirty.types = false;
    this.sent = { fan: frame.fan, order: frame.order, looks: frame.looks, lit: frame.lit, typeAlpha: alphaKey };
  }
}

function createResources(gl: WebGL2RenderingContext) {
  const nodes = new NodesProgram(gl, false);
  const edges = new EdgesProgram(gl);
  const nodeList = () => {
    const buffer = new InstanceBuffer(gl, 1);
    return { buffer, list: nodes.list(buffer) };
  };
  const allEdges = new InstanceBuffer(gl, EDGE_WORDS);
  const curvedEdges = new InstanceBuffer(gl, EDGE_WORDS);
  return {
    nodes,
    plainNodes: new NodesProgram(gl, true),
    edges,
    arrows: new ArrowsProgram(gl),
    rings: new RingsProgram(gl),
    nodeTexture: new DataTexture(gl, { internal: gl.RGBA32F, format: gl.RGBA, type: gl.FLOAT }, 4, new Float32Array(0)),
    styleTexture: new DataTexture(gl, { internal: gl.R32UI, format: gl.RED_INTEGER, type: gl.UNSIGNED_INT }, 1, new Uint32Array(0)),
    typeTextures: new TypeTextures(gl),
    allNodes: nodeList(),
    dots: nodeList(),
    others: nodeList(),
    allEdges: { buffer: allEdges, list: edges.list(allEdges) },
    curvedEdges: { buffer: curvedEdges, list: edges.list(curvedEdges) },
    lit: [] as ReturnType<typeof createLit>[],
  };
}

function createLit(gl: WebGL2RenderingContext, nodes: NodesProgram, edges: EdgesProgram) {
  const nodeBuffer = new InstanceBuffer(gl, 1);
  const edgeBuffer = new InstanceBuffer(gl, EDGE_WORDS);
  return {
    nodes: { buffer: nodeBuffer, list: nodes.list(nodeBuffer) },
    edges: { buffer: edgeBuffer, list: edges.list(edgeBuffer) },
  };
}

function bindTextures(gl: WebGL2RenderingContext, resources: Resources): void {
  const bound: [number, WebGLTexture][] = [
    [UNIT.styles, resources.styleTexture.handle],
    [UNIT.types, resources.typeTextures.table],
    [UNIT.letters, resources.typeTextures.letters],
    [UNIT.nodes, resources.nodeTexture.handle],
  ];
  for (const [unit, texture] of bound) {
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_2D, texture);
  }
}

function sendNodes({ columns, typeAlpha }: DrawFrame, { nodeTexture, styleTexture }: Resources): void {
  const { dirty } = columns;
  if (dirty.nodes.empty && dirty.positions.empty) return;
  const from = Math.min(dirty.nodes.from, dirty.positions.from);
  const to = Math.min(columns.nodeCount, Math.max(dirty.nodes.to, dirty.positions.to));
  nodeTexture.resize(columns.nodeCount);
  const texels = nodeTexture.data;
  for (let i = from; i < to; i++) {
    texels[4 * i] = columns.positions[2 * i]!;
    texels[4 * i + 1] = columns.positions[2 * i + 1]!;
    texels[4 * i + 2] = columns.radius[i]!;
    texels[4 * i + 3] = typeAlpha[columns.typeOf[i]!] ?? 1;
  }
  nodeTexture.send(from, to);
  if (!dirty.nodes.empty) {
    styleTexture.resize(columns.nodeCount);
    for (let i = dirty.nodes.from; i < Math.min(columns.nodeCount, dirty.nodes.to); i++) {
      styleTexture.data[i] = columns.typeOf[i]! | (columns.pinned[i]! << 16);
    }
    styleTexture.send(dirty.nodes.from, Math.min(columns.nodeCount, dirty.nodes.to));
  }
  dirty.nodes.clear();
  dirty.positions.clear();
}

function sendEdges(frame: DrawFrame, { allEdges, curvedEdges }: Resources, sentFan: EdgeFan | undefined): void {
  const { columns, fan } = frame;
  const { buffer } = allEdges;
  const before = buffer.count;
  buffer.resize(columns.edgeCount);
  const dirty = columns.dirty.edges;
  // A bend can change without its edge having been touched: when its neighbour in the fan came or went; an end can, when
  // it was folded.
  if (sentFan !== undefined && fan !== sentFan) {
    for (let e = 0; e < Math.min(before, columns.edgeCount); e++) if (fan.bend[e] !== sentFan.bend[e] || fan.source[e] !== sentFan.source[e] || fan.target[e] !== sentFan.target[e]) dirty.add(e);
  }
  const to = Math.min(dirty.to, columns.edgeCount);
  for (let e = Math.min(dirty.from, to); e < to; e++) writeEdge(buffer, e, e, frame);
  buffer.send(Math.min(dirty.from, to), to);
  dirty.clear();
  fillEdges(curvedEdges.buffer, fan.curved, frame);
}

function fillEdges(buffer: InstanceBuffer, edges: Uint32Array, frame: DrawFrame): void {
  buffer.resize(edges.length);
  edges.forEach((edge, at) => writeEdge(buffer, at, edge, frame));
  buffer.send(0, edges.length);
}

function writeEdge(buffer: InstanceBuffer, at: number, edge: number, { columns, fan }: DrawFrame): void {
  const word = at * EDGE_WORDS;
  buffer.words[word] = fan.source[edge]!;
  buffer.words[word + 1] = fan.target[edge]!;
  buffer.floats[word + 2] = fan.bend[edge]!;
  const bundled = fan.bundled.get(edge);
  buffer.floats[word + 3] = bundled !== undefined ? bundleWidth(bundled) : edgeWidth(columns.edgeWeight[edge]!);
}

function fillNodeLists({ order, columns, looks }: DrawFrame, { allNodes, dots, others }: Resources): void {
  fillIndices(allNodes.buffer, order);
  const isDot = (node: number) => columns.pinned[node] === 0 && looks[columns.typeOf[node]!]?.shape === "circle";
  fillIndices(dots.buffer, order.filter(isDot));
  fillIndices(others.buffer, order.filter((node) => !isDot(node)));
}

function fillIndices(buffer: InstanceBuffer, indices: Uint32Array): void {
  buffer.resize(indices.length);
  buffer.words.set(indices);
  buffer.send(0, indices.length);
}
