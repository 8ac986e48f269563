import { FONT_STACK } from "../theme";
import { SHAPES, type TypeLook } from "../typeLooks";

/** Types with a look of their own on the GPU; in a graph with more, the last row stands for the rest. */
export const TYPE_LIMIT = 256;
const CELL = 64;
const CELLS_A_ROW = 16;

/**
 * What the node program looks up by type: colour and shape in the first row, ink in the second; and an atlas of the
 * letters, drawn by the platform's text engine so that any script works.
 */
export class TypeTextures {
  readonly table: WebGLTexture;
  readonly letters: WebGLTexture;

  constructor(private readonly gl: WebGL2RenderingContext) {
    this.table = gl.createTexture();
    this.letters = gl.createTexture();
  }

  send(looks: readonly TypeLook[]): void {
    const { gl } = this;
    const texels = new Uint8Array(TYPE_LIMIT * 2 * 4);
    looks.slice(0, TYPE_LIMIT).forEach((look, at) => {
      texels.set([...look.colour.map((channel) => Math.round(channel * 255)), SHAPES.indexOf(look.shape)], at * 4);
      texels.set([...look.ink.map((channel) => Math.round(channel * 255)), 255], (TYPE_LIMIT + at) * 4);
    });
    gl.bindTexture(gl.TEXTURE_2D, this.table);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, TYPE_LIMIT, 2, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels);
    this.filter(gl.NEAREST, gl.NEAREST);

    gl.bindTexture(gl.TEXTURE_2D, this.letters);
    const atlas = drawLetters(looks.slice(0, TYPE_LIMIT).map((look) => look.icon));
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, true);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, atlas);
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
    gl.generateMipmap(gl.TEXTURE_2D);
    this.filter(gl.LINEAR_MIPMAP_LINEAR, gl.LINEAR);
  }

  private filter(min: number, mag: number): void {
    const { gl } = this;
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, min);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, mag);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  }
}

function drawLetters(icons: readonly string[]): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = CELL * CELLS_A_ROW;
  const context = canvas.getContext("2d");
  if (context === null) return canvas;
  context.fillStyle = "#FFFFFF";
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  icons.forEach((icon, at) => {
    // Two letters share the width that one has.
    context.font = `600 ${icon.length > 1 ? 34 : 42}px ${FONT_STACK}`;
    const box = context.measureText(icon);
    const x = ((at % CELLS_A_ROW) + 0.5) * CELL;
    const middle = (box.actualBoundingBoxAscent - box.actualBoundingBoxDescent) / 2;
    context.fillText(icon, x, (Math.floor(at / CELLS_A_ROW) + 0.5) * CELL + middle, CELL - 6);
  });
  return canvas;
}
