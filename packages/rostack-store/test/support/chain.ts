import type { Page, PageQuery, RecordSource, StoredRecord } from 'rostack-core';

/** All records of a chain of pages; `between` runs after every page. */
export async function readChain(
  source: RecordSource,
  query: Omit<PageQuery, 'after'>,
  between: () => Promise<unknown> = () => Promise.resolve(),
): Promise<StoredRecord[]> {
  const records: StoredRecord[] = [];
  let after: PageQuery['after'];
  do {
    const page: Page = await source.page({ ...query, after });
    records.push(...page.records);
    after = page.next;
    await between();
  } while (after !== undefined);
  return records;
}
