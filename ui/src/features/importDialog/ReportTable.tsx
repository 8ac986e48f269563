import type { FC } from "react";
import { PlainText } from "../../components/PlainText";
import type { ImportReport, Tally } from "../../ipc/generated/wire";
import { number, t } from "../../strings";
import styles from "./Import.module.css";

/** Rows drawn of the bad records; a broken file can have thousands. */
const LISTED = 500;

export const ReportTable: FC<{ report: ImportReport }> = ({ report }) => {
  const listed = report.problems.slice(0, LISTED);
  return (
    <>
      <table className={styles.table}>
        <thead>
          <tr><th scope="col"><span className={styles.hidden}>{t.import.title}</span></th><th scope="col">{t.import.new}</th><th scope="col">{t.import.changed}</th><th scope="col">{t.import.unchanged}</th></tr>
        </thead>
        <tbody>
          <Row label={t.import.entities} tally={report.entities} />
          <Row label={t.import.relationships} tally={report.relationships} />
          <Row label={t.import.observations} tally={report.observations} />
        </tbody>
      </table>
      {report.problem_count > 0 && (
        <section className={styles.problems} aria-label={t.import.problems(report.problem_count)}>
          <h3>{t.import.problems(report.problem_count)}</h3>
          <ul>
            {listed.map((problem, at) => (
              <li key={at}>
                <span className={styles.line}><PlainText text={t.import.place(problem.place, problem.line)} /></span>
                <PlainText text={problem.reason} className={styles.reason} />
              </li>
            ))}
          </ul>
          {report.problem_count > listed.length && <p className={styles.quiet}>{t.import.cut(listed.length, report.problem_count)}</p>}
        </section>
      )}
    </>
  );
};

const Row: FC<{ label: string; tally: Tally }> = ({ label, tally }) => (
  <tr>
    <th scope="row">{label}</th>
    <td data-some={tally.new > 0 || undefined}>{number(tally.new)}</td>
    <td data-some={tally.changed > 0 || undefined}>{number(tally.changed)}</td>
    <td>{number(tally.unchanged)}</td>
  </tr>
);
