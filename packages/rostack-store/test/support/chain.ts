import type { Page, PageQuery, RecordSource } from 'rostack-core';
import { type PageRecord, recordsOfPage } from './page-records.ts';

/** All records of a chain of pages; `between` runs after every page. */
export async function readChain(
  source: RecordSource,
  query: Omit<PageQuery, 'after'>,
  between: () => Promise<unknown> = () => Promise.resolve(),
): Promise<PageRecord[]> {
  const records: PageRecord[] = [];
  let after: PageQuery['after'];
  do {
    const page: Page = await source.page({ ...query, after });
    records.push(...recordsOfPage(page));
    after = page.next;
    await between();
  } while (after !== undefined);
  return records;
}
