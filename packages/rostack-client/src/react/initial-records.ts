import type { JsonObject } from 'rostack-core';
import { aString, objectWith } from 'rostack-core/client';
import type { RostackClient } from '../client/client.ts';
import { followView } from '../follow/follow-view.ts';
import { checkUsage, HttpProblemError } from '../http/error/errors.ts';
import { RecordIds, UnknownIdError } from '../list/record-ids.ts';
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
  checkUsage(aString, resource, 'resource');
  // `connect` only returns this class, with any types.
  const reader = client as RostackClient;
  const records = await readFirst(reader, resource, query).catch(async (error: unknown) => {
    const mayBeElsewhere =
      error instanceof UnknownIdError || (error instanceof HttpProblemError && error.status === 400);
    if (query.recordId !== undefined || !mayBeElsewhere) throw error;
    const recordId = await reader.recordId(resource);
    if (recordId !== '/id') return readFirst(reader, resource, { ...query, recordId });
    if (error instanceof UnknownIdError) throw error;
    // Where there is no record yet, the fields may do without an id.
    return readFirst(reader, resource, { ...query, recordId: () => '' });
  });
  return { query: followText(resource, query), records };
}

async function readFirst(
  client: RostackClient,
  resource: string,
  query: FollowQuery,
): Promise<InitialRecords['records']> {
  const { filter, limit, recordId } = query;
  const ids = new RecordIds(recordId);
  const view = followView(query);
  const records: [string, JsonObject][] = [];
  const list = client.list<JsonObject>(resource, {
    ...(filter === undefined ? {} : { filter }),
    ...(view === undefined ? {} : { sort: view.sort }),
    ...(view?.fields === undefined ? {} : { fields: view.fields }),
  });
  for await (const record of list) {
    records.push([ids.idOf(record), record]);
    if (records.length === limit) break;
  }
  return records;
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
