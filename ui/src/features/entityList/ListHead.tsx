import type { FC } from "react";
import { useApp } from "../../app/AppContext";
import { Icon } from "../../components/Icon";
import { useListPages } from "../../data/queries";
import type { ListFilter } from "../../state/search/search";
import { t } from "../../strings";
import styles from "./EntityList.module.css";

type Props = { graph: string; filter: ListFilter; hits: string | null };

/** How many there are, and in which order. Hits have their own: best first. */
export const ListHead: FC<Props> = ({ graph, filter, hits }) => {
  const { stores } = useApp();
  const total = useListPages(graph, filter, [0])[0]?.data?.total;
  const byName = filter.order === "name";
  return (
    <div className={styles.head}>
      <span aria-live="polite">{hits ?? (total === undefined ? "" : t.list.total(total))}</span>
      {hits === null && (
        <button type="button" className={styles.order} title={t.list.order} onClick={() => stores.filter.set((state) => ({ ...state, order: byName ? "updated" : "name" }))}>
          <Icon name="sort" size={14} />
          {byName ? t.list.byName : t.list.byUpdated}
        </button>
      )}
    </div>
  );
};
