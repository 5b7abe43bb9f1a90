import { expect, test } from 'vitest';
import { filterHash } from '../list/filters.ts';
import { MemoryStateStore } from '../state/memory-state-store.ts';
import { restoredRecords } from './restored.ts';

const HIGH = { '/altitude': { gte: 500 } };

/** A store whose key holds the records of a filter, as after another release of a page. */
async function storeOf(filter: string | undefined): Promise<MemoryStateStore> {
  const store = new MemoryStateStore();
  await store.replace('key', {
    scope: { implementationId: 'observatory', apiVersion: '1', resource: 'stations', filter },
    cursor: 'a',
    eventId: undefined,
    records: [{ id: 'a', version: undefined, record: { id: 'a', altitude: 700 } }],
  });
  return store;
}

test('before there is a client a page shows what its store holds of what it asks for, and nothing else', async () => {
  const [all, high] = [await storeOf(undefined), await storeOf(filterHash(HIGH))];
  const shown = async (store: MemoryStateStore, resource: string, filter?: object) => {
    const query = { key: 'key', ...(filter && { filter: filter as typeof HIGH }) };
    const records = await restoredRecords(store, resource, query);
    return records && [...records.keys()];
  };
  expect(await shown(all, 'stations')).toEqual(['a']);
  expect(await shown(high, 'stations', HIGH)).toEqual(['a']);
  expect(await shown(all, 'boats')).toBeUndefined();
  expect(await shown(high, 'stations')).toBeUndefined();
  expect(await shown(all, 'stations', HIGH)).toBeUndefined();
});
