import type { FC } from "react";
import { useApp } from "../../app/AppContext";
import type { EntityDetail } from "../../ipc/generated/wire";
import { draftsOf } from "../../state/drafts/drafts";
import { useStore } from "../../state/createStore";
import { t } from "../../strings";
import { EditableField } from "./EditableField";
import { ObservationRow } from "./ObservationRow";
import { Section } from "./Section";
import { ShowAll } from "./ShowAll";
import { useFieldEdit } from "./useFieldEdit";
import styles from "./DetailPanel.module.css";

type Props = { graph: string; detail: EntityDetail; more: () => void };

const PREFIX = "observation:";
const NEW = `${PREFIX}new`;

export const ObservationsSection: FC<Props> = ({ graph, detail, more }) => {
  const { stores, edits } = useApp();
  const { entity, observations, observation_count: count } = detail;
  const fresh = useFieldEdit({
    graph, entity: entity.id, field: NEW, current: "", joint: "",
    save: async (draft) => {
      await edits.write("add_observation", { entity_id: entity.id, content: draft.text });
      return undefined;
    },
  });
  // Rows whose observation was deleted while text for it was typed: the text stays, the row with it.
  const ghosts = useStore(stores.drafts, (drafts) =>
    draftsOf(drafts, graph, entity.id).map(([field]) => field).filter((field) => field.startsWith(PREFIX) && field !== NEW && !observations.some(({ id }) => PREFIX + id === field)).join("\n"),
  );
  return (
    <Section title={t.detail.observations} count={count} addLabel={t.detail.addObservation} onAdd={fresh.begin}>
      {fresh.draft !== undefined && <EditableField edit={fresh} label={t.detail.addObservation} multiline>{null}</EditableField>}
      {count === 0 && fresh.draft === undefined && <button type="button" className={styles.addLine} onClick={fresh.begin}>{t.detail.addObservation}</button>}
      <ul className={styles.items}>
        {ghosts.split("\n").filter((field) => field !== "").map((field) => (
          <ObservationRow key={field} graph={graph} entity={entity.id} id={field.slice(PREFIX.length)} observation={undefined} />
        ))}
        {observations.map((observation) => <ObservationRow key={observation.id} graph={graph} entity={entity.id} id={observation.id} observation={observation} />)}
      </ul>
      <ShowAll shown={observations.length} count={count} more={more} />
    </Section>
  );
};
