import { visibleText } from "../graph/text/visibleText";

/** Text of several lines, each made visible; the line breaks stay. */
export function visibleLines(text: string): string {
  return text.split(/\r\n|\r|\n/).map(visibleText).join("\n");
}
