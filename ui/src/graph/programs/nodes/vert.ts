import { SCENE_GLSL } from "../scene";


/**
 * `PLAIN` is for dots without letter or pin, which most nodes are at most zooms: a software renderer computes every
 * branch of a fragment shader for every pixel, so they get one without branches.
 */
const SOURCE = `
layout(location = 0) in vec2 a_corner;
layout(location = 1) in uint a_node;
uniform highp usampler2D u_styles;  // type in the low 16 bits, then pinned
uniform sampler2D u_types;
uniform bool u_letters;
out vec2 v_at;
flat out float v_radius;
flat out vec4 v_colour;   // rgb, opacity
#ifndef PLAIN
flat out vec3 v_ink;
flat out ivec3 v_sign;    // shape, letter cell or -1, pinned
#endif

void main() {
  vec4 node = nodeAt(a_node);
  if (node.w <= 0.0) { gl_Position = NOWHERE; return; }
  uint style = texelFetch(u_styles, ivec2(int(a_node & 1023u), int(a_node >> 10u)), 0).r;
  int type = min(int(style & 0xffffu), 255);
  vec4 look = texelFetch(u_types, ivec2(type, 0), 0);
  v_radius = toRadius(node.z);
  v_colour = vec4(look.rgb, node.w);
#ifdef PLAIN
  float reach = v_radius;
#else
  v_ink = texelFetch(u_types, ivec2(type, 1), 0).rgb;
  v_sign = ivec3(int(look.a * 255.0 + 0.5), u_letters && v_radius >= 9.9 * u_dpr ? type : -1, int(style >> 16u) & 1);
  float reach = v_radius * (v_sign.x == 0 ? 1.0 : 1.2);
#endif
  v_at = a_corner * (reach + min(1.0, v_radius * 0.25) * u_dpr + 0.5);
  gl_Position = toClip(toPixels(node.xy) + v_at);
}`;

export const NODES_VERT = SCENE_GLSL + SOURCE;
export const PLAIN_NODES_VERT = `${SCENE_GLSL}\n#define PLAIN\n${SOURCE}`;
