import { compileFilter } from '../query/filter/compile-filter.ts';
import { comparePageKeys, pageKeyOf } from '../query/sort/sort.ts';
import { type JsonValue, parseTrustedJson } from '../text/json.ts';
import { type Head, joinBodies, type Page, type PageQuery, type StoredRecord } from './record-source.ts';

/**
 * The page of a query, for a source that has all records in memory: filtered, sorted, after the key and within the limit. It looks at
 * every record. It ignores `at` and `tag`, so the records have to be those of that state already.
 * @param head where the log is
 */
export function pageOf(
  head: Head,
  records: Iterable<Pick<StoredRecord, 'id' | 'body'>>,
  { filter, sort, after, limit }: Omit<PageQuery, 'at' | 'tag'>,
): Page {
  const matches = filter === undefined ? () => true : compileFilter(filter);
  const compare = comparePageKeys(sort);
  const rows = Array.from(records, ({ id, body }) => ({
    id,
    body,
    value: parseTrustedJson(body) as JsonValue,
  }))
    .filter(({ value }) => matches(value))
    .map(({ id, body, value }) => ({ body, key: pageKeyOf({ id, value }, sort) }))
    .filter(({ key }) => after === undefined || compare(key, after) > 0)
    .sort((a, b) => compare(a.key, b.key));
  const shown = rows.slice(0, limit);
  const next = rows.length > limit ? shown.at(-1)?.key : undefined;
  return { head, bodies: joinBodies(shown.map(({ body }) => body)), next };
}
