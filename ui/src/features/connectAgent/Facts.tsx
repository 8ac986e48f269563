import { Fragment, type FC } from "react";
import { PlainText } from "../../components/PlainText";
import styles from "./Client.module.css";

export type Fact = { name: string; value: string; isPath?: boolean };

/** Names and values to read or to take elsewhere. Addresses are text: nothing here may lead the window away. */
export const Facts: FC<{ rows: readonly Fact[] }> = ({ rows }) => (
  <dl className={styles.facts}>
    {rows.map(({ name, value, isPath = false }) => (
      <Fragment key={name}>
        <dt>{name}</dt>
        <dd data-selectable className={isPath ? styles.path : undefined}><PlainText text={value} /></dd>
      </Fragment>
    ))}
  </dl>
);
