import { useState, type FC } from "react";
import { useApp } from "../../app/AppContext";
import { PlainText } from "../../components/PlainText";
import { FEW, MANY, useDetail } from "../../data/queries";
import { hasCode } from "../../ipc/ipcError";
import { t } from "../../strings";
import { AliasesSection } from "./AliasesSection";
import { DescriptionField } from "./DescriptionField";
import { EntityHead } from "./EntityHead";
import { EntityProperties } from "./EntityProperties";
import { GoneView } from "./GoneView";
import { ObservationsSection } from "./ObservationsSection";
import { RelatedSection } from "./RelatedSection";
import { RelationsSection } from "./RelationsSection";
import styles from "./DetailPanel.module.css";

type Props = { graph: string; id: string };

/** One entity, everything it has, editable where it stands. */
export const EntityView: FC<Props> = ({ graph, id }) => {
  const { scene } = useApp();
  const [asked, setAsked] = useState(FEW);
  const { data: detail, error } = useDetail(graph, id, asked);

  if (hasCode(error, "not_found") || (detail !== undefined && scene.nodes.size > 0 && scene.nodes.get(id) === undefined && error !== null)) return <GoneView graph={graph} id={id} last={detail} />;
  if (detail === undefined) {
    // The name is known from the picture; it stands there before the rest arrives.
    const name = scene.nodes.get(id)?.name;
    return (
      <div className={styles.panel}>
        {name !== undefined && <h2 className={styles.name}><PlainText text={name} /></h2>}
        <p className={styles.quiet} role={error === null ? undefined : "alert"}>{error === null ? t.detail.loading : `${t.detail.failed}: ${error.message}`}</p>
      </div>
    );
  }
  const more = () => setAsked((asked) => asked + MANY);
  return (
    <div className={styles.panel}>
      <EntityHead graph={graph} detail={detail} />
      <DescriptionField graph={graph} entity={detail.entity} />
      <ObservationsSection graph={graph} detail={detail} more={more} />
      <RelationsSection graph={graph} detail={detail} more={more} />
      <RelatedSection graph={graph} id={id} />
      <EntityProperties graph={graph} entity={detail.entity} />
      {detail.aliases.length > 0 && <AliasesSection aliases={detail.aliases} />}
    </div>
  );
};
