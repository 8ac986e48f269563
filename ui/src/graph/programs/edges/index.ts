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
export type EdgeList = { straight: WebGLVertexArrayObject; curved: WebGLVertexArrayObject; hairline: WebGLVertexArrayObject };

/** Which edges of a list, and how. `hairlines` is for pictures in motion on machines that draw in software. */
export type EdgePass = "straight" | "curved" | "all-straight" | "hairlines";
const PASS: Record<EdgePass, number> = { straight: 0, curved: 1, "all-straight": 2, hairlines: 2 };

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
  private readonly hairline: WebGLBuffer;

  constructor(private readonly gl: WebGL2RenderingContext) {
    this.program = linkProgram(gl, "edges", EDGES_VERT, EDGES_FRAG);
    this.line = staticBuffer(gl, ribbon(1));
    this.curve = staticBuffer(gl, ribbon(CURVE_STEPS));
    this.hairline = staticBuffer(gl, [0, 0, 1, 0]);
  }

  list(buffer: InstanceBuffer): EdgeList {
    return { straight: this.bind(this.line, buffer), curved: this.bind(this.curve, buffer), hairline: this.bind(this.hairline, buffer) };
  }

  begin(frame: DrawFrame): void {
    const { gl, program } = this;
    setFrameUniforms(gl, program, frame);
    gl.uniform1f(program.uniform("u_widthScale"), frame.edgeWidthScale);
    gl.uniform1f(program.uniform("u_arrowLength"), arrowLength(frame));
  }

  draw(list: EdgeList, count: number, pass: EdgePass, colour: Rgb, opacity: number): void {
    if (count === 0) return;
    const { gl, program } = this;
    gl.useProgram(program.handle);
    gl.uniform4f(program.uniform("u_colour"), colour[0], colour[1], colour[2], opacity);
    gl.uniform1i(program.uniform("u_pass"), PASS[pass]);
    if (pass === "hairlines") {
      gl.bindVertexArray(list.hairline);
      gl.drawArraysInstanced(gl.LINES, 0, 2, count);
    } else if (pass === "curved") {
      gl.bindVertexArray(list.curved);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 2 * (CURVE_STEPS + 1), count);
    } else {
      gl.bindVertexArray(list.straight);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
    }
  }

  private bind(vertices: WebGLBuffer, buffer: InstanceBuffer): WebGLVertexArrayObject {
    const array = this.gl.createVertexArray();
    this.gl.bindVertexArray(array);
    corners(this.gl, vertices);
    bindEdgeInstances(this.gl, buffer);
    return array;
  }
}
