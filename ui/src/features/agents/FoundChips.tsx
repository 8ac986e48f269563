import type { FC } from "react";
import { useApp } from "../../app/AppContext";
import { Button } from "../../components/Button";
import { PlainText } from "../../components/PlainText";
import { visibleText } from "../../graph/text/visibleText";
import type { Recall } from "../../ipc/parts";
import { t } from "../../strings";
import { EntityChip } from "../entity/EntityChip";
import { FEW, foundBy, type placeOf } from "./recalled";
import styles from "./Agents.module.css";

type Props = { recall: Recall; place: ReturnType<typeof placeOf>; all: boolean };

/** The entities a question was answered with, best first. Those of another graph wait until that is opened. */
export const FoundChips: FC<Props> = ({ recall, place, all }) => {
  const { scene, session } = useApp();
  const { there, gone, unlisted } = foundBy(recall);
  const shown = all ? there : there.slice(0, FEW);
  const more = there.length - shown.length + unlisted;
  const openThere = async () => {
    await session.open(recall.graph);
    scene.revealAll(there.flatMap(({ id }) => (scene.nodes.get(id) === undefined ? [] : [id])));
  };
  if (there.length === 0 && !(all && gone > 0)) return null;
  return (
    <div className={styles.chips}>
      {shown.map(({ id, name }) => {
        const node = place === "here" ? scene.nodes.get(id) : undefined;
        return <EntityChip key={id} name={name} type={node?.type} onClick={node === undefined ? undefined : () => scene.reveal(id)} />;
      })}
      {more > 0 && <span className={styles.quiet}>{t.questions.more(more)}</span>}
      {all && gone > 0 && <span className={styles.quiet}>{place === "other_library" ? t.questions.otherLibrary : t.questions.gone(gone)}</span>}
      {all && place === "other_graph" && there.length > 0 && (
        <span className={styles.otherGraph}>
          <span className={styles.quiet}>{t.questions.otherGraph} <PlainText text={recall.graph} /></span>
          <Button onClick={() => void openThere()} title={t.agents.toGraph(visibleText(recall.graph))}>{t.questions.show}</Button>
        </span>
      )}
    </div>
  );
};
