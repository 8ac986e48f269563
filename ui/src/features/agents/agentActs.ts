import type { App } from "../../app/createApp";
import { keys } from "../../data/keys";
import { showChangesOf, showQuestionsOf } from "../../state/agents/agentsView";
import { showTab } from "../../state/panels/panels";
import { t } from "../../strings";

/** What can be done with agents. Each tells its failure itself; null as a name is all of them. */

export async function pauseAgent(app: App, name: string | null, paused: boolean): Promise<void> {
  await attempt(app, paused ? t.agents.notPaused : t.agents.notResumed, () => app.host.call("pause_agent", { name: name ?? undefined, paused }));
}

export async function revokeAgent(app: App, name: string): Promise<void> {
  await attempt(app, t.agents.notRevoked, () => app.host.call("revoke_agent", { name }));
}

export function showChanges(app: App, agent: string): void {
  app.stores.agents.set((view) => showChangesOf(view, agent));
  app.stores.panels.set((panels) => showTab(panels, "activity"));
}

export function showQuestions(app: App, agent: string): void {
  app.stores.agents.set((view) => showQuestionsOf(view, agent));
  app.stores.panels.set((panels) => showTab(panels, "agents"));
}

async function attempt(app: App, failed: string, act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (thrown) {
    app.toaster.fail(thrown, failed);
  }
  // Also after a failure: what is shown may be what made it fail.
  await app.queries.invalidateQueries({ queryKey: keys.agents });
}
