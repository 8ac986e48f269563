import { useApp } from "../../app/AppContext";
import { toIpcError } from "../../ipc/ipcError";
import { draftKey, drifted, dropDraft, putDraft, settle, type Choice, type Clash, type Draft } from "../../state/drafts/drafts";
import { useStore } from "../../state/createStore";

export type FieldSpec = {
  graph: string;
  entity: string;
  field: string;
  /** What the host says now. */
  current: string;
  seen?: number;
  /** Between theirs and mine when both are kept; null where they cannot stand together. */
  joint: string | null;
  save: (draft: Draft) => Promise<Clash | undefined>;
  /** Told before saving, such as "not valid JSON". */
  refuse?: (text: string) => string | undefined;
};

export type FieldEdit = {
  /** Both texts may be kept after a clash. */
  joins: boolean;
  draft: Draft | undefined;
  /** Theirs, while it differs from what the typing began with. */
  meanwhile: string | undefined;
  begin: () => void;
  change: (text: string) => void;
  save: () => Promise<void>;
  cancel: () => void;
  choose: (choice: Choice) => Promise<void>;
};

/** The life of one edit in place: begin, type, save or cancel; and what happens if somebody else wrote meanwhile. */
export function useFieldEdit(spec: FieldSpec): FieldEdit {
  const { stores, session } = useApp();
  const key = draftKey(spec.graph, spec.entity, spec.field);
  const draft = useStore(stores.drafts, (drafts) => drafts.get(key));
  const meanwhile = draft !== undefined && isNewer(spec.seen, draft.seen) && drifted(draft, spec.current) ? spec.current : undefined;
  return { draft, meanwhile, joins: spec.joint !== null, ...editing(stores.drafts, key, spec, () => session.wrote()) };
}

type DraftStore = ReturnType<typeof useApp>["stores"]["drafts"];

/** After a clash the draft may be ahead of the panel, whose refresh is still on its way. */
function isNewer(shown: number | undefined, begun: number | undefined): boolean {
  return shown === undefined || begun === undefined || shown > begun;
}

function editing(drafts: DraftStore, key: string, spec: FieldSpec, catchUp: () => void) {
  const put = (draft: Draft) => drafts.set((all) => putDraft(all, key, draft));
  const drop = () => drafts.set((all) => dropDraft(all, key));
  const now = () => drafts.get().get(key);

  const commit = async (draft: Draft) => {
    if (draft.text === draft.base || draft.text === spec.current) return drop();
    const refused = spec.refuse?.(draft.text);
    if (refused !== undefined) return put({ ...draft, error: { message: refused } });
    try {
      const clash = await spec.save(draft);
      // Typing may have gone on while it was saved; what is there then is a draft of its own.
      if (now()?.text !== draft.text) return;
      if (clash === undefined) drop();
      else {
        put({ ...draft, clash });
        catchUp();
      }
    } catch (thrown) {
      const { message, hint } = toIpcError(thrown);
      put({ ...draft, text: now()?.text ?? draft.text, error: { message, hint } });
    }
  };

  return {
    begin: () => {
      if (now() === undefined) put({ base: spec.current, text: spec.current, seen: spec.seen });
    },
    change: (text: string) => {
      const draft = now() ?? { base: spec.current, text: "", seen: spec.seen };
      put({ ...draft, text, error: undefined });
    },
    save: async () => {
      const draft = now();
      // Whether it clashes is for the host to say: what this page last heard may be old itself.
      if (draft !== undefined && draft.clash === undefined) await commit(draft);
    },
    cancel: drop,
    choose: async (choice: Choice) => {
      const draft = now();
      if (draft?.clash === undefined) return;
      const next = settle(draft, draft.clash, choice, spec.joint ?? "");
      if (next === null) return drop();
      put(next);
      if (choice === "mine") await commit(next);
    },
  };
}
