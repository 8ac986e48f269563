export const RINGS_FRAG = `#version 300 es
precision highp float;
in vec2 v_at;
flat in vec3 v_ring;
flat in vec4 v_colour;
uniform float u_dpr;
out vec4 colour;

void main() {
  float cover = clamp(v_ring.y + 0.5 - abs(length(v_at) - v_ring.x), 0.0, 1.0);
  if (v_ring.z > 0.5) {
    // Dashes of about 4 px with 3 px between, a whole number of them round the ring.
    float dashes = max(6.0, floor(6.2831853 * v_ring.x / (7.0 * u_dpr)));
    float phase = abs(fract(atan(v_at.y, v_at.x) / 6.2831853 * dashes) - 0.5) * 2.0;
    float pixels = 6.2831853 * v_ring.x / dashes * 0.5;
    cover *= clamp((0.57 - phase) * pixels + 0.5, 0.0, 1.0);
  }
  cover *= v_colour.a;
  if (cover <= 0.0) discard;
  colour = vec4(v_colour.rgb * cover, cover);
}`;
