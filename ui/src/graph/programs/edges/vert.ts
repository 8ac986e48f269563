import { EDGE_GLSL } from "./shape";

/** One strip along the course; the straight variant has two steps, the curved one as many as look round. */
export const EDGES_VERT = `${EDGE_GLSL}
layout(location = 0) in vec2 a_strip;  // step along 0–1, side −1 or 1
uniform int u_pass;  // 0 straight ones, 1 curves, 2 all of them as straight lines
out float v_across;
flat out float v_half;
flat out float v_opacity;

void main() {
  float bend = a_form.x;
  bool loop = a_ends.x == a_ends.y;
  gl_Position = NOWHERE;
  if (hidden(bend) || (u_pass < 2 ? (bend != 0.0 || loop) != (u_pass == 1) : loop)) return;
  if (u_pass == 2) bend = 0.0;
  vec4 source = nodeAt(a_ends.x);
  vec4 target = nodeAt(a_ends.y);
  v_opacity = min(source.w, target.w);
  if (v_opacity <= 0.0) return;
  float width = a_form.y * u_widthScale * u_dpr;
  Course course;
  // The line ends inside the head, where the head is already as wide as the line.
  if (!courseOf(source, target, bend, arrowLength(width) * 0.8, course)) return;
  float t = mix(course.t0, course.t1, a_strip.x);
  v_half = width * 0.5;
  v_across = a_strip.y * (v_half + 0.5);
  vec2 along = directionAt(course, t, bend);
  gl_Position = toClip(pointAt(course, t, bend) + vec2(-along.y, along.x) * v_across);
}`;
