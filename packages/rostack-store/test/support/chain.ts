import { Buffer } from 'node:buffer';
import type { Page, PageQuery, RecordSource, StoredRecord } from 'rostack-core';
import { expect } from 'vitest';

/** All records of a chain of pages, each of them checked against its joined form; `between` runs after every page. */
export async function readChain(
  source: RecordSource,
  query: Omit<PageQuery, 'after'>,
  between: () => Promise<unknown> = () => Promise.resolve(),
): Promise<StoredRecord[]> {
  const records: StoredRecord[] = [];
  let after: PageQuery['after'];
  do {
    const page: Page = await source.page({ ...query, after });
    await expectSameJoined(source, { ...query, after }, page);
    records.push(...page.records);
    after = page.next;
    await between();
  } while (after !== undefined);
  return records;
}

async function expectSameJoined(source: RecordSource, query: PageQuery, page: Page): Promise<void> {
  const joined = await source.joinedPage?.(query);
  if (joined === undefined) return;
  const bodies = page.records.map(({ body }) => body).join(',');
  expect({ query, bodies: Buffer.from(joined.bodies).toString(), next: joined.next }).toEqual({
    query,
    bodies,
    next: page.next,
  });
}
