import { useEffect, useRef } from "react";
import { useApp } from "../../app/AppContext";
import { keys } from "../../data/keys";
import { useSubmit } from "../../hooks/useSubmit";
import type { ClientAttached, ClientPlan, McpClient } from "../../ipc/generated/wire";
import { t } from "../../strings";

/**
 * Writes a client's configuration and tries it, which can take long. Who closes the dialog meanwhile is told
 * all the same what came of it.
 */
export function useAttach(client: McpClient, onAttached: (attached: ClientAttached) => void) {
  const { host, queries, toaster } = useApp();
  const here = useRef(true);
  useEffect(() => {
    here.current = true;
    return () => void (here.current = false);
  }, []);
  return useSubmit(async (overHttp: boolean) => {
    try {
      // What was agreed to is the change that was shown.
      const shown = queries.getQueryData<ClientPlan>(keys.clientPlan(client.id, overHttp));
      const attached = await host.call("attach_client", { client: client.id, over_http: overHttp, based_on: shown?.based_on });
      const { tools, problem } = attached;
      if (here.current) onAttached(attached);
      else if (problem === undefined) toaster.say(t.clients.lateDone(client.name, tools));
      else toaster.fail(problem, t.clients.notTried(client.name));
    } catch (thrown) {
      if (!here.current) toaster.fail(thrown, t.clients.lateFailure(client.name));
      throw thrown;
    } finally {
      // Also after a failure: the file may not be what was shown.
      void queries.invalidateQueries({ queryKey: keys.clients });
      void queries.invalidateQueries({ queryKey: keys.agents });
    }
  });
}
