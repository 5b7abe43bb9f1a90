import { openPostgresMenuStore } from 'menu-client/postgres';
import { MENU_STORE_CHECKS } from 'menu-client/store-conformance';
import { describePooler, startPooler } from 'test-support/pooler';
import { connectPostgres, createSchema } from 'test-support/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';

describePooler('PostgreSQL behind pgbouncer, which gives connections to transactions', () => {
  let pooler: Awaited<ReturnType<typeof startPooler>>;
  beforeAll(async () => {
    pooler = await startPooler('transaction');
  });
  afterAll(() => pooler[Symbol.asyncDispose]());

  test.each(MENU_STORE_CHECKS)('$name', async (check) => {
    await using schema = await createSchema();
    const open = () => openPostgresMenuStore(pooler.url, { schema: schema.name });
    await expect(check.run(open)).resolves.toBeUndefined();
  });

  test('its limits end with each transaction, and none is left to who gets the connection next', async () => {
    await using schema = await createSchema();
    await using store = await openPostgresMenuStore(pooler.url, { schema: schema.name });
    await Promise.all(Array.from({ length: 8 }, () => store.prune('2026-01-01')));
    await using client = await connectPostgres(pooler.url);
    for (const setting of ['statement_timeout', 'idle_in_transaction_session_timeout']) {
      const { rows } = await client.query<Record<string, string>>(`show ${setting}`);
      expect(rows).toEqual([{ [setting]: '0' }]);
    }
  });
});
