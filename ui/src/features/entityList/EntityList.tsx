import { useEffect, type FC } from "react";
import { useApp } from "../../app/AppContext";
import { SEARCH_LIMIT, useSearch } from "../../data/queries";
import { useDebounced } from "../../hooks/useDebounced";
import { useStore } from "../../state/createStore";
import { t } from "../../strings";
import { BrowseRows } from "./BrowseRows";
import { HitRows } from "./HitRows";
import { ListHead } from "./ListHead";
import { SearchBox } from "./SearchBox";
import { TypeChips } from "./TypeChips";
import styles from "./EntityList.module.css";

const SEARCH_PAUSE_MS = 80;

type Props = { graph: string };

/** The left panel: search, type filter, and the list, which is also the canvas's equivalent for the keyboard. */
export const EntityList: FC<Props> = ({ graph }) => {
  const { stores, scene } = useApp();
  const filter = useStore(stores.filter, (state) => state);
  const query = useDebounced(filter.text, SEARCH_PAUSE_MS);
  const searching = query.trim() !== "";
  const search = useSearch(searching ? graph : null, query, filter.type);
  const hits = searching ? search.data?.hits : undefined;

  useEffect(() => {
    scene.highlight(hits === undefined ? null : hits.map((hit) => hit.id));
    return () => scene.highlight(null);
  }, [scene, hits]);

  const goToFirst = () => {
    const first = hits?.[0];
    if (first === undefined) return;
    scene.reveal(first.id);
    scene.centre(first.id);
  };

  return (
    <div className={styles.panel}>
      <SearchBox text={filter.text} onText={(text) => stores.filter.set((state) => ({ ...state, text }))} onEnter={goToFirst} />
      <TypeChips graph={graph} chosen={filter.type} onChoose={(type) => stores.filter.set((state) => ({ ...state, type }))} />
      <ListHead graph={graph} filter={filter} hits={hits === undefined ? null : t.list.hits(hits.length, SEARCH_LIMIT)} />
      {searching && search.data?.words_only !== undefined && search.data.is_loading && <p className={styles.note} role="status">{t.list.meaningComes}</p>}
      {searching ? <HitRows query={query} hits={hits} error={search.error} type={filter.type} /> : <BrowseRows key={`${graph}/${filter.type}/${filter.order}`} graph={graph} filter={filter} />}
    </div>
  );
};
