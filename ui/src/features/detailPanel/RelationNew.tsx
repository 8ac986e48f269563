import { useState, type FC } from "react";
import { useApp } from "../../app/AppContext";
import { Button } from "../../components/Button";
import type { Problem } from "../../components/Field";
import { toIpcError } from "../../ipc/ipcError";
import { t } from "../../strings";
import { EntitySearch, type Target } from "../entity/EntitySearch";
import { parseWeight } from "./relationForm";
import { RelationFields } from "./RelationFields";

type Props = { graph: string; entity: string; onDone: () => void };

export const RelationNew: FC<Props> = ({ graph, entity, onDone }) => {
  const { edits } = useApp();
  const [type, setType] = useState("");
  const [weight, setWeight] = useState("1");
  const [outgoing, setOutgoing] = useState(true);
  const [target, setTarget] = useState<Target>({ text: "" });
  const [error, setError] = useState<Problem | null>(null);

  const add = async () => {
    const number = parseWeight(weight);
    if (number === undefined) return setError({ message: t.detail.weightRange });
    if (target.id === undefined && target.create === undefined) return setError({ message: t.detail.chooseTarget });
    try {
      const other = target.id ?? (await edits.write("add_entity", { name: target.create!, entity_type: t.entity.defaultType, description: "", observations: [] })).id;
      if (other === undefined) return setError({ message: t.detail.chooseTarget });
      // If the relation is refused, the entity just made is there to be chosen, not made a second time.
      setTarget({ text: target.text, id: other });
      const [source_id, target_id] = outgoing ? [entity, other] : [other, entity];
      await edits.write("add_relationship", { source_id, target_id, relationship_type: type, weight: number });
      onDone();
    } catch (thrown) {
      setError(toIpcError(thrown));
    }
  };
  return (
    <RelationFields
      graph={graph}
      outgoing={outgoing}
      onFlip={() => setOutgoing(!outgoing)}
      type={type}
      onType={setType}
      weight={weight}
      onWeight={setWeight}
      target={<EntitySearch graph={graph} target={target} onTarget={setTarget} except={entity} />}
      error={error}
      onSubmit={() => void add()}
      onCancel={onDone}
      buttons={
        <>
          <Button variant="quiet" onClick={onDone}>{t.app.cancel}</Button>
          <Button variant="primary" type="submit">{t.detail.add}</Button>
        </>
      }
    />
  );
};
