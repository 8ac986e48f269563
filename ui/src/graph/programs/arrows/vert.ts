import { EDGE_GLSL } from "../edges/shape";

export const ARROWS_VERT = `${EDGE_GLSL}
layout(location = 0) in vec2 a_strip;
out vec2 v_at;           // from the tip backwards, and across
flat out vec2 v_size;    // length, half the width at the base
flat out float v_opacity;

void main() {
  float bend = a_form.x;
  gl_Position = NOWHERE;
  if (hidden(bend)) return;
  vec4 source = nodeAt(a_ends.x);
  vec4 target = nodeAt(a_ends.y);
  v_opacity = min(source.w, target.w);
  if (v_opacity <= 0.0) return;
  float width = a_form.y * u_widthScale * u_dpr;
  float size = arrowLength(width);
  Course course;
  if (!courseOf(source, target, bend, 0.0, course)) return;
  // A head that would cover more than half of a short edge says nothing about direction.
  if (a_ends.x != a_ends.y && distance(course.from, course.to) * (course.t1 - course.t0) < size * 1.3) return;
  vec2 tip = pointAt(course, course.t1, bend);
  float inside = course.t1 - size * 0.5 / max(1.0, distance(course.from, course.to));
  vec2 along = course.loopRadius > 0.0 ? directionAt(course, course.t1 - 0.08, bend) : directionAt(course, inside, bend);
  v_size = vec2(size, size * 0.40 + width * 0.25);
  v_at = vec2(a_strip.x * (size + 2.0) - 1.0, a_strip.y * (v_size.y + 1.5));
  gl_Position = toClip(tip - along * v_at.x + vec2(-along.y, along.x) * v_at.y);
}`;
