import { useState, type FC } from "react";
import { useApp } from "../../app/AppContext";
import { Button } from "../../components/Button";
import { useRecalls } from "../../data/queries";
import { visibleText } from "../../graph/text/visibleText";
import { showQuestionsOf } from "../../state/agents/agentsView";
import { t } from "../../strings";
import { Narrowed } from "./Narrowed";
import { QuestionRow } from "./QuestionRow";
import styles from "./Agents.module.css";

/** What agents asked and were told, the newest first; of one agent, or of all. */
export const Questions: FC<{ of: string | null }> = ({ of }) => {
  const { stores } = useApp();
  const [open, setOpen] = useState<number | null>(null);
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useRecalls(of);
  const recalls = data?.pages.flatMap((page) => page.recalls);
  return (
    <>
      {of !== null && <Narrowed text={t.questions.only(visibleText(of))} out={t.questions.everybody} onOut={() => stores.agents.set((view) => showQuestionsOf(view, null))} />}
      {recalls === undefined && <p className={styles.message} role={error === null ? undefined : "alert"}>{error === null ? t.detail.loading : `${t.questions.failed}: ${error.message}`}</p>}
      {recalls?.length === 0 && (
        <div className={styles.message}>
          <p className={styles.emptyTitle}>{of === null ? t.questions.none : t.questions.noneOf(visibleText(of))}</p>
          <p>{t.questions.noneText}</p>
        </div>
      )}
      <ol className={styles.questions}>
        {recalls?.map((recall) => <QuestionRow key={recall.id} recall={recall} open={recall.id === open} onToggle={() => setOpen(recall.id === open ? null : recall.id)} />)}
      </ol>
      {hasNextPage && <Button variant="quiet" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>{t.questions.older}</Button>}
    </>
  );
};
