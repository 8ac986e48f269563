import type { FC } from "react";
import type { Entity } from "../../ipc/generated/wire";
import { t } from "../../strings";
import { EditableField } from "./EditableField";
import { LongText } from "./LongText";
import { useEntityField } from "./useEntityField";
import styles from "./DetailPanel.module.css";

type Props = { graph: string; entity: Entity };

export const DescriptionField: FC<Props> = ({ graph, entity }) => {
  const edit = useEntityField(graph, entity, { field: "description", joint: "\n\n", read: (e) => e.description, patch: (text) => ({ description: text }) });
  return (
    <section className={styles.description} aria-label={t.detail.description}>
      <EditableField edit={edit} label={t.detail.description} multiline>
        {entity.description === "" ? <span className={styles.placeholder}>{t.detail.addDescription}</span> : <LongText text={entity.description} />}
      </EditableField>
    </section>
  );
};
