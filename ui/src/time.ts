import { t } from "./strings";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** "3 min ago", from the host's seconds and this page's milliseconds. A clock a little ahead is still "now". */
export function ago(seconds: number, nowMs: number): string {
  const passed = nowMs / 1000 - seconds;
  if (passed < 45) return t.time.now;
  if (passed < HOUR) return t.time.minutes(Math.max(1, Math.round(passed / MINUTE)));
  if (passed < DAY) return t.time.hours(Math.round(passed / HOUR));
  if (passed < 2 * DAY) return t.time.yesterday;
  if (passed < 30 * DAY) return t.time.days(Math.round(passed / DAY));
  return dateOf(seconds);
}

export function dateOf(seconds: number): string {
  return new Date(seconds * 1000).toLocaleDateString(undefined, { year: "numeric", month: "short", day: "numeric" });
}

export function exactTime(seconds: number): string {
  return new Date(seconds * 1000).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });
}
