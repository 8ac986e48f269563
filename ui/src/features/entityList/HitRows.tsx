import type { FC } from "react";
import { useApp } from "../../app/AppContext";
import { Button } from "../../components/Button";
import { visibleText } from "../../graph/text/visibleText";
import type { SearchHit } from "../../ipc/generated/wire";
import { t } from "../../strings";
import { RowList } from "./RowList";
import { whyFound } from "./whyFound";
import styles from "./EntityList.module.css";

const HIT_HEIGHT = 44;

type Props = { query: string; hits: readonly SearchHit[] | undefined; error: Error | null; type: string | null };

/** What the search found, best first, each with the words that made it a hit. */
export const HitRows: FC<Props> = ({ query, hits, error, type }) => {
  const { stores } = useApp();
  if (error !== null) return <p className={styles.message} role="alert">{error.message}</p>;
  if (hits === undefined) return <p className={styles.message}>{t.list.loading}</p>;
  if (hits.length === 0) {
    return (
      <div className={styles.message}>
        <p>{t.list.none(visibleText(query))}</p>
        {type !== null && <Button onClick={() => stores.filter.set((state) => ({ ...state, type: null }))}>{t.list.dropFilter(visibleText(type))}</Button>}
      </div>
    );
  }
  const rowAt = (index: number) => {
    const hit = hits[index];
    return hit && { id: hit.id, name: hit.name, type: hit.entity_type, sub: hit.matched_observation || hit.description, why: whyFound(hit) };
  };
  return <RowList key={query} total={hits.length} rowHeight={HIT_HEIGHT} rowAt={rowAt} />;
};
