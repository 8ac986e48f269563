/** The vertices that instances are stretched over. */

export function staticBuffer(gl: WebGL2RenderingContext, vertices: readonly number[]): WebGLBuffer {
  const buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(vertices), gl.STATIC_DRAW);
  return buffer;
}

export const QUAD = [-1, -1, 1, -1, -1, 1, 1, 1] as const;

/** A ribbon of `steps` pieces: how far along (0–1), and which side. */
export function ribbon(steps: number): number[] {
  return Array.from({ length: steps + 1 }, (_, step) => [step / steps, -1, step / steps, 1]).flat();
}

export function corners(gl: WebGL2RenderingContext, buffer: WebGLBuffer): void {
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
}
