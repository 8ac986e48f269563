/** "Ada works at Acme": what a person types to begin with, as two entities and a relation. */
export type Fact = { source: string; relation: string; target: string };

/** Words that end a verb phrase: "works at", "is part of", "reports to". */
const LINKS = new Set(["at", "on", "in", "of", "to", "for", "with", "by", "from", "about", "as", "into", "under", "over", "near"]);
/** Verbs that stand alone before a noun. Anything in -s or -ed is taken for a verb as well. */
const VERBS = new Set([
  "is", "are", "was", "were", "has", "have", "had", "owns", "own", "likes", "like", "knows", "know", "uses", "use", "wrote", "made", "built",
  "leads", "lead", "runs", "run", "met", "meets", "loves", "hates", "teaches", "taught", "lives", "works", "work", "became", "began", "founded", "bought", "sold", "married",
]);
const ARTICLES = new Set(["a", "an", "the"]);

/**
 * `<A> <verb phrase> <B>`. The verb is the first word after the first that is known as one or looks like one (in
 * lower case, ending in -s or -ed); small words after it belong to it, up to a preposition. No grammar: what it makes
 * of a sentence is shown before anything is written.
 */
export function parseFact(sentence: string): Fact | null {
  const words = sentence.trim().replace(/[.!?。]+$/u, "").split(/\s+/u);
  if (words.length < 3) return null;
  const at = verbAt(words);
  if (at < 1 || at > words.length - 2) return null;
  let end = at + 1;
  // "is the author of", "works closely with": up to the preposition, if it comes soon and something follows it.
  for (let next = end; next < Math.min(words.length - 1, end + 3); next++) {
    if (isCapital(words[next]!)) break;
    if (LINKS.has(words[next]!.toLowerCase())) {
      end = next + 1;
      break;
    }
  }
  const source = withoutArticle(words.slice(0, at)).join(" ");
  const target = withoutArticle(words.slice(end)).join(" ");
  const relation = words.slice(at, end).filter((word) => !ARTICLES.has(word.toLowerCase())).join("_").toLowerCase();
  return source === "" || target === "" || relation === "" ? null : { source, relation, target };
}

function verbAt(words: readonly string[]): number {
  const known = words.findIndex((word, at) => at > 0 && at < words.length - 1 && VERBS.has(word.toLowerCase()) && !isCapital(word));
  if (known > 0) return known;
  const likely = words.findIndex((word, at) => at > 0 && at < words.length - 1 && !isCapital(word) && /(?:s|ed)$/u.test(word));
  if (likely > 0) return likely;
  // "Ada → Acme" and three plain words: the middle one is all there is.
  const lower = words.findIndex((word, at) => at > 0 && at < words.length - 1 && !isCapital(word));
  return lower > 0 ? lower : words.length === 3 ? 1 : -1;
}

function withoutArticle(words: readonly string[]): readonly string[] {
  return words.length > 1 && ARTICLES.has(words[0]!.toLowerCase()) ? words.slice(1) : words;
}

function isCapital(word: string): boolean {
  const first = word.charAt(0);
  return first !== first.toLowerCase();
}
