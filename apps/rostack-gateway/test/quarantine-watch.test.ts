import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { Store } from 'rostack-store';
import { temporaryFolder } from 'test-support/temporary-folder';
import { afterEach, expect, test, vi } from 'vitest';
import { QuarantineWatch } from '../src/observe/health/quarantine-watch.ts';
import { openStations } from './support/importing.ts';

const stations = {
  resource: 'stations',
  state: 'following',
  reason: undefined,
  movedRows: 0,
  refusedRows: 0,
  fault: undefined,
  loadedRows: 0,
  estimatedRows: undefined,
  oldestUnmovedMs: 0,
};

afterEach(() => {
  vi.useRealTimers();
});

test('rows in quarantine are counted once a second at most, whoever asks', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'store.db');
  await using store = await openStations(`sqlite:${file}`);
  const refuse = (id: string) => {
    const app = new Sqlite(file);
    app
      .prepare(`insert into quarantine (name, id, reason, since_ms) values ('stations', ?, 'no', 1)`)
      .run(id);
    app.close();
  };
  vi.useFakeTimers({ toFake: ['performance'] });
  const watch = new QuarantineWatch({ store, tables: [{ ...stations, state: 'following' }] });
  const rows = async () => (await watch.counts()).get('stations');
  refuse('a');
  expect(await rows()).toBe(1);
  refuse('b');
  vi.advanceTimersByTime(999);
  expect(await rows()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(await rows()).toBe(2);
});

test('what cannot be counted is said to each who asks within the second, and counted again after it', async () => {
  await using store = await openStations();
  vi.useFakeTimers({ toFake: ['performance'] });
  const tables = [{ ...stations, state: 'following' as const }];
  const running: { store: Store; tables: typeof tables } = { store: {} as Store, tables };
  const watch = new QuarantineWatch(running);
  const asked = [watch.counts(), watch.counts()];
  for (const counts of asked) await expect(counts).rejects.toThrow('was not made by openStore');
  running.store = store;
  vi.advanceTimersByTime(1_000);
  expect(await watch.counts()).toEqual(new Map());
});
