import type { FC, MouseEvent } from "react";
import { visibleText } from "../graph/text/visibleText";
import { visibleLines } from "./visibleLines";

type Props = { text: string; lines?: boolean; className?: string; /** Told in full by a tooltip where it is cut. */ title?: boolean };

const TITLE_CHARACTERS = 600;

/** Text somebody else wrote: its own direction, hidden characters made visible, and never anything but text. */
export const PlainText: FC<Props> = ({ text, lines = false, className, title = false }) => {
  // Only once the pointer is there is it known whether the text was cut; a tooltip that repeats what stands there is noise.
  const explain = ({ currentTarget: element }: MouseEvent<HTMLElement>) => {
    element.title = element.scrollWidth > element.clientWidth ? visibleText(text).slice(0, TITLE_CHARACTERS) : "";
  };
  return (
    <bdi dir="auto" className={className} onMouseEnter={title ? explain : undefined}>
      {lines ? visibleLines(text) : visibleText(text)}
    </bdi>
  );
};
