import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openStore, type Store } from 'rostack-store';
import { temporaryFolder } from 'test-support/temporary-folder';
import { expect, test } from 'vitest';
import type { Place } from '../follows/history.ts';
import { Histories } from '../replicas/histories.ts';

const open = (file: string): Promise<Store> =>
  openStore({
    url: `sqlite:${file}`,
    resources: [{ name: 'letters', schema: true, idPointer: '/id' }],
    onAlarm: () => {},
  });

async function placeOf(store: Store): Promise<Place> {
  const { epoch, position, tag } = await store.source('letters').head();
  return { epoch, position, tag };
}

const put = (store: Store, id: string) => store.apply([{ resource: 'letters', op: 'put', record: { id } }]);

test('a place may be refused while a later epoch is in force, and not once a promotion has lost that epoch', async () => {
  await using folder = await temporaryFolder();
  const [file, copied] = ['primary.db', 'standby.db'].map((name) => join(folder.path, name)) as [
    string,
    string,
  ];
  const histories = new Histories('letters');
  const before = await open(file);
  await put(before, 'a');
  const kept = await placeOf(before);
  await before.close();
  await copyFile(file, copied);

  await using primary = await open(file);
  await histories.read(primary);
  const beforeMs = performance.now();
  expect(histories.isRefusable(kept, beforeMs)).toBe(false);
  await primary.renewEpoch();
  await put(primary, 'b');
  const lost = await placeOf(primary);
  await histories.read(primary);
  expect(histories.isRefusable(kept, beforeMs)).toBe(true);
  const refusedMs = performance.now();

  await using standby = await open(copied);
  await histories.branch(standby);
  expect(histories.epoch).toBe(kept.epoch);
  const rebuildingMs = performance.now();
  await histories.read(standby);
  const afterMs = performance.now();
  const isRefusable = (place: Place) =>
    [undefined, refusedMs, rebuildingMs, afterMs].map((atMs) => histories.isRefusable(place, atMs));
  expect(isRefusable(kept)).toEqual([false, true, true, false]);
  expect(isRefusable(lost)).toEqual([true, true, true, true]);
});
