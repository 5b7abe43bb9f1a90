import { type JsonObject, jsonEquals, type Resource } from 'rostack-core';
import type { Check } from '../../check/check.ts';
import type { CheckContext } from '../../check/check-context.ts';
import type { Driver } from '../../check/driver.ts';
import { itemUrl } from '../../probe/place/urls.ts';
import { largestLimit, readChain } from './sample/chain.ts';
import { idMemberOf, idOf, withId } from './sample/id-member.ts';
import { judgeRefusal } from './sample/judge-refusal.ts';
import { type Sample, samplesWith } from './sample/sample.ts';

const SNAPSHOT = 'json.page.snapshot';
const GONE = 'decided.item.410';

/** Records come and go between the pages of a chain, which must not change. */
export const changingChains: Check = {
  name: 'reads.pages.while-changing',
  level: 'reads',
  requirements: [SNAPSHOT, GONE, 'err.http.type.resource-gone'],
  needs: ['token', 'driver'],
  async run(context) {
    const { driver, findings } = context;
    if (driver === undefined) return;
    if (!driver.operations.has('put') || !driver.operations.has('delete')) {
      for (const id of [SNAPSHOT, GONE]) findings.skip(id, 'the driver can not put and delete');
      return;
    }
    for (const sample of await samplesWith(context, 1)) {
      const isNamed = sample.items.every((item) => typeof item[idMemberOf(sample.resource)] === 'string');
      if (sample.isWhole && isNamed) await tryChanging(context, driver, sample);
    }
  },
};

/** Records to write, which differ from the last one of a list only in their ids; the target's own are left alone. */
function recordsLike(
  record: JsonObject,
  resource: Resource,
  random: CheckContext['random'],
): readonly JsonObject[] {
  const run = random.integer(1, 1_000_000_000);
  const id = idOf(record, resource);
  return ['a', 'b', 'c', 'd'].map((name) => withId(record, resource, `${id}-kit-${run}-${name}`));
}

async function tryChanging(context: CheckContext, driver: Driver, sample: Sample): Promise<void> {
  const { findings, http, tokens, random } = context;
  const { resource } = sample;
  const last = sample.items.at(-1);
  if (last === undefined) return;
  const [added, ...first] = recordsLike(last, resource, random);
  const written = new Set<string>();
  const put = async (record: JsonObject) => {
    written.add(idOf(record, resource) ?? '');
    await driver.put(resource.name, record);
  };
  const remove = async (id: string) => {
    await driver.delete(resource.name, id);
    written.delete(id);
  };
  try {
    for (const record of first) await put(record);
    const before = await readChain(context, resource, { limit: String(largestLimit(context)) });
    const at = before.items.findLastIndex((item) =>
      first.some((record) => idOf(record, resource) === idOf(item, resource)),
    );
    const deleted = before.items[at];
    if (before.broken !== undefined || deleted === undefined || at < 1 || added === undefined) return;
    // Makes sure that the deleted record comes after the first page.
    const limit = String(Math.min(largestLimit(context), Math.max(1, Math.floor(at / 2))));
    const start = await readChain(context, resource, { limit }, { maxPages: 1 });
    const cursor = start.pages[0]?.page.next_cursor;
    if (typeof cursor !== 'string') return;
    const deletedId = idOf(deleted, resource) ?? '';
    await put(added);
    await remove(deletedId);
    const rest = await readChain(context, resource, { limit, cursor }, { maxPages: 200 });
    const items = [...start.items, ...rest.items];
    findings.judge(SNAPSHOT, rest.broken === undefined && jsonEquals(items, before.items), () => ({
      expected:
        'A chain can be read to its end while records change, and holds them as they were when it began.',
      got:
        rest.broken?.got ?? `It holds ${items.length} records instead of ${before.items.length}, or others.`,
      exchange: rest.broken?.exchange ?? rest.pages.at(-1)?.response.exchange,
    }));
    const gone = await http.get(itemUrl(resource, deletedId), { token: tokens.main });
    judgeRefusal(context, [GONE], gone, 'resource-gone', 'A record that was just deleted');
  } finally {
    for (const id of written) await driver.delete(resource.name, id);
  }
}
