import { TEXTURE_WIDTH } from "../gl/dataTexture";
import { MIN_DRAWN_RADIUS } from "../sizes";

/**
 * What every vertex shader of the scene shares. Nodes live in a texture (x, y, radius, opacity), so that edges and
 * rings follow them by index and a moved node costs one texel, not a rewrite of its edges. Distances are in device
 * pixels from here on; the camera is subtracted before scaling, to keep precision at high zoom.
 */
export const SCENE_GLSL = `#version 300 es
precision highp float;
precision highp int;
uniform highp sampler2D u_nodes;
uniform vec4 u_camera;    // x, y, device pixels per unit, device pixels per radius unit
uniform vec4 u_viewport;  // centre x, centre y, width, height
uniform float u_dpr;
const vec4 NOWHERE = vec4(2.0, 2.0, 2.0, 1.0);

vec4 nodeAt(uint index) {
  return texelFetch(u_nodes, ivec2(int(index & ${TEXTURE_WIDTH - 1}u), int(index >> ${Math.log2(TEXTURE_WIDTH)}u)), 0);
}
vec2 toPixels(vec2 at) { return (at - u_camera.xy) * u_camera.z + u_viewport.xy; }
vec4 toClip(vec2 px) { return vec4(px.x / u_viewport.z * 2.0 - 1.0, 1.0 - px.y / u_viewport.w * 2.0, 0.0, 1.0); }
float toRadius(float radius) { return max(radius * u_camera.w, ${MIN_DRAWN_RADIUS.toFixed(2)} * u_dpr); }
`;
