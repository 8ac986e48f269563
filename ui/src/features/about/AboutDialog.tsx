import type { FC } from "react";
import { Dialog } from "../../components/Dialog";
import { PlainText } from "../../components/PlainText";
import { useAppInfo } from "../../data/queries";
import { t } from "../../strings";
import styles from "./About.module.css";

export const AboutDialog: FC<{ onClose: () => void }> = ({ onClose }) => {
  const info = useAppInfo().data;
  return (
    <Dialog title={t.app.about(info?.version ?? "")} width={400} onClose={onClose}>
      <p>{t.app.aboutText}</p>
      {info !== undefined && (
        <p className={styles.library}>
          <span>{t.app.library}</span>
          <span data-selectable><PlainText text={info.library} /></span>
        </p>
      )}
    </Dialog>
  );
};
