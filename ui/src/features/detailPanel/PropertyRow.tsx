import type { FC } from "react";
import { IconButton } from "../../components/Button";
import { PlainText } from "../../components/PlainText";
import { t } from "../../strings";
import { EditableField } from "./EditableField";
import { LongText } from "./LongText";
import { parseProperty, propertyText } from "./propertyText";
import type { FieldEdit } from "./useFieldEdit";
import styles from "./DetailPanel.module.css";

type Props = { name: string; value: unknown; edit: FieldEdit; remove: () => void };

export const PropertyRow: FC<Props> = ({ name, value, edit, remove }) => {
  const text = propertyText(value);
  const structured = typeof value === "object" && value !== null;
  return (
    <div className={`${styles.property} ${structured ? styles.structured : ""}`}>
      <dt className={styles.key}><PlainText text={name} title /></dt>
      <dd className={styles.value}>
        <EditableField edit={edit} label={name} multiline={structured || text.includes("\n") || text.length > 60} mono={structured}>
          <div className={structured ? styles.json : undefined}>{text === "" ? <span className={styles.placeholder}>—</span> : <LongText text={text} />}</div>
        </EditableField>
      </dd>
      <span className={styles.tools}><IconButton icon="trash" small label={t.detail.remove} onClick={remove} /></span>
    </div>
  );
};

/** What the name of a property's field begins with. */
export const PROPERTY = "property:";

type Holder = { properties: Record<string, unknown> };

/** One property as a field: how it is read from what holds it, and what saving it writes. */
export function propertyField(name: string) {
  return {
    field: `${PROPERTY}${name}`,
    joint: "\n",
    read: ({ properties }: Holder) => (name in properties ? propertyText(properties[name]) : ""),
    patch: (written: string) => {
      const parsed = parseProperty(written);
      return { properties: { [name]: "value" in parsed ? parsed.value : written } };
    },
    refuse: refuseProperty,
  };
}

export function refuseProperty(text: string): string | undefined {
  const parsed = parseProperty(text);
  if ("value" in parsed) return undefined;
  return parsed.refused === "null" ? t.detail.noNull : t.detail.badJson;
}
