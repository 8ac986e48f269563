import type { InstanceBuffer } from "../../gl/instanceBuffer";
import { linkProgram, type GlProgram } from "../../gl/program";
import type { Rgb } from "../../colour";
import type { DrawFrame } from "../../renderer/types";
import { arrowLength, setFrameUniforms } from "../frameUniforms";
import { corners, ribbon, staticBuffer } from "../quad";
import { EDGES_FRAG } from "./frag";
import { EDGES_VERT } from "./vert";

/** 32-bit words of one edge instance: source, target, bend, width. */
export const EDGE_WORDS = 4;
const CURVE_STEPS = 20;

/** The same records, bound for straight lines or for curves. */
export type EdgeList = { straight: WebGLVertexArrayObject; curved: WebGLVertexArrayObject };

export function bindEdgeInstances(gl: WebGL2RenderingContext, buffer: InstanceBuffer): void {
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer.handle);
  gl.enableVertexAttribArray(1);
  gl.vertexAttribIPointer(1, 2, gl.UNSIGNED_INT, EDGE_WORDS * 4, 0);
  gl.vertexAttribDivisor(1, 1);
  gl.enableVertexAttribArray(2);
  gl.vertexAttribPointer(2, 2, gl.FLOAT, false, EDGE_WORDS * 4, 8);
  gl.vertexAttribDivisor(2, 1);
}

export class EdgesProgram {
  private readonly program: GlProgram;
  private readonly line: WebGLBuffer;
  private readonly curve: WebGLBuffer;

  constructor(private readonly gl: WebGL2RenderingContext) {
    this.program = linkProgram(gl, "edges", EDGES_VERT, EDGES_FRAG);
    this.line = staticBuffer(gl, ribbon(1));
    this.curve = staticBuffer(gl, ribbon(CURVE_STEPS));
  }

  list(buffer: InstanceBuffer): EdgeList {
    return { straight: this.bind(this.line, buffer), curved: this.bind(this.curve, buffer) };
  }

  begin(frame: DrawFrame): void {
    const { gl, program } = this;
    setFrameUniforms(gl, program, frame);
    gl.uniform1f(program.uniform("u_widthScale"), frame.edgeWidthScale);
    gl.uniform1f(program.uniform("u_arrowLength"), arrowLength(frame));
  }

  /** `curvedOnly` skips the straight ones of the list, and the other way round. */
  draw(list: EdgeList, count: number, curvedOnly: boolean, colour: Rgb, opacity: number): void {
    if (count === 0) return;
    const { gl, program } = this;
    gl.useProgram(program.handle);
    gl.uniform4f(program.uniform("u_colour"), colour[0], colour[1], colour[2], opacity);
    gl.uniform1i(program.uniform("u_curvedOnly"), curvedOnly ? 1 : 0);
    gl.bindVertexArray(curvedOnly ? list.curved : list.straight);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, curvedOnly ? 2 * (CURVE_STEPS + 1) : 4, count);
  }

  private bind(vertices: WebGLBuffer, buffer: InstanceBuffer): WebGLVertexArrayObject {
    const array = this.gl.createVertexArray();
    this.gl.bindVertexArray(array);
    corners(this.gl, vertices);
    bindEdgeInstances(this.gl, buffer);
    return array;
  }
}
