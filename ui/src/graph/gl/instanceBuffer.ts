/**
 * A growing buffer of per-instance records, mirrored on this side: items are written here, and only the span that
 * changed is sent.
 */
export class InstanceBuffer {
  readonly handle: WebGLBuffer;
  floats: Float32Array;
  words: Uint32Array;
  count = 0;
  private room = 0;

  constructor(
    private readonly gl: WebGL2RenderingContext,
    /** 32-bit words in a record. */
    readonly stride: number,
  ) {
    this.handle = gl.createBuffer();
    this.floats = new Float32Array(0);
    this.words = new Uint32Array(0);
  }

  /** Make room for `count` records; what was written stays. */
  resize(count: number): void {
    if (count * this.stride > this.floats.length) {
      const grown = new Uint32Array(Math.max(count, this.count * 2, 64) * this.stride);
      grown.set(this.words);
      this.words = grown;
      this.floats = new Float32Array(grown.buffer);
    }
    this.count = count;
  }

  /** Send the records `from` … `to`, or everything if the buffer on the other side was too small. */
  send(from: number, to: number): void {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.handle);
    if (this.room < this.words.length) {
      this.room = this.words.length;
      gl.bufferData(gl.ARRAY_BUFFER, this.words, gl.DYNAMIC_DRAW);
    } else if (to > from) {
      gl.bufferSubData(gl.ARRAY_BUFFER, from * this.stride * 4, this.words, from * this.stride, (to - from) * this.stride);
    }
  }
}
