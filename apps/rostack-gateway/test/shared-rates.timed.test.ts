import { FaultProxy } from 'test-support/fault-proxy';
import { describePooler, startPooler } from 'test-support/pooler';
import { describePostgres, POSTGRES_URL, postgresSchema, queryPostgres } from 'test-support/postgres';
import { expect, test } from 'vitest';
import { type AdminGateway, adminGateway } from './support/admin-gateway.ts';
import { bearing, get } from './support/get.ts';
import { caOf, tokenFor } from './support/observed.ts';

const KEYS = '0123456789abcdef0123456789abcdef0123456789abcdef';

/** A gateway of the database behind this URL that shares its rates. */
const sharing = (url: string, schema: string, rates: string, lines: string[] = []): Promise<AdminGateway> =>
  adminGateway({
    storeUrl: url,
    sections: `keys: { env: KEYS }\nrates: { shared: true, ${rates} }`,
    environment: { STORE_URL: url, KEYS, ROSTACK__STORE__SCHEMA: schema },
    dependencies: { log: (line) => lines.push(line) },
  });

/** Statuses of so many requests for stations, at once, each to the next gateway; with the waits of those refused. */
async function ask(count: number, token: string, gateways: readonly AdminGateway[]) {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, index) => {
      const { gateway } = gateways[index % gateways.length] as AdminGateway;
      return get(`${gateway.url}/api/stations`, { ca: caOf(gateway), headers: bearing(token) });
    }),
  );
  const of = (status: number) => answers.filter((answer) => answer.status === status);
  return {
    granted: of(200).length,
    refused: of(429).length,
    unauthenticated: of(401).length,
    waitsMs: of(429).map(({ body }) => (body as { retry_after_ms: number }).retry_after_ms),
  };
}

const isReady = async ({ admin }: AdminGateway) => (await admin('/readyz')).status;
const metric = async ({ admin }: AdminGateway, name: string) =>
  new RegExp(`^${name} (\\S+)$`, 'm').exec(await (await admin('/metrics')).text())?.[1];

describePostgres('gateways that share their rates', () => {
  test('grant the budget of a principal and of failed authentications together, each apart', async () => {
    await using database = postgresSchema();
    const rates =
      'per_principal: { requests: 30, window: 1h }, failed_authentications: { attempts: 10, window: 1h }';
    const [one, other] = await Promise.all([
      sharing(database.url, database.schema, rates),
      sharing(database.url, database.schema, rates),
    ]);
    await using _one = one;
    await using _other = other;
    const token = await tokenFor(one.gateway);
    const wrong = await ask(40, 'rst1.wrong', [one, other]);
    expect(wrong).toMatchObject({ unauthenticated: 10, refused: 30 });
    const right = await ask(60, token, [one, other]);
    expect(right).toMatchObject({ granted: 30, refused: 30 });
    for (const waitMs of right.waitsMs) {
      expect(waitMs).toBeGreaterThan(3_590_000);
      expect(waitMs).toBeLessThanOrEqual(3_600_000);
    }
    expect(await metric(one, 'rostack_rates_not_shared')).toBe('0');
  });

  test('grant no more than a large budget, and less by what the others hold at most', async () => {
    await using database = postgresSchema();
    const rates = 'per_principal: { requests: 200, window: 1h }';
    const [one, other] = await Promise.all([
      sharing(database.url, database.schema, rates),
      sharing(database.url, database.schema, rates),
    ]);
    await using _one = one;
    await using _other = other;
    const token = await tokenFor(one.gateway);
    const { granted } = await ask(260, token, [one, other]);
    expect(granted).toBeLessThanOrEqual(200);
    expect(granted).toBeGreaterThanOrEqual(200 - 4);
  });

  test('grant the next budget after the wait that they name', async () => {
    await using database = postgresSchema();
    const rates = 'per_principal: { requests: 5, window: 2s }';
    await using one = await sharing(database.url, database.schema, rates);
    await using other = await sharing(database.url, database.schema, rates);
    const token = await tokenFor(one.gateway);
    let waitsMs: readonly number[] = [];
    // Where the machine is so slow that windows end meanwhile, it takes several rounds.
    while (waitsMs.length === 0) ({ waitsMs } = await ask(20, token, [one, other]));
    await new Promise((resolve) => setTimeout(resolve, Math.max(...waitsMs)));
    expect(await ask(2, token, [one, other])).toMatchObject({ granted: 2 });
  });

  test('count alone while their database is out of reach, stay ready for as long as it is, and share again afterwards', async () => {
    await using database = postgresSchema();
    const { hostname, port } = new URL(POSTGRES_URL);
    await using proxy = await FaultProxy.start({ host: hostname, port: Number(port || 5432) });
    const through = new URL(POSTGRES_URL);
    through.hostname = '127.0.0.1';
    through.port = String(proxy.port);
    const rates = 'failed_authentications: { attempts: 5, window: 1h }';
    const lines: string[] = [];
    await using cut = await sharing(through.href, database.schema, rates, lines);
    await using other = await sharing(database.url, database.schema, rates);
    expect(await ask(2, 'rst1.wrong', [cut])).toMatchObject({ unauthenticated: 2 });
    proxy.refuse(true);
    proxy.cut();
    // The tokens are in the database too: what is counted without it is a credential that cannot be one.
    expect(await ask(6, 'wrong', [cut])).toMatchObject({ unauthenticated: 3, refused: 3 });
    expect(lines.filter((line) => line.includes('rates_not_shared'))).toHaveLength(1);
    expect(await metric(cut, 'rostack_rates_not_shared')).toBe('1');
    expect(await metric(cut, 'rostack_alarms_total\\{kind="rates_not_shared"\\}')).toBe('1');
    proxy.refuse(false);
    await expect
      .poll(
        async () => {
          await ask(1, 'wrong', [cut]);
          return metric(cut, 'rostack_rates_not_shared');
        },
        { interval: 200 },
      )
      .toBe('0');
    expect(lines.at(-1)).toContain('together with other gateways again');
    await expect.poll(() => isReady(cut)).toBe(200);
    expect(await ask(3, 'wrong', [other])).toMatchObject({ refused: 3 });
  });

  test('are ready when only the counting fails', async () => {
    await using database = postgresSchema();
    await using running = await sharing(
      database.url,
      database.schema,
      'per_principal: { requests: 3, window: 1h }',
    );
    const token = await tokenFor(running.gateway);
    await queryPostgres(`alter table ${database.schema}.rate rename to away`);
    expect(await ask(5, token, [running])).toMatchObject({ granted: 3, refused: 2 });
    expect(await metric(running, 'rostack_rates_not_shared')).toBe('1');
    expect(await isReady(running)).toBe(200);
  });

  describePooler('behind a pgbouncer that gives connections to transactions', () => {
    test('grant a budget together', async () => {
      await using pooler = await startPooler('transaction');
      await using database = postgresSchema();
      const rates = 'per_principal: { requests: 20, window: 1h }';
      await using one = await sharing(pooler.url, database.schema, rates);
      await using other = await sharing(pooler.url, database.schema, rates);
      const token = await tokenFor(one.gateway);
      expect(await ask(40, token, [one, other])).toMatchObject({ granted: 20, refused: 20 });
    });
  });
});
