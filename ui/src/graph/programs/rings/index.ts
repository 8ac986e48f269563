import { InstanceBuffer } from "../../gl/instanceBuffer";
import { linkProgram, type GlProgram } from "../../gl/program";
import type { DrawFrame } from "../../renderer/types";
import { setFrameUniforms } from "../frameUniforms";
import { corners, QUAD, staticBuffer } from "../quad";
import { RINGS_FRAG } from "./frag";
import { RINGS_VERT } from "./vert";

/** Node, colour with opacity, gap, width, dashed. */
const RING_WORDS = 8;

export class RingsProgram {
  private readonly program: GlProgram;
  private readonly rings: InstanceBuffer;
  private readonly list: WebGLVertexArrayObject;

  constructor(private readonly gl: WebGL2RenderingContext) {
    this.program = linkProgram(gl, "rings", RINGS_VERT, RINGS_FRAG);
    this.rings = new InstanceBuffer(gl, RING_WORDS);
    this.list = gl.createVertexArray();
    gl.bindVertexArray(this.list);
    corners(gl, staticBuffer(gl, QUAD));
    gl.bindBuffer(gl.ARRAY_BUFFER, this.rings.handle);
    gl.enableVertexAttribArray(1);
    gl.vertexAttribIPointer(1, 1, gl.UNSIGNED_INT, RING_WORDS * 4, 0);
    gl.enableVertexAttribArray(2);
    gl.vertexAttribPointer(2, 4, gl.FLOAT, false, RING_WORDS * 4, 4);
    gl.enableVertexAttribArray(3);
    gl.vertexAttribPointer(3, 3, gl.FLOAT, false, RING_WORDS * 4, 20);
    for (const location of [1, 2, 3]) gl.vertexAttribDivisor(location, 1);
  }

  draw(frame: DrawFrame): void {
    if (frame.rings.length === 0) return;
    const { gl, rings } = this;
    rings.resize(frame.rings.length);
    frame.rings.forEach((ring, at) => {
      const word = at * RING_WORDS;
      rings.words[word] = ring.node;
      rings.floats.set([...ring.colour, ring.opacity, ring.gap, ring.width, ring.dashed ? 1 : 0], word + 1);
    });
    rings.send(0, frame.rings.length);
    setFrameUniforms(gl, this.program, frame);
    gl.bindVertexArray(this.list);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, frame.rings.length);
  }
}
