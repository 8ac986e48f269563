import { describe, expect, it } from "vitest";
import { firstLines, parseDiff } from "./parseDiff";

const CHANGE = `--- /home/ada/.claude.json
+++ /home/ada/.claude.json
@@ -1,3 +1,4 @@
 {
-  "a": 1
+  "a": 1,
+  "b": 2
 }
@@ -40 +41 @@
--- not a head
+++ nor this
`;

describe("a unified diff", () => {
  it("is read line by line, with the place of each part", () => {
    const { hunks, added, removed, isNewFile } = parseDiff(CHANGE);
    expect(hunks.map(({ line }) => line)).toEqual([1, 41]);
    expect(hunks[0]!.lines).toEqual([
      { kind: "same", text: "{" }, { kind: "removed", text: '  "a": 1' }, { kind: "added", text: '  "a": 1,' }, { kind: "added", text: '  "b": 2' }, { kind: "same", text: "}" },
    ]);
    expect([added, removed, isNewFile]).toEqual([3, 2, false]);
  });

  it("takes for its head only what stands before the first part", () => {
    expect(parseDiff(CHANGE).hunks[1]!.lines).toEqual([{ kind: "removed", text: "-- not a head" }, { kind: "added", text: "++ nor this" }]);
  });

  it("tells of a file that is not there yet", () => {
    expect(parseDiff("--- /dev/null\n+++ /home/ada/x\n@@ -0,0 +1,1 @@\n+{}\n\\ No newline at end of file\n")).toEqual({
      hunks: [{ line: 1, lines: [{ kind: "added", text: "{}" }, { kind: "note", text: " No newline at end of file" }] }], isNewFile: true, added: 1, removed: 0,
    });
  });

  it("keeps tabs and blank lines, and drops what Windows ends its lines with", () => {
    expect(parseDiff("--- a\n+++ a\n@@ -1,2 +1,2 @@\n-\tx\r\n+\t\tx\r\n\n").hunks[0]!.lines).toEqual([{ kind: "removed", text: "\tx" }, { kind: "added", text: "\t\tx" }, { kind: "same", text: "" }]);
  });

  it("may be empty", () => {
    expect(parseDiff("")).toEqual({ hunks: [], isNewFile: false, added: 0, removed: 0 });
  });

  it("is cut with the number of lines that are left out", () => {
    const { hunks, left } = firstLines(parseDiff(CHANGE), 3);
    expect(hunks.map(({ lines }) => lines.length)).toEqual([3]);
    expect(left).toBe(4);
    expect(firstLines(parseDiff(CHANGE), 100).left).toBe(0);
  });
});
