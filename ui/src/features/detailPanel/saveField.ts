import type { Entity, EntityDetail, UpdateEntity } from "../../ipc/generated/wire";
import { entityNow } from "../../data/conflicts";
import type { App } from "../../app/createApp";
import { keys } from "../../data/keys";
import { MANY } from "../../data/queries";
import type { Clash, Draft } from "../../state/drafts/drafts";

/** Another process may save again between our look and our write; after this many times it is somebody's turn. */
const ATTEMPTS = 4;

type Patch = Omit<UpdateEntity, "graph" | "id" | "seen_updated_at">;
type Write = (request: Patch & { seen_updated_at?: number }) => Promise<unknown>;

/**
 * Save one field of an entity. The host refuses when anything of the entity changed since it was seen; that is a
 * clash only if it was this field. A change of another field is taken along and the save repeated.
 */
export async function saveEntityField(write: Write, read: (entity: Entity) => string, patch: Patch, draft: Draft): Promise<Clash | undefined> {
  let seen = draft.seen;
  for (let attempt = 1; ; attempt++) {
    try {
      await write({ ...patch, seen_updated_at: seen });
      return undefined;
    } catch (thrown) {
      const now = entityNow(thrown);
      if (now === null || attempt === ATTEMPTS) throw thrown;
      const theirs = read(now);
      if (theirs !== draft.base && theirs !== draft.text) return { theirs, seen: now.updated_at };
      seen = now.updated_at;
    }
  }
}

/**
 * Observations carry no time of change, so the newest state is fetched and compared first. `undefined`: the
 * observation is gone, and saving adds the text again.
 */
export async function saveObservation(app: App, graph: string, entity: string, id: string, draft: Draft): Promise<Clash | undefined> {
  const detail = await app.queries.fetchQuery<EntityDetail>({
    queryKey: keys.detail(graph, entity, MANY),
    queryFn: () => app.host.call("entity", { graph, id: entity, nested: MANY }),
    staleTime: 0,
  });
  const now = detail.observations.find((observation) => observation.id === id);
  if (now !== undefined && now.content !== draft.base && now.content !== draft.text) return { theirs: now.content };
  // Beyond the first page an observation may exist unseen; then the plain update decides.
  if (now === undefined && detail.observations.length === detail.observation_count) await app.edits.write("add_observation", { entity_id: entity, content: draft.text });
  else await app.edits.write("update_observation", { id, content: draft.text });
  return undefined;
}
