import type { FC } from "react";

/** Line icons on a 16-pixel grid, drawn for this program. */
const PATHS = {
  search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.3 10.3 13.5 13.5",
  plus: "M8 3v10M3 8h10",
  close: "M4 4l8 8M12 4l-8 8",
  chevron: "M4.5 6.5 8 10l3.5-3.5",
  chevronLeft: "M9.5 4.5 6 8l3.5 3.5",
  chevronRight: "M6.5 4.5 10 8l-3.5 3.5",
  check: "M3.5 8.5l3 3 6-7",
  undo: "M5.5 3.5 2.5 6.5l3 3M3 6.5h6.2a3.3 3.3 0 0 1 0 6.6H6.5",
  redo: "M10.5 3.5l3 3-3 3M13 6.5H6.8a3.3 3.3 0 0 0 0 6.6h2.7",
  activity: "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM8 5v3.2l2.2 1.6",
  plug: "M5.5 2v3M10.5 2v3M4 5h8v2.5a4 4 0 0 1-8 0zM8 11.5V14",
  left: "M3.5 2.5h9a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1zM6.3 2.5v11",
  right: "M3.5 2.5h9a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1zM9.7 2.5v11",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  more: "M3.4 8h.2M7.9 8h.2M12.4 8h.2",
  edit: "M9.8 3.4l2.8 2.8M3 13l.7-3.1L10.8 2.8a1 1 0 0 1 1.4 0l1 1a1 1 0 0 1 0 1.4L6.1 12.3z",
  trash: "M3 4.5h10M6 4.5V3h4v1.5M4.3 4.5l.6 8.5h6.2l.6-8.5M6.7 7v3.5M9.3 7v3.5",
  copy: "M6 5.5h6.5V13H6zM3.5 10.5V3H10",
  flip: "M3 5.5h9.5M10 3l2.5 2.5L10 8M13 10.5H3.5M6 8l-2.5 2.5L6 13",
  out: "M3 8h9.5M9 4.5 12.5 8 9 11.5",
  in: "M13 8H3.5M7 4.5 3.5 8 7 11.5",
  fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  minus: "M3 8h10",
  file: "M4 2.5h5l3 3v8H4zM9 2.5v3h3",
  warn: "M8 2.5 14 13H2zM8 6.5v3M8 11.2h.01",
  agent: "M3.5 5.5h9v7h-9zM8 5.5V3M6 8.5v1.2M10 8.5v1.2M1.8 8v2.5M14.2 8v2.5",
  person: "M8 2.8a2.6 2.6 0 1 0 0 5.2 2.6 2.6 0 0 0 0-5.2zM3 13.3c.5-2.4 2.4-3.7 5-3.7s4.5 1.3 5 3.7",
  pin: "M8 9.5v4M5.2 9.5h5.6l-1.2-2.3V3.3H6.4v3.9zM5.6 3.3h4.8",
  target: "M8 4.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM8 1.5v3M8 11.5v3M1.5 8h3M11.5 8h3",
  sort: "M4.5 3v10M2.5 11l2 2 2-2M9 4h5M9 8h3.5M9 12h2",
  library: "M2.5 4.5v8h11v-6.5H8L6.7 4.5z",
  sample: "M8 2.5 9.6 6l3.9.4-2.9 2.6.8 3.8L8 10.9l-3.4 1.9.8-3.8L2.5 6.4 6.4 6z",
  eyeOff: "M2.5 8S4.5 4.3 8 4.3 13.5 8 13.5 8 11.5 11.7 8 11.7 2.5 8 2.5 8zM3 13 13 3",
  relation: "M4.2 6.2a2 2 0 1 0 0 3.6 2 2 0 0 0 0-3.6zM11.8 6.2a2 2 0 1 0 0 3.6 2 2 0 0 0 0-3.6zM6 8h4",
  pause: "M5.8 3.8v8.4M10.2 3.8v8.4",
  play: "M5 3.2v9.6L12.5 8z",
  layout: "M4 2.6a1.6 1.6 0 1 0 0 3.2 1.6 1.6 0 0 0 0-3.2zM12.2 4.4a1.4 1.4 0 1 0 0 2.8 1.4 1.4 0 0 0 0-2.8zM7.6 10.2a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 0 0 0-3.4zM5.5 4.6l5.3 1M4.7 5.7l2.2 4.6M11.4 7l-2.7 3.5",
  help: "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM6.4 6.4c.1-1 .8-1.5 1.7-1.5s1.6.6 1.6 1.4c0 1.2-1.7 1.3-1.7 2.5M8 11h.01",
} as const;

export type IconName = keyof typeof PATHS;

type Props = { name: IconName; size?: number };

export const Icon: FC<Props> = ({ name, size = 16 }) => (
  <svg width={size} height={size} viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth={name === "more" ? 2.2 : 1.4} strokeLinecap="round" strokeLinejoin="round" aria-hidden="true" focusable="false">
    <path d={PATHS[name]} />
  </svg>
);
