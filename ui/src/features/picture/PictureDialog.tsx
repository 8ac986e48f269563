import { useState, type FC } from "react";
import { useApp } from "../../app/AppContext";
import { savePicture } from "../../actions/files";
import { Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import type { PictureFormat } from "../../ipc/generated/wire";
import { useStore } from "../../state/createStore";
import { resolveTheme } from "../../state/theme/theme";
import { t } from "../../strings";
import styles from "./Picture.module.css";

const FORMATS: readonly PictureFormat[] = ["png", "svg", "html"];

/** What a picture is to be: a file for a document, or a page that can be looked round in. */
export const PictureDialog: FC<{ onClose: () => void }> = ({ onClose }) => {
  const app = useApp();
  const seen = useStore(app.stores.theme, resolveTheme);
  const [format, setFormat] = useState<PictureFormat>("png");
  const [whole, setWhole] = useState(false);
  const [legend, setLegend] = useState(true);
  const [dark, setDark] = useState(seen === "dark");
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    if (await savePicture(app, { format, whole: whole || format === "html", legend, dark })) onClose();
    else setBusy(false);
  };
  return (
    <Dialog
      title={t.picture.title}
      width={420}
      onClose={onClose}
      footer={<><Button onClick={onClose}>{t.picture.cancel}</Button><Button variant="primary" busy={busy} onClick={() => void save()}>{t.picture.save}</Button></>}
    >
      <div className={styles.body}>
        <fieldset className={styles.choices}>
          <legend>{t.picture.format}</legend>
          {FORMATS.map((each) => (
            <label key={each} className={styles.choice}>
              <input type="radio" name="format" checked={format === each} onChange={() => setFormat(each)} />
              <span>{t.picture.formats[each]}<span className={styles.hint}>{t.picture.formatHints[each]}</span></span>
            </label>
          ))}
        </fieldset>
        {format !== "html" && (
          <fieldset className={styles.choices}>
            <legend>{t.picture.part}</legend>
            {[false, true].map((each) => (
              <label key={String(each)} className={styles.choice}>
                <input type="radio" name="part" checked={whole === each} onChange={() => setWhole(each)} />
                <span>{each ? t.picture.whole : t.picture.view}</span>
              </label>
            ))}
          </fieldset>
        )}
        <div className={styles.choices}>
          {format !== "html" && <label className={styles.choice}><input type="checkbox" checked={legend} onChange={() => setLegend(!legend)} /><span>{t.picture.legend}</span></label>}
          <label className={styles.choice}><input type="checkbox" checked={dark} onChange={() => setDark(!dark)} /><span>{t.picture.dark}</span></label>
        </div>
      </div>
    </Dialog>
  );
};
