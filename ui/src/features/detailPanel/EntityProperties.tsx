import type { FC } from "react";
import { useApp } from "../../app/AppContext";
import type { Entity } from "../../ipc/generated/wire";
import { PropertiesSection } from "./PropertiesSection";
import { propertyField, PropertyRow } from "./PropertyRow";
import { useEntityField } from "./useEntityField";

type Props = { graph: string; entity: Entity };

export const EntityProperties: FC<Props> = ({ graph, entity }) => {
  const { edits } = useApp();
  return (
    <PropertiesSection
      id={entity.id}
      graph={graph}
      properties={entity.properties}
      row={(name) => <Row key={name} graph={graph} entity={entity} name={name} />}
      write={(properties) => edits.write("update_entity", { id: entity.id, properties })}
    />
  );
};

const Row: FC<Props & { name: string }> = ({ graph, entity, name }) => {
  const { edits } = useApp();
  const edit = useEntityField(graph, entity, propertyField(name));
  return <PropertyRow name={name} value={entity.properties[name]} edit={edit} remove={() => void edits.deleteProperty("update_entity", entity.id, name)} />;
};
