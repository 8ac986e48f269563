import { useEffect, useState, type FC } from "react";
import { useApp } from "../../app/AppContext";
import { openImport } from "../../actions/files";
import { isTextField } from "../../actions/keyHandler";
import { readChoice } from "../../ipc/httpHost";
import { t } from "../../strings";
import styles from "./Import.module.css";

/** Files dropped on the page. The window gets them from the system instead, by path; but no page may navigate to one. */
export const DropTarget: FC = () => {
  const app = useApp();
  const [over, setOver] = useState(false);
  useEffect(() => {
    const inBrowser = app.host.kind === "browser";
    const isFile = (event: DragEvent) => event.dataTransfer?.types.includes("Files") === true;
    // Text may be dragged into a field. Anything else dropped on a page could make it navigate.
    const isText = (event: DragEvent) => !isFile(event) && isTextField(event.target);
    const onOver = (event: DragEvent) => {
      if (isText(event)) return;
      event.preventDefault();
      if (inBrowser && isFile(event)) setOver(true);
    };
    const onLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent) => {
      if (isText(event)) return;
      event.preventDefault();
      setOver(false);
      const file = event.dataTransfer?.files[0];
      if (!inBrowser || file === undefined) return;
      readChoice(file).then((choice) => openImport(app, choice), (thrown: unknown) => app.toaster.fail(thrown, t.import.failed));
    };
    window.addEventListener("dragover", onOver);
    window.addEventListener("dragleave", onLeave);
    window.addEventListener("drop", onDrop);
    return () => {
      window.removeEventListener("dragover", onOver);
      window.removeEventListener("dragleave", onLeave);
      window.removeEventListener("drop", onDrop);
    };
  }, [app]);
  return over ? <div className={styles.drop}><span>{t.import.dropHere}</span></div> : null;
};
