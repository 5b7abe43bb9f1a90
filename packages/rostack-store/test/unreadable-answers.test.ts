import { SourceUnavailableError } from 'rostack-core';
import { describePostgres } from 'test-support/postgres';
import { expect, test } from 'vitest';
import { StoreUnavailableError } from '../src/index.ts';
import { postgres } from './support/databases.ts';
import { postgresRelay } from './support/postgres-relay.ts';
import { put, stations } from './support/stations.ts';

describePostgres('an answer that the driver cannot read', () => {
  test('fails the connection that it came on, and not the process', async () => {
    await using relay = await postgresRelay();
    await using database = postgres(relay.url);
    await using store = await database.open({ resources: [stations] });
    await store.apply([put({ id: 'a', height: 1 })]);
    const source = store.source('stations');
    relay.isGarbling = true;
    await expect(source.get('a')).rejects.toBeInstanceOf(SourceUnavailableError);
    await expect(source.page({ sort: [], limit: 5 })).rejects.toBeInstanceOf(SourceUnavailableError);
    await expect(source.read(0, 5)).rejects.toMatchObject({ retryable: true });
    await expect(store.apply([put({ id: 'b', height: 1 })])).rejects.toBeInstanceOf(StoreUnavailableError);
    relay.isGarbling = false;
    expect(await source.get('a')).toMatchObject({ id: 'a' });
    expect(await store.apply([put({ id: 'a', height: 2 })])).toMatchObject([{ changed: true }]);
  });
});
