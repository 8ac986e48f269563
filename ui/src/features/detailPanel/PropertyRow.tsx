import type { FC } from "react";
import { useApp } from "../../app/AppContext";
import { IconButton } from "../../components/Button";
import { PlainText } from "../../components/PlainText";
import type { Entity } from "../../ipc/generated/wire";
import { t } from "../../strings";
import { EditableField } from "./EditableField";
import { LongText } from "./LongText";
import { parseProperty, propertyText } from "./propertyText";
import { useEntityField } from "./useEntityField";
import styles from "./DetailPanel.module.css";

type Props = { graph: string; entity: Entity; name: string };

export const PropertyRow: FC<Props> = ({ graph, entity, name }) => {
  const { edits } = useApp();
  const value = entity.properties[name];
  const text = propertyText(value);
  const structured = typeof value === "object" && value !== null;
  const edit = useEntityField(graph, entity, {
    field: `property:${name}`,
    joint: "\n",
    read: (e) => (name in e.properties ? propertyText(e.properties[name]) : ""),
    patch: (written) => {
      const parsed = parseProperty(written);
      return { properties: { [name]: "value" in parsed ? parsed.value : written } };
    },
    refuse: refuseProperty,
  });
  return (
    <div className={`${styles.property} ${structured ? styles.structured : ""}`}>
      <dt className={styles.key}><PlainText text={name} title /></dt>
      <dd className={styles.value}>
        <EditableField edit={edit} label={name} multiline={structured || text.includes("\n") || text.length > 60} mono={structured}>
          <div className={structured ? styles.json : undefined}>{text === "" ? <span className={styles.placeholder}>—</span> : <LongText text={text} />}</div>
        </EditableField>
      </dd>
      <span className={styles.tools}><IconButton icon="trash" small label={t.detail.remove} onClick={() => void edits.deleteProperty(entity.id, name)} /></span>
    </div>
  );
};

export function refuseProperty(text: string): string | undefined {
  const parsed = parseProperty(text);
  if ("value" in parsed) return undefined;
  return parsed.refused === "null" ? t.detail.noNull : t.detail.badJson;
}
