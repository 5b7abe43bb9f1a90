import { describePostgres, postgresSchema, queryPostgres } from 'test-support/postgres';
import { temporaryFolder } from 'test-support/temporary-folder';
import { expect, test } from 'vitest';
import { bearing } from './support/get.ts';
import { ADMIN, ADMIN_TOKEN, adminOf, createTokenIn, follow, put } from './support/operating.ts';
import { startGateway } from './support/running-gateway.ts';
import { writeSampleConfig } from './support/sample-config.ts';

describePostgres('a second gateway on the same PostgreSQL', () => {
  test('is just another start: what is written by the one is served and followed by the other', async () => {
    await using database = postgresSchema();
    await using first = await temporaryFolder();
    await using second = await temporaryFolder();
    const environment = {
      STORE_URL: database.url,
      ADMIN_TOKEN,
      KEYS: '0123456789abcdef0123456789abcdef0123456789abcdef',
      ROSTACK__STORE__SCHEMA: database.schema,
    };
    const sample = { storeUrl: database.url, sections: `${ADMIN}\nkeys: { env: KEYS }` };
    const config = await writeSampleConfig(first.path, sample);
    await writeSampleConfig(second.path, sample);
    const [one, other] = await Promise.all([
      startGateway(first.path, environment),
      startGateway(second.path, environment),
    ]);
    await using _one = one;
    await using _other = other;
    const token = await createTokenIn(config, environment);
    const follower = await follow(other, token);
    const admin = await adminOf(one);
    for (let height = 0; height < 20; height += 1)
      expect((await put(admin, `s${height}`, height)).status).toBe(201);
    const events = () =>
      follower.messages.filter(({ type }) => type === 'event').map((event) => event['resource_id']);
    await expect.poll(events).toEqual(Array.from({ length: 20 }, (_, height) => `s${height}`));

    const page = await one.get('/api/stations?limit=5', { headers: bearing(token) });
    const { next_cursor: cursor } = (page.body as { page: { next_cursor: string } }).page;
    const next = await other.get(`/api/stations?limit=5&cursor=${cursor}`, { headers: bearing(token) });
    expect(next.status).toBe(200);
    expect((next.body as { items: unknown[] }).items).toHaveLength(5);

    await one.process.stop('SIGKILL');
    expect((await put(await adminOf(other), 'after', 1)).status).toBe(201);
    await expect.poll(() => events().at(-1)).toBe('after');
    const metrics = await fetch(`${await adminOf(other)}/metrics`, {
      headers: { Authorization: `Bearer ${ADMIN_TOKEN}` },
    });
    expect(await metrics.text()).toMatch(/rostack_store_pool_max 9\n/);
    expect(await other.process.stop('SIGTERM')).toBe(0);
    expect(
      await queryPostgres(
        `select count(*)::int as count from ${database.schema}.note where name like 'served:%'`,
      ),
    ).toEqual([{ count: 1 }]);
  });
});
