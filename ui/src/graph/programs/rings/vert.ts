import { SCENE_GLSL } from "../scene";

export const RINGS_VERT = `${SCENE_GLSL}
layout(location = 0) in vec2 a_corner;
layout(location = 1) in uint a_node;
layout(location = 2) in vec4 a_colour;
layout(location = 3) in vec3 a_ring;  // gap to the rim, width, dashed
out vec2 v_at;
flat out vec3 v_ring;  // radius, half width, dashed
flat out vec4 v_colour;

void main() {
  vec4 node = nodeAt(a_node);
  v_colour = vec4(a_colour.rgb, a_colour.a * node.w);
  if (v_colour.a <= 0.0) { gl_Position = NOWHERE; return; }
  v_ring = vec3(toRadius(node.z) + (a_ring.x + a_ring.y * 0.5) * u_dpr, a_ring.y * 0.5 * u_dpr, a_ring.z);
  v_at = a_corner * (v_ring.x + v_ring.y + 1.5);
  gl_Position = toClip(toPixels(node.xy) + v_at);
}`;
