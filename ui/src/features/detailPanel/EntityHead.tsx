import { useEffect, type FC } from "react";
import { useApp } from "../../app/AppContext";
import { IconButton } from "../../components/Button";
import { PlainText } from "../../components/PlainText";
import { useOverview } from "../../data/queries";
import type { EntityDetail } from "../../ipc/generated/wire";
import { useStore } from "../../state/createStore";
import { t } from "../../strings";
import { TypeMark } from "../entity/TypeMark";
import { AttributionLine } from "./AttributionLine";
import { EditableField } from "./EditableField";
import { RecalledLine } from "./RecalledLine";
import { useEntityField } from "./useEntityField";
import styles from "./DetailPanel.module.css";

/** Longer names are set smaller. */
const LONG_NAME = 80;

type Props = { graph: string; detail: EntityDetail };

export const EntityHead: FC<Props> = ({ graph, detail }) => {
  const { stores } = useApp();
  const { entity } = detail;
  const types = useOverview(graph).data?.entity_types ?? [];
  const name = useEntityField(graph, entity, { field: "name", joint: " / ", read: (e) => e.name, patch: (text) => ({ name: text }) });
  const type = useEntityField(graph, entity, { field: "type", joint: " / ", read: (e) => e.entity_type, patch: (text) => ({ entity_type: text }) });

  const wanted = useStore(stores.wantsEdit, (field) => field === "name");
  const { begin } = name;
  useEffect(() => {
    if (!wanted) return;
    stores.wantsEdit.set(() => null);
    begin();
  });

  return (
    <header className={styles.head}>
      <div className={styles.titleRow}>
        <div className={styles.grow}>
          <EditableField edit={name} label={t.detail.name} inputClass={styles.nameInput} entry>
            <h2 className={`${styles.name} ${entity.name.length > LONG_NAME ? styles.longName : ""}`}><PlainText text={entity.name} /></h2>
          </EditableField>
        </div>
        <IconButton
          icon="more"
          label={t.app.more}
          onClick={(event) => {
            const box = event.currentTarget.getBoundingClientRect();
            stores.contextMenu.set(() => ({ id: entity.id, x: box.right, y: box.bottom + 4, alignRight: true }));
          }}
        />
      </div>
      <div className={styles.typeRow}>
        <TypeMark type={entity.entity_type} />
        <div className={styles.typeField}>
          <EditableField edit={type} label={t.detail.type} suggestions={types.map(({ name }) => name)}>
            <PlainText text={entity.entity_type} />
          </EditableField>
        </div>
      </div>
      <AttributionLine change={detail.last_change} createdAt={entity.created_at} />
      <RecalledLine graph={graph} id={entity.id} />
    </header>
  );
};
