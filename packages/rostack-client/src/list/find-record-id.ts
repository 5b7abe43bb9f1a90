import type { JsonObject, Resource } from 'rostack-core';
import { jsonEquals } from 'rostack-core/client';
import { findResource } from '../http/discovery-cache.ts';
import { ClientError, NetworkError, RecordError } from '../http/error/errors.ts';
import { placesIn } from './elsewhere.ts';
import { getItem } from './get-item.ts';
import type { JsonApi } from './json-api.ts';
import { defaultPageSize, readPages } from './read-pages.ts';
import { type IdPlace, idAt, type RecordIds } from './record-ids.ts';

/** Records that are compared: an id differs in all of them. */
const SAMPLE_SIZE = 100;
/** Records that are looked up by what may be their id, and places that are tried for each. */
const MAX_TRIALS = 3;
const MAX_TRIED_PLACES = 16;
/** In UTF-16 units: longer texts fit no URL everywhere, and are no ids. */
const MAX_ID_LENGTH = 1_024;

/**
 * Finds out where the records of a resource have their id: what all of them have, each another one, and what a look-up by it finds the
 * record again for. Does nothing if there are no records.
 * @throws RecordError that names the places, when more than one is left, or none
 * @throws ClientError
 */
export async function findRecordId(
  api: JsonApi,
  name: string,
  ids: RecordIds,
  signal: AbortSignal | undefined,
): Promise<void> {
  const sample = await readSample(api, name, signal);
  if (sample.length === 0) return;
  const { document } = await api.discover(signal);
  const resource = findResource(document, name);
  const possible = possiblePlaces(sample, ids.candidates);
  const ask = (id: string): Promise<JsonObject | undefined> => lookUp(api, name, id, signal);
  let confirmed: readonly IdPlace[] = [];
  for (const places of likelyFirst(possible, resource)) {
    // What is called an id and leads to the record is not compared with others: those may be texts that no log should hold.
    if (confirmed.length === 0) confirmed = await confirm(places, sample, ask);
  }
  const [likely = possible] = likelyFirst(possible, resource);
  const left = confirmed.length > 0 ? confirmed : isMemberId(likely) ? likely : possible;
  const place = decide(left, resource);
  if (place === undefined) throw undecided(name, left);
  ids.settle(place);
}

const isMemberId = ([place]: readonly IdPlace[]): boolean => place?.pointer === '/id';

async function readSample(
  api: JsonApi,
  name: string,
  signal: AbortSignal | undefined,
): Promise<readonly JsonObject[]> {
  const pageSize = Math.min(SAMPLE_SIZE, defaultPageSize(api.newest));
  const options = signal === undefined ? { pageSize } : { pageSize, signal };
  for await (const { records } of readPages<JsonObject>(api, name, options)) {
    if (records.length > 0) return records;
  }
  return [];
}

/** What all records have, each another one. */
function possiblePlaces(
  sample: readonly JsonObject[],
  left: ReadonlySet<string> | undefined,
): readonly IdPlace[] {
  return placesIn(sample[0] as JsonObject).filter((place) => {
    const texts = new Set(sample.map((record) => idAt(record, place)));
    const isShort = place.pointer === '/id' || ![...texts].some((text = '') => text.length > MAX_ID_LENGTH);
    return (
      isShort && texts.size === sample.length && !texts.has(undefined) && (left?.has(place.pointer) ?? true)
    );
  });
}

/** By how likely they are, as groups: the member `id`, what the item's URL or its own name calls an id, and the rest. */
function likelyFirst(places: readonly IdPlace[], resource: Resource): readonly (readonly IdPlace[])[] {
  const variables = variablesOf(resource);
  const rank = ({ pointer, path }: IdPlace): number => {
    const last = path.at(-1) ?? '';
    if (pointer === '/id') return 0;
    if (variables.has(last)) return 1;
    return /(?:^|[_-])(?:id|uuid|key|number)$|(?:Id|ID|Uuid|UUID|Key|Number)$/.test(last) ? 2 : 3;
  };
  const tried = places.toSorted((a, b) => rank(a) - rank(b)).slice(0, MAX_TRIED_PLACES);
  return [...Map.groupBy(tried, rank).values()];
}

/** Names in the expressions of the item's URL. */
function variablesOf({ item_url_template: template }: Resource): ReadonlySet<string> {
  const expressions = template.match(/\{[^{}]*\}/g) ?? [];
  return new Set(expressions.flatMap((expression) => expression.slice(1, -1).split(/[^\w.%]+/)));
}

/** The places whose text leads to the same record. Several records are tried while more than one is left. */
async function confirm(
  places: readonly IdPlace[],
  sample: readonly JsonObject[],
  lookUp: (id: string) => Promise<JsonObject | undefined>,
): Promise<readonly IdPlace[]> {
  let left = places;
  let isConfirmed = false;
  for (const record of sample.slice(0, MAX_TRIALS)) {
    if (isConfirmed && left.length === 1) break;
    const items = new Map<string, JsonObject | undefined>();
    for (const place of left) {
      const id = idAt(record, place) as string;
      if (!items.has(id)) items.set(id, await lookUp(id));
    }
    const itemAt = (place: IdPlace): JsonObject | undefined => items.get(idAt(record, place) as string);
    const equal = left.filter((place) => jsonEquals(itemAt(place) ?? null, record));
    // The record may have changed since it was listed, or be shown with more members.
    const alike = left.filter((place) => {
      const item = itemAt(place);
      return item !== undefined && idAt(item, place) === idAt(record, place);
    });
    const found = equal.length > 0 ? equal : alike;
    if (found.length === 0) continue;
    left = found;
    isConfirmed = true;
  }
  return isConfirmed ? left : [];
}

/** What cannot be looked up is no id; an answer that never came says nothing. */
async function lookUp(
  api: JsonApi,
  name: string,
  id: string,
  signal: AbortSignal | undefined,
): Promise<JsonObject | undefined> {
  try {
    const item = await getItem<JsonObject>(api, name, id, signal === undefined ? {} : { signal });
    return item.kind === 'found' ? item.record : undefined;
  } catch (error) {
    if (!(error instanceof ClientError) || error instanceof NetworkError) throw error;
    const { status } = error as { readonly status?: unknown };
    if (error.retryable && status !== 500) throw error;
    return undefined;
  }
}

function decide(places: readonly IdPlace[], resource: Resource): IdPlace | undefined {
  if (places.length < 2) return places[0];
  const variables = variablesOf(resource);
  const named = places.filter(({ path }) => path.length === 1 && variables.has(path[0] ?? ''));
  return named.length === 1 ? named[0] : undefined;
}

function undecided(name: string, places: readonly IdPlace[]): RecordError {
  if (places.length === 0) {
    return new RecordError(
      `nothing in the records of ${name} is their id: say with \`recordId\` where their id is`,
    );
  }
  const pointers = places.map(({ pointer }) => pointer).slice(0, MAX_TRIED_PLACES);
  return new RecordError(
    `the records of ${name} may have their id at ${pointers.join(' or ')}: say with \`recordId\` which it is`,
  );
}
