import {
  type Change,
  type JsonObject,
  joinBodies,
  type Page,
  type PageQuery,
  pageKeyOf,
  parseBodies,
  type RecordSource,
  recordIdText,
} from '../../src/index.ts';
import type { MemoryRecordSource } from '../../src/testing/index.ts';

/** Methods in the place of those of the reference. */
export type Faults = (memory: MemoryRecordSource) => Partial<RecordSource>;

/** A page of all rows that match, in another order. */
export async function reordered(
  memory: MemoryRecordSource,
  { limit, after, ...query }: PageQuery,
  compare: (a: Row, b: Row) => number,
): Promise<Page> {
  const { head, bodies } = await memory.page({ ...query, limit: 1_000 });
  const rows = parseBodies(bodies).map((value) => ({ id: recordIdText(value['id']) ?? '', value }));
  // Backwards, so that what does not compare ids leaves ties in another order than theirs.
  rows.reverse().sort(compare);
  const from = rows.findIndex(({ id }) => id === after?.id) + 1;
  const shown = rows.slice(from, from + limit);
  const last = from + limit < rows.length ? shown.at(-1) : undefined;
  return {
    head,
    bodies: joinBodies(shown.map(({ value }) => JSON.stringify(value))),
    next: last && pageKeyOf(last, query.sort),
  };
}

export interface Row {
  readonly id: string;
  readonly value: JsonObject;
}

export const changed =
  (memory: MemoryRecordSource, change: (change: Change) => Partial<Change>): RecordSource['read'] =>
  async (...args) =>
    (await memory.read(...args)).map((each) => ({ ...each, ...change(each) }));

export const paged =
  (
    memory: MemoryRecordSource,
    change: (page: Page, query: PageQuery) => Partial<Page>,
  ): RecordSource['page'] =>
  async (query) => {
    const page = await memory.page(query);
    return { ...page, ...change(page, query) };
  };

export const rewritten = (bodies: Uint8Array, change: (record: JsonObject) => JsonObject): Uint8Array =>
  joinBodies(parseBodies(bodies).map((record) => JSON.stringify(change(record))));

/** Faults by what is wrong, each with the checks that have to find it. */
export type FaultTable = Readonly<Record<string, readonly [Faults, readonly string[]]>>;
