import type { FC } from "react";
import styles from "./FirstRun.module.css";

/** A small memory: two people, a project, what they know. Drawn with the canvas's own dots and lines. */
export const Picture: FC = () => (
  <svg className={styles.picture} viewBox="0 0 420 168" width="420" height="168" aria-hidden="true">
    <g className={styles.edges}>
      <path d="M112 62 Q160 46 204 80" />
      <path d="M112 62 Q92 96 118 126" />
      <path d="M204 80 Q172 118 118 126" />
      <path d="M204 80 Q262 74 306 44" />
      <path d="M204 80 Q246 112 288 126" />
      <path d="M306 44 Q326 84 288 126" />
      <path d="M306 44 Q340 40 366 58" />
      <path d="M112 62 Q80 52 54 72" />
      <path d="M288 126 Q330 132 352 116" />
    </g>
    <circle className={styles.ring} cx="204" cy="80" r="24" />
    <circle className={styles.s1} cx="204" cy="80" r="16" />
    <circle className={styles.s2} cx="112" cy="62" r="10" />
    <circle className={styles.s3} cx="118" cy="126" r="8" />
    <circle className={styles.s2} cx="306" cy="44" r="11" />
    <circle className={styles.s6} cx="288" cy="126" r="9" />
    <circle className={styles.s4} cx="54" cy="72" r="5" />
    <circle className={styles.s5} cx="366" cy="58" r="6" />
    <circle className={styles.s3} cx="352" cy="116" r="5" />
    <g className={styles.marks}>
      <rect x="217" y="93" width="10" height="10" rx="2" />
    </g>
  </svg>
);
