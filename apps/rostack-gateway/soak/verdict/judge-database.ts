import { type JsonObject, type PageKey, parseBodies, parseFilter } from 'rostack-core';
import type { Store } from 'rostack-store';
import { differences } from './judge-follow.ts';
import { predicateOf, type Replay } from './replay.ts';

const PAGE_RECORDS = 500;

/** Compares the filter's result in SQL with that of the predicate over the replayed log. */
export async function judgeDatabase(
  store: Store,
  resource: string,
  filter: JsonObject | undefined,
  replay: Replay,
): Promise<readonly string[]> {
  const source = store.source(resource);
  const found = new Map<string, JsonObject>();
  let after: PageKey | undefined;
  do {
    const query = { at: replay.end, sort: [], limit: PAGE_RECORDS, after };
    const page = await source.page({ ...query, filter: filter && parseFilter(filter) });
    for (const record of parseBodies(page.bodies)) found.set(record['id'] as string, record);
    after = page.next;
  } while (after !== undefined);
  return differences('in the database', replay.stateAt(replay.end, predicateOf(filter)), found);
}
