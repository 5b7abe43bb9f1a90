import { Buffer } from 'node:buffer';
import {
  type Head,
  type JsonValue,
  type Page,
  type PageQuery,
  pageKeyOf,
  parseTrustedJson,
  recordIdText,
  resolvePointer,
} from 'rostack-core';
import type { Database } from '../drivers/database.ts';
import type { Dialect } from '../drivers/dialect/dialect.ts';
import type { Once } from '../drivers/dialect/sql.ts';
import { OverTimeError } from '../drivers/over-time-error.ts';
import { headFor } from '../log/read-head.ts';
import type { StoredResource } from '../schema/stored-resource.ts';
import { indexName } from '../schema/tables.ts';
import type { IndexScan } from './plan/index-scan.ts';
import { type PageReading, planPage } from './plan/page-plan.ts';
import { pageScope, requestOf } from './plan/page-scope.ts';
import { PageReads } from './scan/sliced-way.ts';
import { readSlowPage } from './slow-page.ts';
import { type JoinedRows, type PageRow, pageStatement } from './statement/page-statement.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/**
 * Reads one page of a resource, as of its position or the newest one: with one statement if indexes bound the rows to examine, otherwise in
 * slices of a scan.
 * @throws PositionExpiredError when the position is below the floor, or is of another history
 * @throws SourceUnavailableError when the page is not complete in time
 */
export async function readPage(
  database: Database,
  target: StoredResource,
  query: PageQuery,
  reading: PageReading,
): Promise<Page> {
  const startedMs = performance.now();
  const slow: Once[] = [];
  let head: Head | undefined;
  for (const way of accessPathsOf(database.dialect, target, query, reading)) {
    const row = await tryPath(database, way, query, reading);
    if (row === undefined) {
      slow.push(way.statement);
      continue;
    }
    head = headFor(row, query, target);
    if (row.is_whole === 1) return pageOf(row, head, query, target);
  }
  const reads = new PageReads(database, reading.timeoutMs, startedMs);
  const page = await readSlowPage(reads, slow, { database, target, query, limits: reading.limits, head });
  return pageOf(page.rows, page.head, query, target);
}

/** A statement that may read the page. */
interface AccessPath {
  readonly statement: Once;
  /** Names of the indexes that it uses; `id` for the index of ids. */
  readonly indexes: readonly string[];
  readonly number: number;
  /** Whether another access path was likelier. */
  readonly isSecondChoice: boolean;
}

/** The access paths to a page, the likeliest first. @throws StoreOptionsError for fields that the resource was not opened with */
export function* accessPathsOf(
  dialect: Dialect,
  target: StoredResource,
  query: PageQuery,
  { pathStats, limits }: PageReading,
): Generator<AccessPath, void> {
  const scope = pageScope(dialect, target, query, limits);
  const plan = planPage(scope);
  const planned = { ...plan, ...plan.composite };
  const accesses = [undefined, ...plan.accesses];
  for (const [place, number] of pathStats.inOrder(query, accesses.length).entries()) {
    const access = accesses[number];
    const parts: readonly Pick<IndexScan, 'field' | 'within'>[] = access?.access ?? planned.scans;
    const names = parts.map(({ field, within }) =>
      field === undefined ? 'id' : indexName(target.tables.record, field, within?.field),
    );
    const statement = pageStatement(scope, planned, requestOf(query), access);
    yield { statement, indexes: [...new Set(names)], number, isSecondChoice: place > 0 };
  }
}

/**
 * What the statement read; undefined if it was interrupted because it blocked this thread for too long. Another access path may be short,
 * and the statement is bounded anyway, so it may be run again elsewhere.
 */
export async function tryPath(
  database: Database,
  { statement, number, isSecondChoice }: AccessPath,
  query: PageQuery,
  { pathStats, limits }: PageReading,
): Promise<PageRow | undefined> {
  const { filter } = query;
  try {
    const [row] = await database.query<PageRow>(statement, filter === undefined ? undefined : limits.briefMs);
    if (isSecondChoice && row?.is_whole === 1) pathStats.remember(query, number);
    return row;
  } catch (error) {
    if (error instanceof OverTimeError) return undefined;
    throw error;
  }
}

/** The page's rows out of those that were found, which are one more if there is a next page. */
function pageOf(
  { found, left_out: leftOut, bodies }: JoinedRows,
  head: Head,
  { limit, sort }: PageQuery,
  { resource }: StoredResource,
): Page {
  const all = bodies ?? Buffer.alloc(0);
  if (found <= limit && leftOut === 0) return { head, bodies: all, next: undefined };
  // Up to the comma before the row beyond the page.
  const end = found > limit ? startOfLastObject(all, all.byteLength) - 1 : all.byteLength;
  const last = parseTrustedJson(all.toString('utf8', startOfLastObject(all, end), end)) as JsonValue;
  const id = recordIdText(resolvePointer(last, resource.idPath)) as string;
  return { head, bodies: all.subarray(0, end), next: pageKeyOf({ id, value: last }, sort) };
}

/**
 * Finds the start of the last of the JSON objects that end at a place. It searches backwards: a quotation mark that opens a text has no
 * backslash before it, and one within a text has an odd number of them.
 * @param bytes UTF-8
 */
export function startOfLastObject(bytes: Uint8Array, end: number): number {
  let depth = 0;
  let isInText = false;
  for (let index = end - 1; index >= 0; index -= 1) {
    const byte = bytes[index];
    if (byte === QUOTE) isInText = !isInText || isEscaped(bytes, index);
    else if (isInText) continue;
    else if (byte === CLOSE) depth += 1;
    else if (byte === OPEN) {
      depth -= 1;
      if (depth === 0) return index;
    }
  }
  throw new Error('no JSON object ends there');
}

function isEscaped(bytes: Uint8Array, index: number): boolean {
  let first = index;
  while (bytes[first - 1] === BACKSLASH) first -= 1;
  return (index - first) % 2 === 1;
}
