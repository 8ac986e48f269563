/** Sizes of dots: the one place that says how degree and zoom become pixels. */

export const MIN_RADIUS = 5;
export const MAX_RADIUS = 22;
/** Below this a dot would vanish between pixels. */
export const MIN_DRAWN_RADIUS = 1.3;

/** Screen pixels at zoom 1. The square root keeps hubs from swallowing the picture. */
export function nodeRadius(degree: number): number {
  return Math.min(MAX_RADIUS, Math.max(MIN_RADIUS, 4 + 2 * Math.sqrt(degree)));
}

/** Dots grow with √zoom: neither vanish when far nor swell when near. */
export function drawnRadius(radius: number, zoom: number): number {
  return Math.max(MIN_DRAWN_RADIUS, radius * Math.sqrt(zoom));
}

/**
 * Line width at zoom 1. Weights are 0–1 and most writers leave the default of 1, so the full weight must still be a
 * fine line: 1.4 px, not the 4 px that would turn a dense picture into felt.
 */
export function edgeWidth(weight: number): number {
  return 0.7 + 0.7 * Math.min(1, Math.max(0, weight));
}

/** One line for so many, thicker by half a pixel for each doubling. */
export function bundleWidth(count: number): number {
  return Math.min(3, 1 + 0.5 * Math.log2(count));
}

/** Lines thicken far more slowly than distances grow. */
export function edgeWidthScale(zoom: number): number {
  return Math.min(2, Math.max(0.65, zoom ** 0.3));
}
