import type { FC } from "react";
import { useApp } from "../../app/AppContext";
import { PlainText } from "../../components/PlainText";
import { useGraphName } from "../../data/queries";
import { visibleText } from "../../graph/text/visibleText";
import { useNow } from "../../hooks/useNow";
import type { Recall } from "../../ipc/parts";
import { asked, t } from "../../strings";
import { ago, exactTime } from "../../time";
import { FoundChips } from "./FoundChips";
import { placeOf } from "./recalled";
import styles from "./Agents.module.css";

type Props = { recall: Recall; open: boolean; onToggle: () => void };

/** One question and what was told. Opening it lights all of that on the canvas. */
export const QuestionRow: FC<Props> = ({ recall, open, onToggle }) => {
  const { scene } = useApp();
  const current = useGraphName();
  const now = useNow();
  const place = placeOf(recall, current);
  const light = () => scene.revealAll(recall.found.flatMap(({ id }) => (scene.nodes.get(id) === undefined ? [] : [id])));
  const client = recall.client === "" ? "" : ` · ${visibleText(recall.client)}`;
  return (
    <li className={styles.question} data-open={open || undefined}>
      <button
        type="button"
        className={styles.ask}
        aria-expanded={open}
        onClick={() => {
          onToggle();
          if (!open && place === "here") light();
        }}
      >
        <span className={`${styles.sentence} ${open ? "" : styles.folded}`}>
          <b className={styles.who}>{visibleText(recall.agent)}</b> {visibleText(asked(recall.tool))} <PlainText text={recall.query} className={styles.query} />
        </span>
        <span className={styles.facts} title={`${exactTime(recall.time)}${client}`}>
          <span>{recall.hits === 0 ? t.questions.nothing : t.questions.found(recall.hits)}</span>
          {place !== "here" && <span className={styles.ellipsis}>{place === "other_graph" ? t.questions.inGraph(visibleText(recall.graph)) : t.agents.elsewhere}</span>}
          <span className={styles.when}>{ago(recall.time, now)}</span>
        </span>
      </button>
      <FoundChips recall={recall} place={place} all={open} />
    </li>
  );
};
