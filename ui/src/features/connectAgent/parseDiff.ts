export type DiffLine = { kind: "added" | "removed" | "same" | "note"; text: string };
export type Hunk = { /** The first line of it in the file as it will be. */ line: number; lines: DiffLine[] };
export type Diff = { hunks: Hunk[]; isNewFile: boolean; added: number; removed: number };

const KINDS: Record<string, DiffLine["kind"]> = { "+": "added", "-": "removed", " ": "same", "\\": "note" };

/** A unified diff of one file. Its head ends at the first hunk: below, `---` begins a removed line like any other. */
export function parseDiff(text: string): Diff {
  const diff: Diff = { hunks: [], isNewFile: false, added: 0, removed: 0 };
  let hunk: Hunk | undefined;
  for (const line of text.replace(/\n$/, "").split("\n").map(withoutReturn)) {
    const begins = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    if (begins !== null) diff.hunks.push((hunk = { line: Number(begins[1]), lines: [] }));
    else if (hunk === undefined) diff.isNewFile ||= line === "--- /dev/null";
    // An empty context line may have lost its blank on the way.
    else hunk.lines.push({ kind: KINDS[line.charAt(0)] ?? "same", text: line.slice(1) });
  }
  const n = (kind: DiffLine["kind"]) => diff.hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.kind === kind).length, 0);
  return { ...diff, added: n("added"), removed: n("removed") };
}

/** The first lines of it, and how many are left out: somebody's file can be of any size. */
export function firstLines({ hunks }: Pick<Diff, "hunks">, most: number): { hunks: Hunk[]; left: number } {
  const shown: Hunk[] = [];
  let room = most;
  let left = 0;
  for (const hunk of hunks) {
    const lines = hunk.lines.slice(0, room);
    if (lines.length > 0) shown.push({ ...hunk, lines });
    left += hunk.lines.length - lines.length;
    room -= lines.length;
  }
  return { hunks: shown, left };
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
