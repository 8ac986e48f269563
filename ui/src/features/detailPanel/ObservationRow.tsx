import type { FC } from "react";
import { useApp } from "../../app/AppContext";
import { IconButton } from "../../components/Button";
import { visibleText } from "../../graph/text/visibleText";
import { useNow } from "../../hooks/useNow";
import type { Observation } from "../../ipc/generated/wire";
import { draftKey } from "../../state/drafts/drafts";
import { t } from "../../strings";
import { ago, exactTime } from "../../time";
import { EditableField } from "./EditableField";
import { LongText } from "./LongText";
import { saveObservation } from "./saveField";
import { useFieldEdit } from "./useFieldEdit";
import styles from "./DetailPanel.module.css";

/** `observation` undefined: it was deleted meanwhile and only the person's draft is left. */
type Props = { graph: string; entity: string; id: string; observation: Observation | undefined };

export const ObservationRow: FC<Props> = ({ graph, entity, id, observation }) => {
  const app = useApp();
  const now = useNow();
  const field = `observation:${id}`;
  const draftBase = app.stores.drafts.get().get(draftKey(graph, entity, field))?.base ?? "";
  const edit = useFieldEdit({
    graph, entity, field, joint: "\n",
    current: observation?.content ?? draftBase,
    save: (draft) => saveObservation(app, graph, entity, id, draft),
  });
  return (
    <li className={styles.observation}>
      <EditableField edit={edit} label={t.detail.observation} multiline>
        <LongText text={observation?.content ?? draftBase} />
      </EditableField>
      {observation === undefined ? (
        <p className={styles.meanwhile}>{t.conflict.noteGone}</p>
      ) : (
        edit.draft === undefined && (
          <div className={styles.observationFoot}>
            <span className={styles.quiet} title={exactTime(observation.created_at)}>
              {ago(observation.created_at, now)}
              {observation.source !== "" && ` · ${t.detail.source(visibleText(observation.source))}`}
            </span>
            <span className={styles.tools}>
              <IconButton icon="edit" small label={t.detail.edit} onClick={edit.begin} />
              <IconButton icon="trash" small label={t.detail.remove} onClick={() => void app.edits.deleteObservations([id])} />
            </span>
          </div>
        )
      )}
    </li>
  );
};
