import { useApp } from "../../app/AppContext";
import type { Entity, UpdateEntity } from "../../ipc/generated/wire";
import { saveEntityField } from "./saveField";
import { useFieldEdit, type FieldEdit } from "./useFieldEdit";

type Options = {
  field: string;
  joint: string;
  read: (entity: Entity) => string;
  patch: (text: string) => Omit<UpdateEntity, "graph" | "id" | "seen_updated_at">;
  refuse?: (text: string) => string | undefined;
};

/** One field of the entity itself: name, type, description, a property. */
export function useEntityField(graph: string, entity: Entity, { field, joint, read, patch, refuse }: Options): FieldEdit {
  const { edits } = useApp();
  return useFieldEdit({
    graph,
    entity: entity.id,
    field,
    current: read(entity),
    seen: entity.updated_at,
    joint,
    refuse,
    save: (draft) => saveEntityField((request) => edits.write("update_entity", { id: entity.id, ...request }), read, patch(draft.text), draft),
  });
}
