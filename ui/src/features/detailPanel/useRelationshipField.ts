import { useApp } from "../../app/AppContext";
import { keys } from "../../data/keys";
import type { RelationshipDetail, UpdateRelationship } from "../../ipc/generated/wire";
import { useFieldEdit, type FieldEdit } from "./useFieldEdit";

type Options = {
  field: string;
  joint: string | null;
  read: (relationship: RelationshipDetail) => string;
  patch: (text: string) => Omit<UpdateRelationship, "graph" | "id">;
  refuse?: (text: string) => string | undefined;
};

/** One field of a relationship. What somebody else wrote meanwhile is looked up before saving. */
export function useRelationshipField(graph: string, relationship: RelationshipDetail, { field, joint, read, patch, refuse }: Options): FieldEdit {
  const { edits, queries, host } = useApp();
  const { id } = relationship;
  return useFieldEdit({
    graph,
    entity: id,
    field,
    current: read(relationship),
    joint,
    refuse,
    save: (draft) => edits.during((async () => {
      const now = await queries.fetchQuery({ queryKey: keys.relationship(graph, id), queryFn: () => host.call("relationship", { graph, id }), staleTime: 0 });
      const theirs = read(now);
      if (theirs !== draft.base && theirs !== draft.text) return { theirs };
      await edits.write("update_relationship", { id, ...patch(draft.text) });
      return undefined;
    })()),
  });
}
