import type { FC } from "react";
import { Combobox, type Option } from "../../components/Combobox";
import fieldStyles from "../../components/Field.module.css";
import { PlainText } from "../../components/PlainText";
import { visibleText } from "../../graph/text/visibleText";
import { useSearch } from "../../data/queries";
import { useDebounced } from "../../hooks/useDebounced";
import { t } from "../../strings";
import { TypeMark } from "./TypeMark";
import styles from "./EntityChip.module.css";

/** What was typed, and what it stands for: an entity, or one to be made. */
export type Target = { text: string; id?: string; create?: string };

const OFFERED = 7;
const CREATE = "\u0000create";

type Props = { graph: string; target: Target; onTarget: (target: Target) => void; except?: string };

/** Find an entity by typing; if there is none of that name, offer to make it. */
export const EntitySearch: FC<Props> = ({ graph, target, onTarget, except }) => {
  const query = useDebounced(target.text, 80);
  const hits = (useSearch(graph, query, null, OFFERED + 1).data?.hits ?? []).filter(({ id }) => id !== except).slice(0, OFFERED);
  const name = target.text.trim();
  const exact = hits.some((hit) => hit.name.toLocaleLowerCase() === name.toLocaleLowerCase());
  const options: Option[] = name === "" ? [] : hits.map((hit) => ({
    key: hit.id,
    label: hit.name,
    node: (
      <>
        <TypeMark type={hit.entity_type} size={8} />
        <PlainText text={hit.name} className={styles.name} />
        <PlainText text={hit.entity_type} className={styles.aside} />
      </>
    ),
  }));
  if (name !== "" && !exact) options.push({ key: CREATE, label: t.detail.newTarget(visibleText(name)) });
  return (
    <Combobox
      className={fieldStyles.input}
      value={target.text}
      onText={(text) => onTarget({ text })}
      options={options}
      answered
      onPick={(key) => {
        const hit = hits.find(({ id }) => id === key);
        onTarget(hit === undefined ? { text: target.text, create: name } : { text: hit.name, id: hit.id });
      }}
      placeholder={t.detail.findTarget}
      aria-label={t.detail.target}
    />
  );
};
