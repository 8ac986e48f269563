import { useCallback, useState, type FC } from "react";
import { useApp } from "../../app/AppContext";
import { Icon } from "../../components/Icon";
import { PlainText } from "../../components/PlainText";
import { useGraphName } from "../../data/queries";
import { t } from "../../strings";
import { GraphPopover } from "./GraphPopover";
import styles from "./GraphPicker.module.css";

export const GraphPicker: FC = () => {
  const { session } = useApp();
  const graph = useGraphName();
  const [at, setAt] = useState<{ x: number; y: number } | null>(null);
  const close = useCallback(() => setAt(null), []);
  return (
    <>
      <button
        type="button"
        data-graph-picker
        className={styles.picker}
        aria-haspopup="menu"
        aria-expanded={at !== null}
        title={t.graphs.pick}
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          setAt({ x: box.left, y: box.bottom + 6 });
        }}
      >
        <Icon name="library" />
        {graph === null ? <span className={styles.none}>{t.graphs.none}</span> : <PlainText text={graph} className={styles.current} />}
        <Icon name="chevron" size={14} />
      </button>
      {at !== null && <GraphPopover at={at} current={graph} onOpen={(name) => void session.open(name)} onClose={close} />}
    </>
  );
};
