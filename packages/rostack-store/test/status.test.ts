import { expect, test } from 'vitest';
import { RecordInvalidError } from '../src/index.ts';
import { describeBoth } from './support/databases.ts';
import { put, remove, stations } from './support/stations.ts';

describeBoth('a store', (create) => {
  test('checks changes without writing them', async () => {
    await using database = create();
    await using store = await database.open({ resources: [stations] });
    store.check([put({ id: 'a', height: 1 }), remove('b')]);
    expect(() => store.check([put({ id: 'a', height: 1 }), put({ id: 'b' })])).toThrow(RecordInvalidError);
    expect(() => store.check([put({ id: 'a', height: 1 }, { event: 'station.lost' })])).toThrow(
      'declares no event',
    );
    expect(await store.source('stations').head()).toMatchObject({ position: 0 });
  });

  test('says what it is doing', async () => {
    await using database = create();
    await using store = await database.open({ resources: [stations], maxConnections: 3 });
    const writing = store.apply([put({ id: 'a', height: 1 })]);
    expect(store.status).toMatchObject({ waitingBatches: 1, schemaVersion: expect.any(Number) });
    await writing;
    const { dialect, pool, waitingBatches } = store.status;
    expect(waitingBatches).toBe(0);
    expect(pool?.max).toBe(dialect === 'sqlite' ? undefined : 2);
    expect(pool?.total).toBe(dialect === 'sqlite' ? undefined : 1);
  });
});
