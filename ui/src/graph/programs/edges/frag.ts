export const EDGES_FRAG = `#version 300 es
precision highp float;
in float v_across;
flat in float v_half;
flat in float v_opacity;
uniform vec4 u_colour;  // rgb, opacity
out vec4 colour;

void main() {
  // Lines thinner than a pixel become fainter instead of broken.
  float cover = clamp(v_half + 0.5 - abs(v_across), 0.0, min(1.0, v_half * 2.0)) * v_opacity * u_colour.a;
  colour = vec4(u_colour.rgb * cover, cover);
}`;
