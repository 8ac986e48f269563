import { BUNDLED_AWAY } from "../../edgeFan";
import { SCENE_GLSL } from "../scene";

/**
 * The course of an edge, shared by lines and arrowheads so that they meet. Straight edges, quadratic curves and
 * self-loops are all asked the same two things: a point at `t`, and where the course meets the rims.
 */
export const EDGE_GLSL = `${SCENE_GLSL}
layout(location = 1) in uvec2 a_ends;
layout(location = 2) in vec2 a_form;  // bend, width
uniform float u_widthScale;
uniform float u_arrowLength;  // device pixels, 0 when arrows are not drawn

struct Course { vec2 from; vec2 control; vec2 to; float t0; float t1; float loopRadius; float loopTurn; };

bool hidden(float bend) { return bend <= ${(BUNDLED_AWAY / 2).toExponential()}; }

float arrowLength(float width) { return u_arrowLength * (0.85 + 0.15 * width / u_dpr); }

// \`stop\` is how far before the target's rim the course ends; false where nothing of it is left to draw.
bool courseOf(vec4 source, vec4 target, float bend, float stop, out Course course) {
  float gap = 1.5 * u_dpr;
  float reachFrom = toRadius(source.z) + gap;
  float reachTo = toRadius(target.z) + gap + stop;
  course.from = toPixels(source.xy);
  course.to = toPixels(target.xy);
  course.loopRadius = 0.0;
  if (a_ends.x == a_ends.y) {
    float r = reachFrom;
    float loop = (7.0 + 4.0 * (bend - 1.0)) * u_dpr * clamp(u_camera.w / u_dpr, 0.5, 1.6);
    float away = r + loop * 0.75;
    course.control = course.from - vec2(0.0, away);
    course.loopRadius = loop;
    course.loopTurn = acos(clamp((away * away + loop * loop - r * r) / (2.0 * away * loop), -1.0, 1.0));
    course.t0 = 0.0;
    course.t1 = 1.0 - stop / (loop * (6.2831853 - 2.0 * course.loopTurn));
    return course.t1 > 0.2;
  }
  vec2 chord = course.to - course.from;
  float len = length(chord);
  if (len <= reachFrom + reachTo) return false;
  // The apex of a quadratic lies halfway to its control point.
  course.control = 0.5 * (course.from + course.to) + vec2(chord.y, -chord.x) * bend * 2.0;
  course.t0 = reachFrom / (2.0 * distance(course.control, course.from));
  course.t1 = 1.0 - reachTo / (2.0 * distance(course.control, course.to));
  // Along a straight line t is the share of the length; the curve is slower at its ends than 2·|control − end| says.
  if (bend == 0.0) { course.t0 = reachFrom / len; course.t1 = 1.0 - reachTo / len; }
  return course.t1 > course.t0;
}

vec2 pointAt(Course course, float t, float bend) {
  if (course.loopRadius > 0.0) {
    float angle = mix(course.loopTurn, 6.2831853 - course.loopTurn, t);
    return course.control + course.loopRadius * vec2(-sin(angle), cos(angle));
  }
  if (bend == 0.0) return mix(course.from, course.to, t);
  return mix(mix(course.from, course.control, t), mix(course.control, course.to, t), t);
}

vec2 directionAt(Course course, float t, float bend) {
  if (course.loopRadius > 0.0) {
    float angle = mix(course.loopTurn, 6.2831853 - course.loopTurn, t);
    return vec2(-cos(angle), -sin(angle));
  }
  if (bend == 0.0) return normalize(course.to - course.from);
  return normalize(mix(course.control - course.from, course.to - course.control, t));
}
`;
