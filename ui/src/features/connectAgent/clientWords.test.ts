import { describe, expect, it } from "vitest";
import type { McpClient } from "../../ipc/generated/wire";
import { t } from "../../strings";
import { byPresence, firstWay, sentence, stateOf } from "./clientWords";

const client = (id: string, isInstalled: boolean): McpClient => ({ id, name: id, is_installed: isInstalled, can_http: true, can_install: true, remark: "", source: "" });
const plan = (isNeeded: boolean, diff = "") => ({ file: "~/x", is_needed: isNeeded, diff, based_on: "" });

describe("the clients", () => {
  it("of this machine come first, each kind in the order it was told", () => {
    const { found, others } = byPresence([client("a", false), client("b", true), client("c", false), client("d", true)]);
    expect([found, others].map((some) => some.map(({ id }) => id))).toEqual([["b", "d"], ["a", "c"]]);
  });
});

describe("what a plan says", () => {
  it("is a change, none, or a new token alone", () => {
    expect(stateOf(plan(true, "@@ -1 +1 @@"))).toBe("needed");
    expect(stateOf(plan(false))).toBe("connected");
    expect(stateOf(plan(true, "\n"))).toBe("renews");
  });

  it("begins with the way it goes already, so that looking at it offers no change", () => {
    expect(firstWay([{ overHttp: false, plan: plan(true, "x") }, { overHttp: true, plan: plan(true) }])).toBe(true);
    expect(firstWay([{ overHttp: false, plan: plan(false) }, { overHttp: true, plan: plan(true, "x") }])).toBe(false);
    expect(firstWay([{ overHttp: false, plan: plan(true, "x") }, { overHttp: true, plan: plan(true, "x") }])).toBe(false);
    expect(firstWay([{ overHttp: false, plan: undefined }])).toBe(false);
  });
});

describe("words", () => {
  it("of the host become sentences", () => {
    expect(sentence("restart it afterwards; it knows only its own")).toBe("Restart it afterwards; it knows only its own.");
    expect(sentence("  Is it? ")).toBe("Is it?");
    expect(sentence("")).toBe("");
  });

  it("tell what undoing did, also in ways to come", () => {
    expect(t.clients.undoneTo("restored", "~/x")).toContain("byte for byte");
    expect(t.clients.undoneTo("deleted", "~/x")).toContain("deleted");
    expect(t.clients.undoneTo("taken_out", "~/x")).toContain("the rest stays");
    expect(t.clients.undoneTo("moved", "~/x")).toBe("~/x was changed back.");
  });

  it("count only what there is", () => {
    expect(t.clients.lines(3, 0)).toBe("+3");
    expect(t.clients.lines(0, 2)).toBe("−2");
    expect(t.clients.lines(3, 2)).toBe("+3 −2");
    expect(t.clients.tried(1)).toBe("Tried it: 1 tool");
  });
});
