/** Compiling, linking and looking up names once: everything a program needs from WebGL that is not its own. */

export type GlProgram = {
  handle: WebGLProgram;
  uniform: (name: string) => WebGLUniformLocation | null;
  attribute: (name: string) => number;
};

export function linkProgram(gl: WebGL2RenderingContext, name: string, vertex: string, fragment: string): GlProgram {
  const handle = gl.createProgram();
  const shaders = [compile(gl, gl.VERTEX_SHADER, vertex), compile(gl, gl.FRAGMENT_SHADER, fragment)];
  for (const shader of shaders) gl.attachShader(handle, shader);
  gl.linkProgram(handle);
  // A lost context fails every link; it is restored by compiling again, so that is not an error in the shader.
  if (gl.getProgramParameter(handle, gl.LINK_STATUS) !== true && !gl.isContextLost()) {
    const logs = [gl.getProgramInfoLog(handle), ...shaders.map((shader) => gl.getShaderInfoLog(shader))];
    throw new Error(`program ${name} does not link: ${logs.filter(Boolean).join("\n")}`);
  }
  for (const shader of shaders) gl.deleteShader(shader);
  const uniforms = new Map<string, WebGLUniformLocation | null>();
  return {
    handle,
    uniform: (uniform) => {
      let location = uniforms.get(uniform);
      if (location === undefined) {
        location = gl.getUniformLocation(handle, uniform);
        uniforms.set(uniform, location);
      }
      return location;
    },
    attribute: (attribute) => gl.getAttribLocation(handle, attribute),
  };
}

function compile(gl: WebGL2RenderingContext, kind: number, source: string): WebGLShader {
  const shader = gl.createShader(kind);
  if (shader === null) throw new Error("the WebGL context is lost");
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  return shader;
}
