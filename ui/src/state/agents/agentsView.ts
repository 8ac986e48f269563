/** What the Agents panel shows, and whose changes and questions the person singled out; null is everybody's. */
export type AgentsView = { tab: "list" | "questions"; questionsOf: string | null; changesOf: string | null };

export const EVERYBODY: AgentsView = { tab: "list", questionsOf: null, changesOf: null };

export function showQuestionsOf(view: AgentsView, agent: string | null): AgentsView {
  return view.tab === "questions" && view.questionsOf === agent ? view : { ...view, tab: "questions", questionsOf: agent };
}

export function showChangesOf(view: AgentsView, agent: string | null): AgentsView {
  return view.changesOf === agent ? view : { ...view, changesOf: agent };
}
