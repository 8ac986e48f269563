import { useCallback, useMemo, type FC } from "react";
import { useApp } from "../../app/AppContext";
import { actionById } from "../../actions/actions";
import { shown } from "../../actions/shortcuts";
import type { App } from "../../app/createApp";
import { Menu, type MenuItem } from "../../components/Menu";
import { PlainText } from "../../components/PlainText";
import { useStore } from "../../state/createStore";
import type { ContextTarget } from "../../state/menu/contextMenu";
import { showTab } from "../../state/panels/panels";
import { NOTHING, selectOnly } from "../../state/selection/selection";
import { t } from "../../strings";
import { TypeMark } from "../entity/TypeMark";
import { menuItem } from "../toolbar/AppMenu";
import styles from "./ContextMenu.module.css";

/** What can be done with exactly what is under the pointer, which the title names. */
export const ContextMenu: FC = () => {
  const app = useApp();
  const target = useStore(app.stores.contextMenu, (state) => state);
  const close = useCallback(() => app.stores.contextMenu.set(() => null), [app]);
  const selection = useStore(app.stores.selection, (state) => state);
  const items = useMemo(() => (target === null ? [] : target.cluster !== undefined ? clusterItems(app, target.cluster.leader) : target.relationship !== undefined ? relationshipItems(app, target.relationship) : target.id === null ? canvasItems(app, target) : selection.ids.length > 1 && selection.set.has(target.id) ? manyItems(app, selection.ids) : nodeItems(app, target.id)), [app, target, selection]);
  if (target === null) return null;
  const relation = target.relationship === undefined ? undefined : app.scene.relationship(target.relationship);
  const many = target.id !== null && selection.ids.length > 1 && selection.set.has(target.id);
  const node = target.id === null ? undefined : app.scene.nodes.get(target.id);
  const leader = target.cluster === undefined ? undefined : app.scene.nodes.get(target.cluster.leader);
  const title = target.cluster !== undefined ? (
    <span className={styles.title}>
      <PlainText text={t.collapse.cluster(leader?.name ?? "", target.cluster.count)} className={styles.name} />
    </span>
  ) : relation !== undefined ? (
    <span className={styles.title}>
      <PlainText text={`${relation.source} → ${relation.type} → ${relation.target}`} className={styles.name} />
    </span>
  ) : many ? t.many.title(selection.ids.length) : node === undefined ? undefined : (
    <span className={styles.title}>
      <TypeMark type={node.type} size={9} />
      <PlainText text={node.name} className={styles.name} />
    </span>
  );
  return <Menu x={target.x} y={target.y} alignRight={target.alignRight} title={title} label={node?.name ?? t.canvas.label} items={items} onClose={close} />;
};

function nodeItems(app: App, id: string): MenuItem[] {
  const { scene, stores, edits } = app;
  const node = scene.nodes.get(id);
  const copy = (text: string) => () => void navigator.clipboard.writeText(text).then(() => app.toaster.say(t.app.copied), (thrown: unknown) => app.toaster.fail(thrown));
  return [
    { label: t.actions.focus_view, shortcut: "F", run: () => scene.focus.enter(id) },
    scene.foldedIn(id) > 0
      ? { label: t.collapse.expand(scene.foldedIn(id)), shortcut: "E", run: () => scene.expand(id) }
      : { label: t.collapse.neighbours, shortcut: shown("Shift+E"), run: () => scene.collapseAround(id) },
    { label: t.detail.centre, run: () => { scene.reveal(id); scene.centre(id); } },
    {
      label: t.detail.rename, shortcut: shown("F2"),
      run: () => {
        stores.selection.set((selection) => selectOnly(selection, [id]));
        actionById("rename")?.run(app);
      },
    },
    node?.pinned === true
      ? { label: t.detail.unpin, shortcut: "T", run: () => edits.pin(id, null, false) }
      : { label: t.detail.pin, shortcut: "T", disabled: scene.placeOf(id) === undefined, run: () => edits.pin(id, scene.placeOf(id)!, false) },
    { kind: "separator" },
    { label: t.detail.copyName, run: copy(node?.name ?? "") },
    { label: t.detail.copyId, run: copy(id) },
    { kind: "separator" },
    { label: t.detail.deleteEntity, shortcut: shown("Delete"), danger: true, run: () => void edits.deleteEntities([id]) },
  ];
}

function clusterItems(app: App, leader: string): MenuItem[] {
  const items: MenuItem[] = [{ label: t.collapse.this, run: () => app.scene.collapseCluster(leader) }, { kind: "separator" }];
  for (const id of ["collapse_clusters", "expand_all"] as const) {
    const action = actionById(id);
    if (action !== undefined) items.push(menuItem(action, app));
  }
  return items;
}

function relationshipItems(app: App, id: string): MenuItem[] {
  const { scene, stores, edits, toaster } = app;
  const ends = scene.relationship(id)?.ends ?? [];
  return [
    { label: t.relation.open, shortcut: "Enter", run: () => { scene.revealRelationship(id); stores.panels.set((panels) => showTab(panels, "details")); } },
    { label: t.relation.ends, disabled: ends.length === 0, run: () => scene.revealAll(ends) },
    { label: t.detail.copyId, run: () => void navigator.clipboard.writeText(id).then(() => toaster.say(t.app.copied), (thrown: unknown) => toaster.fail(thrown)) },
    { kind: "separator" },
    { label: t.relation.remove, shortcut: shown("Delete"), danger: true, run: () => void edits.deleteRelationships([id]) },
  ];
}

function manyItems(app: App, ids: readonly string[]): MenuItem[] {
  return [
    { label: t.many.clear, shortcut: shown("Esc"), run: () => app.stores.selection.set(() => NOTHING) },
    { kind: "separator" },
    { label: t.many.delete(ids.length), shortcut: shown("Delete"), danger: true, run: () => void app.edits.deleteEntities(ids) },
  ];
}

function canvasItems(app: App, { x, y }: ContextTarget): MenuItem[] {
  const here = app.scene.graphPoint(x, y);
  const items: MenuItem[] = [{ label: t.canvas.newHere, run: () => app.stores.dialog.set(() => ({ kind: "new_entity", at: here })) }, { kind: "separator" }];
  for (const id of ["select_all", "fit", "reheat", "collapse_clusters", "expand_all", "export_picture"] as const) {
    const action = actionById(id);
    if (action !== undefined) items.push(menuItem(action, app));
  }
  return items;
}
