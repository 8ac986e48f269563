/** A column of records as a texture that shaders read by index; written in whole rows, and only those that changed. */

/** Shaders split an index with a mask and a shift, so this is a power of two they know (`scene.ts`). */
export const TEXTURE_WIDTH = 1024;

type Format = { internal: number; format: number; type: number };

export class DataTexture<T extends Float32Array | Uint32Array> {
  readonly handle: WebGLTexture;
  private rows = 0;

  constructor(
    private readonly gl: WebGL2RenderingContext,
    private readonly format: Format,
    private readonly channels: number,
    /** The mirror on this side, whole rows long. */
    public data: T,
  ) {
    this.handle = gl.createTexture();
  }

  /** Make room for `count` records. */
  resize(count: number): void {
    const needed = Math.max(1, Math.ceil(count / TEXTURE_WIDTH)) * TEXTURE_WIDTH * this.channels;
    if (this.data.length >= needed) return;
    const grown = new (this.data.constructor as new (length: number) => T)(Math.max(needed, this.data.length * 2));
    grown.set(this.data);
    this.data = grown;
  }

  send(from: number, to: number): void {
    const { gl, format } = this;
    gl.bindTexture(gl.TEXTURE_2D, this.handle);
    const rows = this.data.length / (TEXTURE_WIDTH * this.channels);
    if (rows !== this.rows) {
      this.rows = rows;
      gl.texImage2D(gl.TEXTURE_2D, 0, format.internal, TEXTURE_WIDTH, rows, 0, format.format, format.type, this.data);
      for (const axis of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, axis, gl.CLAMP_TO_EDGE);
      for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, filter, gl.NEAREST);
      return;
    }
    if (to <= from) return;
    const first = Math.floor(from / TEXTURE_WIDTH);
    const last = Math.ceil(to / TEXTURE_WIDTH);
    const span = this.data.subarray(first * TEXTURE_WIDTH * this.channels, last * TEXTURE_WIDTH * this.channels);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, first, TEXTURE_WIDTH, last - first, format.format, format.type, span);
  }
}
