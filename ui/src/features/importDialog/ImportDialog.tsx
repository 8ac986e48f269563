import { useCallback, useEffect, useState, type FC } from "react";
import { useApp } from "../../app/AppContext";
import { Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import { FieldError, type Problem } from "../../components/Field";
import { PlainText } from "../../components/PlainText";
import type { ImportReport } from "../../ipc/generated/wire";
import type { ImportChoice } from "../../ipc/host";
import { toIpcError } from "../../ipc/ipcError";
import { t } from "../../strings";
import { changesOf, runImport } from "./runImport";
import { ReportTable } from "./ReportTable";
import styles from "./Import.module.css";

type Props = { choice: ImportChoice; name: string; onClose: () => void };

/** A rehearsal first: what a file would do, what in it is bad; then, if wanted, the same for real. */
export const ImportDialog: FC<Props> = ({ choice, name, onClose }) => {
  const app = useApp();
  const [report, setReport] = useState<ImportReport | null>(null);
  const [error, setError] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);

  useEffect(() => {
    let current = true;
    runImport(app, choice, { dry_run: true, skip_invalid: true }).then(
      (found) => current && setReport(found),
      (thrown: unknown) => current && setError(toIpcError(thrown)),
    );
    return () => {
      current = false;
    };
  }, [app, choice]);

  const apply = useCallback(async () => {
    setBusy(true);
    try {
      const done = await runImport(app, choice, { dry_run: false, skip_invalid: true });
      app.toaster.say(t.import.done(changesOf(done)));
      onClose();
      if (done.graph !== app.session.graph) await app.session.open(done.graph);
      else app.session.wrote();
    } catch (thrown) {
      setError(toIpcError(thrown));
    } finally {
      setBusy(false);
    }
  }, [app, choice, onClose]);

  const bad = (report?.problem_count ?? 0) > 0;
  const nothing = report !== null && changesOf(report) === 0 && report.format !== "database";
  return (
    <Dialog
      title={t.import.title}
      width={520}
      onClose={onClose}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>{t.app.cancel}</Button>
          <Button variant="primary" disabled={report === null || busy || nothing} onClick={() => void apply()}>{bad ? t.import.rest : t.import.import}</Button>
        </>
      }
    >
      <div className={styles.file}>
        <PlainText text={name} className={styles.fileName} title />
        {report !== null && <span className={styles.quiet}>{t.import.formats(report.format)} · {report.format === "database" ? t.import.asGraph(report.graph) : t.import.into(report.graph)}</span>}
      </div>
      {report === null && error === null && <p className={styles.quiet} role="status">{t.import.reading}</p>}
      {error !== null && <FieldError error={error} />}
      {report !== null && <ReportTable report={report} />}
      {nothing && !bad && <p className={styles.quiet}>{t.import.nothing}</p>}
    </Dialog>
  );
};
