import { describePostgres, POSTGRES_URL, queryPostgres } from 'test-support/postgres';
import { expect, test } from 'vitest';
import { openStore, type Store } from '../src/index.ts';
import { postgres } from './support/databases.ts';
import { put, stations } from './support/stations.ts';

/** A schema of its own that a role of its own owns, which may create no schema; and a store that is that role. */
async function ownedSchema(): Promise<{ schema: string; open: () => Promise<Store> } & AsyncDisposable> {
  const { schema } = postgres();
  const url = new URL(POSTGRES_URL);
  url.searchParams.set('options', `-c role=${schema}`);
  await queryPostgres(`create role ${schema}; create schema ${schema} authorization ${schema}`);
  return {
    schema,
    open: () => openStore({ url: url.href, schema, resources: [stations], onAlarm: () => {} }),
    async [Symbol.asyncDispose]() {
      await queryPostgres(`drop schema ${schema} cascade; drop role ${schema}`);
    },
  };
}

describePostgres('the role of the store URL', () => {
  test('needs no privilege on the database where it owns the schema', async () => {
    await using owned = await ownedSchema();
    await using store = await owned.open();
    expect(await store.apply([put({ id: 'a', height: 1 })])).toHaveLength(1);
  });

  test('without a privilege on the database or the schema: the error says what is missing', async () => {
    await using owned = await ownedSchema();
    await queryPostgres(`alter schema ${owned.schema} owner to current_user`);
    await expect(owned.open()).rejects.toMatchObject({
      code: 'store_unavailable',
      message: `the role of the store URL may not do this: permission denied for schema ${owned.schema}; grant it usage, create`,
    });
  });

  test('that loses a privilege has a store that is unavailable until it is granted again', async () => {
    await using owned = await ownedSchema();
    await using store = await owned.open();
    await store.apply([put({ id: 'a', height: 1 })]);
    await queryPostgres(`revoke all on ${owned.schema}.record_1 from ${owned.schema}`);
    const refused = {
      message:
        'the role of the store URL may not do this: permission denied for table record_1; grant it select, or all if it is one of the store',
    };
    const source = store.source('stations');
    await expect(store.apply([put({ id: 'a', height: 2 })])).rejects.toMatchObject({
      ...refused,
      code: 'store_unavailable',
    });
    expect(store.status.writeFault).toMatchObject({ error: { code: 'store_unavailable' } });
    await expect(source.get('a')).rejects.toMatchObject({ ...refused, code: 'source_unavailable' });
    await expect(source.page({ sort: [], limit: 1 })).rejects.toMatchObject({
      code: 'source_unavailable',
    });
    await queryPostgres(`grant all on ${owned.schema}.record_1 to ${owned.schema}`);
    expect(await store.apply([put({ id: 'a', height: 3 })])).toMatchObject([{ position: 2 }]);
    expect(await source.get('a')).toMatchObject({ position: 2 });
    expect(store.status.writeFault).toBeUndefined();
  });
});
