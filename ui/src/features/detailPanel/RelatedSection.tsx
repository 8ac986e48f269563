import type { FC } from "react";
import { useApp } from "../../app/AppContext";
import { IconButton } from "../../components/Button";
import { PlainText } from "../../components/PlainText";
import { useRelated } from "../../data/queries";
import { visibleText } from "../../graph/text/visibleText";
import { t } from "../../strings";
import { TypeMark } from "../entity/TypeMark";
import { Section } from "./Section";
import styles from "./DetailPanel.module.css";

/** Above this cosine two entities' texts say the same. */
const SAME = 0.9;

/** What may belong with the entity and is not linked to it: one click links it, another takes that back. */
export const RelatedSection: FC<{ graph: string; id: string }> = ({ graph, id }) => {
  const { scene, edits } = useApp();
  const related = useRelated(graph, id).data?.related.filter((one) => !one.already_connected || (one.likeness ?? 0) >= SAME);
  if (related === undefined || related.length === 0) return null;
  return (
    <Section title={t.related.title} count={related.length}>
      <ul className={styles.relations}>
        {related.map((one) => (
          <li key={one.id} className={styles.relation}>
            <button type="button" className={styles.other} onClick={() => scene.reveal(one.id)}>
              <TypeMark type={one.entity_type} size={8} />
              <PlainText text={one.name} className={styles.ellipsis} title />
            </button>
            {one.likeness !== undefined && one.likeness >= SAME && <span className={styles.same} title={t.related.likeness(one.likeness)}>{t.related.same}</span>}
            <span className={styles.weight} title={one.likeness === undefined ? undefined : t.related.likeness(one.likeness)}>{Math.round(one.score * 100)} %</span>
            {!one.already_connected && <IconButton icon="plus" small label={t.related.link(visibleText(one.name))} onClick={() => void edits.link(id, one.id, visibleText(one.name))} />}
          </li>
        ))}
      </ul>
    </Section>
  );
};
