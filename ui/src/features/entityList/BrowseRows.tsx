import { useCallback, useState, type FC } from "react";
import { visibleText } from "../../graph/text/visibleText";
import { PAGE, useListPages } from "../../data/queries";
import { useNow } from "../../hooks/useNow";
import type { ListFilter } from "../../state/search/search";
import { t } from "../../strings";
import { ago } from "../../time";
import { RowList, type RowContent } from "./RowList";
import styles from "./EntityList.module.css";

const ROW_HEIGHT = 28;

type Props = { graph: string; filter: ListFilter };

/** All entities, fetched 500 at a time as they come into sight. */
export const BrowseRows: FC<Props> = ({ graph, filter }) => {
  const [range, setRange] = useState<[number, number]>([0, 0]);
  const pages = pagesOf(range);
  const results = useListPages(graph, filter, pages);
  const now = useNow();
  const onRange = useCallback((first: number, last: number) => setRange((range) => (range[0] === first && range[1] === last ? range : [first, last])), []);

  const total = results[0]?.data?.total;
  if (results[0]?.error instanceof Error && total === undefined) return <p className={styles.message}>{t.list.failed}</p>;
  if (total === undefined) return <p className={styles.message}>{t.list.loading}</p>;
  if (total === 0) return <p className={styles.message}>{filter.type === null ? "" : t.list.noneOfType(visibleText(filter.type))}</p>;

  const rowAt = (index: number): RowContent | undefined => {
    const row = results[pages.indexOf(Math.floor(index / PAGE))]?.data?.rows[index % PAGE];
    if (row === undefined) return undefined;
    return { id: row.id, name: row.name, type: row.entity_type, when: filter.order === "updated" ? ago(row.updated_at, now) : undefined };
  };
  return <RowList total={total} rowHeight={ROW_HEIGHT} rowAt={rowAt} onRange={onRange} />;
};

/** The first page is always among them: it carries the total. */
function pagesOf([first, last]: [number, number]): number[] {
  const pages = new Set([0]);
  for (let page = Math.floor(first / PAGE); page <= Math.floor(last / PAGE); page++) pages.add(page);
  return [...pages];
}
