import { useState, type FC } from "react";
import { PlainText } from "../../components/PlainText";
import { useOverview } from "../../data/queries";
import { number, t } from "../../strings";
import { TypeMark } from "../entity/TypeMark";
import styles from "./TypeChips.module.css";

/** As many as usually fit two lines; the rest is one click away. */
const FEW = 5;

type Props = { graph: string; chosen: string | null; onChoose: (type: string | null) => void };

export const TypeChips: FC<Props> = ({ graph, chosen, onChoose }) => {
  const [expanded, setExpanded] = useState(false);
  const types = useOverview(graph).data?.entity_types ?? [];
  if (types.length < 2) return null;
  const most = expanded ? types : types.slice(0, FEW);
  // The chosen one stays in sight, however rare it is.
  const kept = chosen === null || most.some(({ name }) => name === chosen) ? undefined : (types.find(({ name }) => name === chosen) ?? { name: chosen, count: 0 });
  const shown = kept === undefined ? most : [...most, kept];
  return (
    <div className={`${styles.chips} ${expanded ? styles.expanded : ""}`} role="group" aria-label={t.detail.type}>
      <button type="button" className={styles.chip} aria-pressed={chosen === null} onClick={() => onChoose(null)}>{t.list.all}</button>
      {shown.map(({ name, count }) => (
        <button key={name} type="button" className={styles.chip} aria-pressed={chosen === name} onClick={() => onChoose(chosen === name ? null : name)}>
          <TypeMark type={name} size={8} />
          <PlainText text={name} className={styles.name} title />
          <span className={styles.count}>{number(count)}</span>
        </button>
      ))}
      {types.length > FEW && (
        <button type="button" className={styles.more} aria-expanded={expanded} onClick={() => setExpanded(!expanded)}>
          {expanded ? t.list.fewerTypes : t.list.moreTypes(types.length - FEW)}
        </button>
      )}
    </div>
  );
};
