import { draftsOf } from "../state/drafts/drafts";
import type { Stores } from "../state/stores";
import type { NodeIndex } from "./nodeIndex";

/**
 * The panel follows the selection, with one exception: if an agent deletes what the person is writing about, the
 * selection is gone, but the panel stays until the text is saved elsewhere or given up.
 */
export function followSelection(stores: Stores, nodes: NodeIndex): () => void {
  const follow = () => {
    const { ids } = stores.selection.get();
    if (ids.length > 0) stores.inspected.set(() => (ids.length === 1 ? ids[0]! : null));
    else stores.inspected.set((id) => (id !== null && nodes.get(id) === undefined && hasDrafts(stores, id) ? id : null));
  };
  const offs = [stores.selection.subscribe(follow), stores.drafts.subscribe(follow)];
  return () => offs.forEach((off) => off());
}

function hasDrafts(stores: Stores, id: string): boolean {
  const { graph } = stores.workspace.get();
  return graph !== null && draftsOf(stores.drafts.get(), graph, id).length > 0;
}
