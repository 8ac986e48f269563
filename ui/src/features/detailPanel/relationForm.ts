/** A weight as it is typed. Undefined: not a number from 0 to 1. */
export function parseWeight(text: string): number | undefined {
  const trimmed = text.trim().replace(",", ".");
  const weight = trimmed === "" ? 1 : /^\+?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : NaN;
  return Number.isFinite(weight) && weight >= 0 && weight <= 1 ? weight : undefined;
}

/** Enough digits to come back as the same number, and no more. */
export function weightText(weight: number): string {
  return String(Math.round(weight * 1e6) / 1e6);
}
