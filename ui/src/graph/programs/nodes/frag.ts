/**
 * Dots and the other five shapes as distance fields. The rim outside the shape is canvas-coloured, so that touching
 * dots stay countable. A faded node is mixed with the canvas rather than made transparent: lines that pass beneath
 * do not shine through.
 */
export const NODES_FRAG = `#version 300 es
precision highp float;
precision highp int;
in vec2 v_at;
flat in float v_radius;
flat in vec4 v_colour;
flat in vec3 v_ink;
flat in ivec3 v_sign;
uniform vec3 u_canvas;
uniform float u_fade;
uniform float u_dpr;
uniform sampler2D u_letterAtlas;
out vec4 colour;

float box(vec2 p, vec2 half_size, float round_by) {
  vec2 q = abs(p) - half_size + round_by;
  return length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - round_by;
}
float shape(vec2 p, float r, int kind) {
  if (kind == 0) return length(p) - r;
  if (kind == 1) return box(p, vec2(r * 0.88), r * 0.16);
  if (kind == 2) return box(vec2(p.x + p.y, p.y - p.x) * 0.70710678, vec2(r * 0.82), r * 0.10);
  if (kind == 3) {
    vec2 q = vec2(abs(p.x), p.y + r * 0.12);
    return max(dot(q, vec2(0.8660254, -0.5)) - r * 0.55, q.y - r * 0.62);
  }
  if (kind == 4) {
    vec2 q = abs(p);
    return max(dot(q, vec2(0.8660254, 0.5)), q.y) - r * 0.93;
  }
  return min(box(p, vec2(r, r * 0.36), r * 0.08), box(p, vec2(r * 0.36, r), r * 0.08));
}

void main() {
  float d = shape(v_at, v_radius, v_sign.x);
  float gap = min(1.0, v_radius * 0.25) * u_dpr;
  float cover = clamp(0.5 - d + gap, 0.0, 1.0) * v_colour.a;
  if (cover <= 0.0) discard;
  vec3 fill = v_colour.rgb;
  if (v_sign.z == 1) {
    // Pinned: a canvas-coloured line inside the rim, or a hole where there is no room for a line.
    float mark = v_radius > 6.0 * u_dpr ? abs(d + 2.6 * u_dpr) - 0.75 * u_dpr : length(v_at) - v_radius * 0.38;
    fill = mix(u_canvas, fill, clamp(mark + 0.5, 0.0, 1.0));
  }
  if (v_sign.y >= 0) {
    // A cell of the atlas across 1.45 radii leaves the letter some air.
    vec2 cell = v_at / (v_radius * 1.45) + 0.5;
    if (all(greaterThan(cell, vec2(0.0))) && all(lessThan(cell, vec2(1.0)))) {
      vec2 uv = (vec2(float(v_sign.y & 15), float(v_sign.y >> 4)) + cell) / 16.0;
      fill = mix(fill, v_ink, texture(u_letterAtlas, uv).a);
    }
  }
  fill = mix(u_canvas, fill, u_fade);
  colour = vec4(mix(u_canvas, fill, clamp(0.5 - d, 0.0, 1.0)) * cover, cover);
}`;

/** The same dot and nothing else. */
export const PLAIN_NODES_FRAG = `#version 300 es
precision highp float;
in vec2 v_at;
flat in float v_radius;
flat in vec4 v_colour;
uniform vec3 u_canvas;
uniform float u_fade;
uniform float u_dpr;
out vec4 colour;

void main() {
  float d = length(v_at) - v_radius;
  float cover = clamp(0.5 - d + min(1.0, v_radius * 0.25) * u_dpr, 0.0, 1.0) * v_colour.a;
  vec3 fill = mix(u_canvas, v_colour.rgb, u_fade * clamp(0.5 - d, 0.0, 1.0));
  colour = vec4(fill * cover, cover);
}`;
