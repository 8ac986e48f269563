import type { Rgb } from "../../colour";
import { linkProgram, type GlProgram } from "../../gl/program";
import type { DrawFrame } from "../../renderer/types";
import type { EdgeList } from "../edges";
import { arrowLength, setFrameUniforms } from "../frameUniforms";
import { ARROWS_FRAG } from "./frag";
import { ARROWS_VERT } from "./vert";

/** Arrowheads: drawn from the same lists as the lines, because a ribbon of one step is the quad they need. */
export class ArrowsProgram {
  private readonly program: GlProgram;

  constructor(private readonly gl: WebGL2RenderingContext) {
    this.program = linkProgram(gl, "arrows", ARROWS_VERT, ARROWS_FRAG);
  }

  begin(frame: DrawFrame): void {
    const { gl, program } = this;
    setFrameUniforms(gl, program, frame);
    gl.uniform1f(program.uniform("u_widthScale"), frame.edgeWidthScale);
    gl.uniform1f(program.uniform("u_arrowLength"), arrowLength(frame));
  }

  draw(list: EdgeList, count: number, colour: Rgb, opacity: number): void {
    if (count === 0 || opacity <= 0) return;
    const { gl, program } = this;
    gl.useProgram(program.handle);
    gl.uniform4f(program.uniform("u_colour"), colour[0], colour[1], colour[2], opacity);
    gl.bindVertexArray(list.straight);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
  }
}
