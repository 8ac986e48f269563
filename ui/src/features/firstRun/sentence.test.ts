import { describe, expect, it } from "vitest";
import { parseFact } from "./sentence";

describe("a typed fact", () => {
  it.each([
    ["Ada works at Acme", "Ada", "works_at", "Acme"],
    ["Ada Lovelace works at Acme Corp.", "Ada Lovelace", "works_at", "Acme Corp"],
    ["The search index depends on ReaderDB", "search index", "depends_on", "ReaderDB"],
    ["Grace is the author of COBOL", "Grace", "is_author_of", "COBOL"],
    ["Ada is a mathematician", "Ada", "is", "mathematician"],
    ["Tomasz Wild maintains ScanIngest", "Tomasz Wild", "maintains", "ScanIngest"],
    ["Mira moved to Turku", "Mira", "moved_to", "Turku"],
    ["Ada likes the Analytical Engine", "Ada", "likes", "Analytical Engine"],
    ["太郎 knows 花子", "太郎", "knows", "花子"],
    ["  Ada   works   at   Acme  ", "Ada", "works_at", "Acme"],
    ["<img src=x onerror=alert(1)> is bad", "<img src=x onerror=alert(1)>", "is", "bad"],
  ])("%s", (sentence, source, relation, target) => {
    expect(parseFact(sentence)).toEqual({ source, relation, target });
  });

  it.each(["", "Ada", "Ada works", "works at Acme now then", "   "])("is not made up from “%s”", (sentence) => {
    const fact = parseFact(sentence);
    if (fact !== null) expect(fact.source).not.toBe("");
    else expect(fact).toBeNull();
  });
});
