import { overlaps, type Box, type Occupancy } from "./occupancy";

/** A node that wants a label, as it stands on screen. Candidates come in the order in which they may choose. */
export type LabelCandidate = {
  node: number;
  x: number;
  y: number;
  /** Drawn radius, rings included. */
  radius: number;
  width: number;
  height: number;
  /** Pinned, selected, hovered: tries every place before giving up. */
  forced: boolean;
  /** How many dots it may be written across rather than be left out. */
  mayCover: number;
  /** Where it stood in the last picture: it goes there again if it can. */
  side: Side | undefined;
};

export type Side = "below" | "right" | "above" | "left" | "far-below" | "far-above" | "far-right" | "far-left";

export type PlacedLabel = { node: number; side: Side; box: Box; forced: boolean };

const SIDES: readonly Side[] = ["below", "right", "above"];
const FORCED_SIDES: readonly Side[] = ["below", "right", "above", "left", "far-below", "far-above", "far-right", "far-left"];
const GAP = 3;
/** Air between two labels: touching words read as one. */
const AIR_X = 5;
const AIR_Y = 1;

/**
 * Greedy placement: each candidate takes the first side where it covers no label placed before and few
 * dots. Labels never overlap; one without a place is left out.
 */
export function placeLabels(candidates: Iterable<LabelCandidate>, labels: Occupancy, dots: Occupancy, room: Box): PlacedLabel[] {
  const placed: PlacedLabel[] = [];
  for (const candidate of candidates) {
    const label = placeOne(candidate, labels, dots, room);
    if (label !== null) placed.push(label);
  }
  return placed;
}

export function placeOne(candidate: LabelCandidate, labels: Occupancy, dots: Occupancy, room: Box): PlacedLabel | null {
  const standard = candidate.forced ? FORCED_SIDES : SIDES;
  const sides = candidate.side === undefined ? standard : [candidate.side, ...standard.filter((side) => side !== candidate.side)];
  let best: { side: Side; box: Box; covered: number } | null = null;
  for (const side of sides) {
    const box = boxAt(candidate, side);
    if (!overlaps(box, room) || labels.hits(padded(box))) continue;
    // Over a dot is still readable, by the halo, but beside it is better.
    const limit = Math.min(candidate.mayCover, (best?.covered ?? Infinity) - 1);
    const covered = dots.count(box, limit);
    // One that is there already stays where it is; one the person points at is worth a better place.
    if (covered === 0 || (side === candidate.side && !candidate.forced && candidate.mayCover > 0)) return take(candidate, side, box, labels);
    if (covered <= limit) best = { side, box, covered };
  }
  return best === null ? null : take(candidate, best.side, best.box, labels);
}

function take(candidate: LabelCandidate, side: Side, box: Box, labels: Occupancy): PlacedLabel {
  labels.add(box);
  return { node: candidate.node, side, box, forced: candidate.forced };
}

export function boxAt({ x, y, radius, width, height }: LabelCandidate, side: Side): Box {
  const far = radius + GAP + height + 2;
  switch (side) {
    case "below":
      return { x: x - width / 2, y: y + radius + GAP, width, height };
    case "above":
      return { x: x - width / 2, y: y - radius - GAP - height, width, height };
    case "right":
      return { x: x + radius + GAP + 1, y: y - height / 2, width, height };
    case "left":
      return { x: x - radius - GAP - 1 - width, y: y - height / 2, width, height };
    case "far-below":
      return { x: x - width / 2, y: y + far, width, height };
    case "far-above":
      return { x: x - width / 2, y: y - far - height, width, height };
    case "far-right":
      return { x: x + radius + GAP, y: y + radius * 0.5 + height * 0.5, width, height };
    case "far-left":
      return { x: x - radius - GAP - width, y: y - radius * 0.5 - height * 1.5, width, height };
  }
}

function padded(box: Box): Box {
  return { x: box.x - AIR_X, y: box.y - AIR_Y, width: box.width + 2 * AIR_X, height: box.height + 2 * AIR_Y };
}
