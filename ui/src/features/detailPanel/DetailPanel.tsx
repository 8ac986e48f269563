import type { FC } from "react";
import { useApp } from "../../app/AppContext";
import { useStore } from "../../state/createStore";
import { EntityView } from "./EntityView";
import { GraphRest } from "./GraphRest";
import { ManySelected } from "./ManySelected";
import { RelationshipView } from "./RelationshipView";

type Props = { graph: string };

/** What is selected, in full: one entity, one relationship, a summary of several, or the graph itself. */
export const DetailPanel: FC<Props> = ({ graph }) => {
  const { stores } = useApp();
  const inspected = useStore(stores.inspected, (id) => id);
  const many = useStore(stores.selection, (selection) => selection.ids.length > 1);
  const relationship = useStore(stores.relationship, (id) => id);
  if (relationship !== null) return <RelationshipView key={relationship} graph={graph} id={relationship} />;
  if (many) return <ManySelected />;
  if (inspected === null) return <GraphRest graph={graph} />;
  return <EntityView key={inspected} graph={graph} id={inspected} />;
};
