import type { MeaningStatus } from "../../ipc/generated/wire";
import { t } from "../../strings";

export type MeaningLine = { text: string; warns: boolean; /** Of the texts that have their vector, while some have not. */ share?: number };

/** The state of search by meaning in a few words: what is wrong before what goes on before what is well. */
export function meaningLine(status: MeaningStatus): MeaningLine {
  if (status.state === "off") return { text: t.meaning.off, warns: false };
  if (status.state === "missing") return { text: t.meaning.missing, warns: true };
  if (status.other_model !== undefined) return { text: t.meaning.otherModel, warns: true };
  if (status.pending === 0) return { text: t.meaning.ready, warns: false };
  const share = status.texts === 0 ? 0 : Math.max(0, 1 - status.pending / status.texts);
  return { text: status.is_paused ? t.meaning.paused : t.meaning.learning(share), warns: false, share };
}
