const CONTEXT = 3;

/** One change as a unified diff: from the first line that differs to the last. Enough for files of a few lines. */
export function fakeDiff(path: string, before: string | undefined, after: string): string {
  const [old, now] = [linesOf(before ?? ""), linesOf(after)];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  const removed = old.slice(head, old.length - tail);
  const added = now.slice(head, now.length - tail);
  if (removed.length + added.length === 0) return "";
  const lead = old.slice(Math.max(0, head - CONTEXT), head);
  const rest = old.slice(old.length - tail, old.length - tail + CONTEXT);
  const range = (n: number) => `${n === 0 ? 0 : head - lead.length + 1},${n}`;
  const around = lead.length + rest.length;
  const lines = [
    `--- ${before === undefined ? "/dev/null" : path}`, `+++ ${path}`, `@@ -${range(around + removed.length)} +${range(around + added.length)} @@`,
    ...lead.map((line) => ` ${line}`), ...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`), ...rest.map((line) => ` ${line}`),
  ];
  return `${lines.join("\n")}\n`;
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}
