import type { FC } from "react";
import { visibleText } from "../graph/text/visibleText";
import { visibleLines } from "./visibleLines";

type Props = { text: string; lines?: boolean; className?: string; title?: boolean };

/** Text somebody else wrote: its own direction, hidden characters made visible, and never anything but text. */
export const PlainText: FC<Props> = ({ text, lines = false, className, title = false }) => (
  <bdi dir="auto" className={className} title={title ? visibleText(text).slice(0, 600) : undefined}>
    {lines ? visibleLines(text) : visibleText(text)}
  </bdi>
);
