import type { GlProgram } from "../gl/program";
import { freeWidth } from "../camera";
import type { DrawFrame } from "../renderer/types";

/** Texture units, fixed so that no program has to bind what another has bound already. */
export const UNIT = { nodes: 0, styles: 1, types: 2, letters: 3 } as const;

/** What `scene.ts` and the edge course read; called once a frame for each program in use. */
export function setFrameUniforms(gl: WebGL2RenderingContext, program: GlProgram, frame: DrawFrame): void {
  const { camera, view, dpr } = frame;
  gl.useProgram(program.handle);
  gl.uniform1i(program.uniform("u_nodes"), UNIT.nodes);
  gl.uniform4f(program.uniform("u_camera"), camera.x, camera.y, camera.zoom * dpr, Math.sqrt(camera.zoom) * dpr);
  gl.uniform4f(program.uniform("u_viewport"), (view.left + freeWidth(view) / 2) * dpr, (view.height / 2) * dpr, view.width * dpr, view.height * dpr);
  gl.uniform1f(program.uniform("u_dpr"), dpr);
}

/** Heads are 7 px long at zoom 1 and grow a little towards the eye. */
export function arrowLength(frame: DrawFrame): number {
  return frame.arrowOpacity <= 0 ? 0 : 7 * frame.dpr * Math.min(1.5, Math.max(0.85, frame.camera.zoom ** 0.3));
}
