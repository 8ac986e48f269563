export const ARROWS_FRAG = `#version 300 es
precision highp float;
in vec2 v_at;
flat in vec2 v_size;
flat in float v_opacity;
uniform vec4 u_colour;
out vec4 colour;

void main() {
  // Distance to the slanted sides and to the base, each softened over one pixel.
  vec2 side = normalize(vec2(v_size.y, -v_size.x));
  float inside = dot(vec2(v_at.x, abs(v_at.y)), side);
  float cover = clamp(inside + 0.5, 0.0, 1.0) * clamp(v_size.x - v_at.x + 0.5, 0.0, 1.0) * v_opacity * u_colour.a;
  if (cover <= 0.0) discard;
  colour = vec4(u_colour.rgb * cover, cover);
}`;
