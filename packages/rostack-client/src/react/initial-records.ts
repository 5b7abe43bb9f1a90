import type { JsonObject } from 'rostack-core';
import { aText, objectWith } from 'rostack-core/client';
import type { RostackClient } from '../client.ts';
import { checkUsage } from '../error/errors.ts';
import { followView } from '../follow/follow-view.ts';
import { idMember, recordIdOf } from '../resource/record-schema.ts';
import { type FollowQuery, followText } from './follow-query.ts';
import { type FollowState, followState } from './follow-state.ts';
import type { ProvidedClient } from './provided-client.ts';

/** Records that a server has read for the first rendering, as JSON to be sent along with the page. */
export interface InitialRecords {
  /** What they are records of. */
  readonly query: string;
  /** In the order of the query, each with the text of its id. */
  readonly records: readonly (readonly [id: string, record: JsonObject])[];
}

/**
 * Reads what `useFollow` with the same arguments will show, for rendering on a server and for the first rendering in a browser.
 * @throws UsageError `invalid_options`, and the other errors of a list
 */
export async function readInitial(
  client: ProvidedClient,
  resource: string,
  query: FollowQuery = {},
): Promise<InitialRecords> {
  checkUsage(objectWith('list'), client, 'client');
  checkUsage(aText, resource, 'resource');
  const { filter, limit, recordId = idMember } = query;
  const view = followView(query);
  const records: [string, JsonObject][] = [];
  // `connect` only returns this class, with any types.
  const list = (client as RostackClient).list<JsonObject>(resource, {
    ...(filter === undefined ? {} : { filter }),
    ...(view === undefined ? {} : { sort: view.sort }),
    ...(view?.fields === undefined ? {} : { fields: view.fields }),
  });
  for await (const record of list) {
    records.push([recordIdOf(record, recordId), record]);
    if (records.length === limit) break;
  }
  return { query: followText(resource, query), records };
}

/** The state that a query begins with, from its initial records; undefined if there are none. */
export function initialState<T>(
  initial: readonly InitialRecords[],
  query: string,
): FollowState<T> | undefined {
  const found = initial.find((one) => one.query === query);
  // As with `FollowOptions.schema`: without a schema, records are taken as they come.
  return found && followState(new Map(found.records) as unknown as ReadonlyMap<string, T>, 'stale');
}
