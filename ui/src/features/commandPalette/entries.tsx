import type { ReactNode } from "react";
import { ACTIONS, isEnabled, keyOf, labelOf } from "../../actions/actions";
import type { App } from "../../app/createApp";
import { Icon } from "../../components/Icon";
import type { GraphSummary } from "../../ipc/generated/wire";
import { t } from "../../strings";

export type Entry = { key: string; group: string; label: string; aside?: string; mark?: ReactNode; run: () => void };

export function commandEntries(app: App, text: string): Entry[] {
  const needle = text.trim().toLocaleLowerCase();
  return ACTIONS.filter((action) => action.id !== "palette" && action.hidden !== true && isEnabled(action, app))
    .map((action) => ({ action, label: labelOf(action, app) }))
    .filter(({ label }) => fits(label, needle))
    .map(({ action, label }) => ({ key: action.id, group: t.palette.commands, label, aside: keyOf(action, app), run: () => action.run(app) }));
}

/** Other graphs to go to, once something is typed; the picker shows them all anyway. */
export function graphEntries(app: App, graphs: readonly GraphSummary[], text: string): Entry[] {
  const needle = text.trim().toLocaleLowerCase();
  if (needle === "") return [];
  return graphs
    .filter((graph) => graph.problem === undefined && graph.name !== app.session.graph && fits(graph.name, needle))
    .map((graph) => ({ key: graph.name, group: t.palette.graphs, label: graph.name, mark: <Icon name="library" size={14} />, run: () => void app.session.open(graph.name) }));
}

/** Every word typed begins or stands in a word of the label. */
export function fits(label: string, needle: string): boolean {
  const hay = label.toLocaleLowerCase();
  return needle.split(/\s+/).every((word) => hay.includes(word));
}
