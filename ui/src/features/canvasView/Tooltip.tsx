import { useEffect, useState, type FC } from "react";
import { useApp } from "../../app/AppContext";
import { PlainText } from "../../components/PlainText";
import { visibleText } from "../../graph/text/visibleText";
import { useDetail, useGraphName } from "../../data/queries";
import { useNow } from "../../hooks/useNow";
import { useStore } from "../../state/createStore";
import { actorName, t } from "../../strings";
import { ago } from "../../time";
import { TypeMark } from "../entity/TypeMark";
import styles from "./Tooltip.module.css";

const DELAY_MS = 350;
const BESIDE_PX = 18;
const WIDTH = 280;

type Spot = { id: string; x: number; y: number };

/** What a node is, once the pointer rests on it: name, type, relations, newest observation, who and when. */
export const Tooltip: FC = () => {
  const { stores, scene } = useApp();
  const hovered = useStore(stores.hovered, (id) => id);
  const menu = useStore(stores.contextMenu, (target) => target !== null);
  const [spot, setSpot] = useState<Spot | null>(null);
  useEffect(() => {
    if (hovered === null) return;
    const timer = setTimeout(() => {
      const at = scene.probe()?.screenOf(hovered) ?? null;
      if (at !== null) setSpot({ id: hovered, ...at });
    }, DELAY_MS);
    return () => clearTimeout(timer);
  }, [hovered, scene]);
  if (spot === null || hovered !== spot.id || menu) return null;
  return <TooltipBox key={spot.id} spot={spot} />;
};

const TooltipBox: FC<{ spot: Spot }> = ({ spot }) => {
  const { scene } = useApp();
  const detail = useDetail(useGraphName(), spot.id).data;
  const now = useNow();
  const node = scene.nodes.get(spot.id);
  if (node === undefined) return null;
  const width = scene.probe()?.camera.width ?? Infinity;
  const height = scene.probe()?.camera.height ?? Infinity;
  const left = spot.x + BESIDE_PX + WIDTH > width ? spot.x - BESIDE_PX - WIDTH : spot.x + BESIDE_PX;
  const low = spot.y > height * 0.7;
  const newest = detail?.observations[0];
  const change = detail?.last_change;
  return (
    <div role="tooltip" className={styles.tooltip} style={{ left, [low ? "bottom" : "top"]: low ? height - spot.y + 8 : spot.y + 8 }}>
      <PlainText text={node.name} className={styles.name} />
      <p className={styles.meta}>
        <TypeMark type={node.type} size={8} />
        <PlainText text={node.type} className={styles.type} />
        {detail !== undefined && <span className={styles.count}>{t.canvas.tooltipRelations(detail.relation_count)}</span>}
      </p>
      {newest !== undefined && <PlainText text={newest.content.slice(0, 400)} className={styles.text} />}
      {change !== undefined && <p className={styles.by}>{t.detail.changedBy(visibleText(actorName(change.actor, change.is_agent)), ago(change.time, now))}</p>}
    </div>
  );
};
