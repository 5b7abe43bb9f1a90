import { jsonEquals } from 'rostack-core';
import type { Check } from '../check/check.ts';
import type { CheckContext } from '../check/check-context.ts';
import type { Driver } from '../check/driver.ts';
import { itemUrl } from '../place/urls.ts';
import { largestLimit, readChain } from './chain.ts';
import { judgeRefusal } from './judge-refusal.ts';
import { idOf, keyOf, type Sample, samplesWith } from './sample.ts';

const SNAPSHOT = 'json.page.snapshot';
const GONE = 'decided.item.410';

/** Records come and go between the pages of a chain, which stays what it was. */
export const changingChains: Check = {
  name: 'reads.pages.while-changing',
  level: 'reads',
  requirements: [SNAPSHOT, GONE, 'err.http.type.resource-gone', 'json.item.not-modified'],
  needs: ['token', 'driver'],
  async run(context) {
    const { driver } = context;
    if (driver === undefined) return;
    for (const sample of await samplesWith(context, 4)) {
      if (sample.isWhole && sample.items.every((item) => typeof item['id'] === 'string')) {
        await tryChanging(context, driver, sample);
      }
    }
  },
};

async function tryChanging(context: CheckContext, driver: Driver, { resource }: Sample): Promise<void> {
  const { findings, http, tokens } = context;
  const limit = String(largestLimit(context));
  const before = await readChain(context, resource, { limit });
  const last = before.items.at(-1);
  if (before.broken !== undefined || last === undefined) return;
  const size = String(Math.max(1, Math.ceil(before.items.length / 4)));
  const start = await readChain(context, resource, { limit: size }, { maxPages: 1 });
  const cursor = start.pages[0]?.page.next_cursor;
  if (typeof cursor !== 'string') return;
  const added = { ...last, id: `${idOf(last)}-${context.random.integer(1, 1_000_000)}` };
  await driver.put(resource.name, added);
  await driver.delete(resource.name, keyOf(last));
  try {
    const rest = await readChain(context, resource, { limit: size, cursor });
    if (rest.broken !== undefined) {
      findings.fail(SNAPSHOT, {
        ...rest.broken,
        expected: 'A chain can be read to its end while records change.',
      });
      return;
    }
    const items = [...start.items, ...rest.items];
    findings.judge(SNAPSHOT, jsonEquals(items, before.items), () => ({
      expected: 'A chain holds the records as they were when it began.',
      got: `It holds ${items.length} instead of ${before.items.length} records, or others.`,
    }));
    const gone = await http.get(itemUrl(resource, keyOf(last)), { token: tokens.main });
    judgeRefusal(context, [GONE], gone, 'resource-gone', 'A record that was just deleted');
  } finally {
    await driver.delete(resource.name, keyOf(added));
    await driver.put(resource.name, last);
  }
}
