import { describe, expect, it } from "vitest";
import { EVERYBODY, showChangesOf, showQuestionsOf } from "./agents/agentsView";
import { createStore } from "./createStore";
import { draftKey, draftsOf, drifted, dropDraft, putDraft, settle } from "./drafts/drafts";
import { addSelected, NOTHING, selectOnly, toggleSelected } from "./selection/selection";
import { addToast } from "./toasts/toasts";
import { soloType, toggleType, WHOLE_VIEW } from "./view/view";
import { OPEN_PANELS, toggleTab } from "./panels/panels";

describe("stores", () => {
  it("tell nobody when nothing changed", () => {
    const store = createStore(NOTHING);
    let told = 0;
    store.subscribe(() => told++);
    store.set((selection) => selectOnly(selection, []));
    expect(told).toBe(0);
    store.set((selection) => selectOnly(selection, ["a"]));
    store.set((selection) => selectOnly(selection, ["a"]));
    expect(told).toBe(1);
  });
});

describe("selection", () => {
  it("toggles, adds without doubling and keeps the order", () => {
    const one = selectOnly(NOTHING, ["a", "b"]);
    expect(toggleSelected(one, "a").ids).toEqual(["b"]);
    expect(addSelected(one, ["b", "c"]).ids).toEqual(["a", "b", "c"]);
    expect(selectOnly(one, [])).toBe(NOTHING);
  });
});

describe("view", () => {
  it("shows one type alone and gives the others back", () => {
    const solo = soloType(WHOLE_VIEW, "a", ["a", "b", "c"]);
    expect([...solo.hiddenTypes]).toEqual(["b", "c"]);
    expect(soloType(solo, "a", ["a", "b", "c"]).hiddenTypes.size).toBe(0);
    expect([...toggleType(solo, "b").hiddenTypes]).toEqual(["c"]);
  });
});

describe("drafts", () => {
  const draft = { base: "old", text: "mine" };

  it("are kept by field and only counted once they differ", () => {
    let drafts = putDraft(new Map(), draftKey("g", "e", "name"), draft);
    drafts = putDraft(drafts, draftKey("g", "e", "type"), { base: "x", text: "x" });
    drafts = putDraft(drafts, draftKey("g", "e2", "name"), draft);
    expect(draftsOf(drafts, "g", "e")).toEqual([["name", draft]]);
    expect(dropDraft(drafts, "unknown")).toBe(drafts);
  });

  it("drift when the field became something else, not when it became the same", () => {
    expect(drifted(draft, "old")).toBe(false);
    expect(drifted(draft, "theirs")).toBe(true);
    expect(drifted(draft, "mine")).toBe(false);
  });

  it("settle as mine, theirs or both", () => {
    const clash = { theirs: "theirs", seen: 5 };
    expect(settle(draft, clash, "theirs", "\n")).toBeNull();
    expect(settle(draft, clash, "mine", "\n")).toEqual({ base: "theirs", text: "mine", seen: 5 });
    expect(settle(draft, clash, "both", "\n")?.text).toBe("theirs\nmine");
  });
});

describe("toasts", () => {
  it("replace the same text and stay few", () => {
    const toast = (id: number, text: string) => ({ id, text, tone: "info" as const, lasts: null });
    let toasts = addToast([], toast(1, "a"));
    toasts = addToast(toasts, toast(2, "a"));
    expect(toasts.map(({ id }) => id)).toEqual([2]);
    for (let id = 3; id < 9; id++) toasts = addToast(toasts, toast(id, String(id)));
    expect(toasts).toHaveLength(3);
  });
});

describe("panels", () => {
  it("open the activity, and go back to details the second time", () => {
    const open = toggleTab({ ...OPEN_PANELS, right: false }, "activity");
    expect(open).toMatchObject({ right: true, tab: "activity" });
    expect(toggleTab(open, "activity")).toMatchObject({ right: true, tab: "details" });
    expect(toggleTab(open, "agents")).toMatchObject({ right: true, tab: "agents" });
  });
});

describe("the agents view", () => {
  it("singles one out and lets everybody in again, each list by itself", () => {
    const one = showChangesOf(showQuestionsOf(EVERYBODY, "claude"), "cursor");
    expect(one).toEqual({ tab: "questions", questionsOf: "claude", changesOf: "cursor" });
    expect(showQuestionsOf(one, "claude")).toBe(one);
    expect(showChangesOf(one, null)).toMatchObject({ questionsOf: "claude", changesOf: null });
  });
});
