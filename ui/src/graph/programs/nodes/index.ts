import type { InstanceBuffer } from "../../gl/instanceBuffer";
import { linkProgram, type GlProgram } from "../../gl/program";
import type { DrawFrame } from "../../renderer/types";
import { setFrameUniforms, UNIT } from "../frameUniforms";
import { corners, QUAD, staticBuffer } from "../quad";
import { NODES_FRAG, PLAIN_NODES_FRAG } from "./frag";
import { NODES_VERT, PLAIN_NODES_VERT } from "./vert";

/** Draws the nodes a buffer lists, in its order; `plain` knows dots only, but those cheaply. */
export class NodesProgram {
  private readonly program: GlProgram;
  private readonly quad: WebGLBuffer;

  constructor(
    private readonly gl: WebGL2RenderingContext,
    plain: boolean,
  ) {
    this.program = plain
      ? linkProgram(gl, "plain nodes", PLAIN_NODES_VERT, PLAIN_NODES_FRAG)
      : linkProgram(gl, "nodes", NODES_VERT, NODES_FRAG);
    this.quad = staticBuffer(gl, QUAD);
  }

  list(buffer: InstanceBuffer): WebGLVertexArrayObject {
    const { gl } = this;
    const list = gl.createVertexArray();
    gl.bindVertexArray(list);
    corners(gl, this.quad);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer.handle);
    gl.enableVertexAttribArray(1);
    gl.vertexAttribIPointer(1, 1, gl.UNSIGNED_INT, 4, 0);
    gl.vertexAttribDivisor(1, 1);
    return list;
  }

  begin(frame: DrawFrame): void {
    const { gl, program } = this;
    setFrameUniforms(gl, program, frame);
    gl.uniform1i(program.uniform("u_styles"), UNIT.styles);
    gl.uniform1i(program.uniform("u_types"), UNIT.types);
    gl.uniform1i(program.uniform("u_letterAtlas"), UNIT.letters);
    gl.uniform3fv(program.uniform("u_canvas"), frame.theme.canvas);
    gl.uniform1i(program.uniform("u_letters"), frame.letters ? 1 : 0);
  }

  draw(list: WebGLVertexArrayObject, count: number, fade: number): void {
    if (count === 0) return;
    const { gl, program } = this;
    gl.useProgram(program.handle);
    gl.uniform1f(program.uniform("u_fade"), fade);
    gl.bindVertexArray(list);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
  }
}
