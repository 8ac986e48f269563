import { visibleText } from "../../graph/text/visibleText";
import type { SearchHit } from "../../ipc/generated/wire";
import { t } from "../../strings";

/** Why a hit was found, in a word for the row and in full for who asks. */
export function whyFound(hit: Pick<SearchHit, "matched_words" | "similarity" | "is_near">): { brief: string; full: string } | undefined {
  const near = hit.is_near ? hit.similarity : undefined;
  const words = hit.matched_words.length > 0;
  if (!words && near === undefined) return undefined;
  return { brief: near === undefined ? t.why.words : t.why.meaning(near), full: t.why.full(hit.matched_words.map(visibleText), near) };
}
