import { expect, test } from 'vitest';
import { describeBoth } from './support/databases.ts';
import { executeRaw } from './support/execute-raw.ts';
import { stations } from './support/stations.ts';

describeBoth('a note', (create) => {
  test('outlives the process and is seen by others', async () => {
    await using database = create();
    await using first = await database.open({ resources: [stations] });
    await first.updateNote('served', (present) => `${present ?? 'none'}, a`);
    await using second = await database.open({ resources: [stations] });
    await second.updateNote('served', (present) => `${present}, b`);
    const seen: (string | undefined)[] = [];
    const look = (present: string | undefined) => {
      seen.push(present);
      return present ?? '';
    };
    await first.updateNote('served', look);
    await first.updateNote('other', look);
    expect(seen).toEqual(['none, a, b', undefined]);
  });

  test('is not lost when several processes write it at once', async () => {
    await using database = create();
    const stores = await Promise.all(
      Array.from({ length: 4 }, () => database.open({ resources: [stations] })),
    );
    const writes = stores.flatMap((store) => [1, 2, 3].map(() => store));
    await Promise.all(writes.map((store) => store.updateNote('count', (present = '0') => `${+present + 1}`)));
    await stores[0]?.updateNote('count', (present) => {
      expect(present).toBe('12');
      return present ?? '';
    });
    await Promise.all(stores.map((store) => store.close()));
  });

  test('stays as it is when the update throws', async () => {
    await using database = create();
    await using store = await database.open({ resources: [stations] });
    await store.updateNote('served', () => 'kept');
    const refusal = new Error('no');
    await expect(
      store.updateNote('served', () => {
        throw refusal;
      }),
    ).rejects.toBe(refusal);
    await store.updateNote('served', (present) => {
      expect(present).toBe('kept');
      return 'kept';
    });
  });

  test('of an application has any name but those of the store, which tries with one of its own whether it can write', async () => {
    await using database = create();
    await using store = await database.open({ resources: [stations] });
    await store.updateNote('write-trial', () => 'kept');
    await store.tryWrite();
    await store.updateNote('write-trial', (present) => {
      expect(present).toBe('kept');
      return 'kept';
    });
    const [longest] = await executeRaw(database, 'select max(length(body)) as length from note');
    expect(Number(longest?.['length'])).toBeLessThan(1_000);
  });
});
