import { describePostgres, postgresSchema, queryPostgres } from 'test-support/postgres';
import { expect, test } from 'vitest';
import { createToken } from '../src/index.ts';
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
  test('grant budgets together, tell that they count alone, stay ready meanwhile, and share again', async () => {
    await using database = postgresSchema();
    const rates =
      'per_principal: { requests: 12, window: 1h }, failed_authentications: { attempts: 6, window: 1h }';
    const lines: string[] = [];
    const [one, other] = await Promise.all([
      sharing(database.url, database.schema, rates, lines),
      sharing(database.url, database.schema, rates),
    ]);
    await using _one = one;
    await using _other = other;
    const token = await tokenFor(one.gateway);
    expect(await ask(20, 'rst1.wrong', [one, other])).toMatchObject({ unauthenticated: 6, refused: 14 });
    const right = await ask(24, token, [one, other]);
    expect(right).toMatchObject({ granted: 12, refused: 12 });
    for (const waitMs of right.waitsMs) {
      expect(waitMs).toBeGreaterThan(3_400_000);
      expect(waitMs).toBeLessThanOrEqual(3_600_000);
    }
    expect(await metric(one, 'rostack_rates_not_shared')).toBe('0');

    await queryPostgres(`alter table ${database.schema}.rate rename to away`);
    const { token: another } = await createToken(one.gateway.store.tokens, {
      subject: 'another',
      grants: ['stations:read'],
    });
    expect(await ask(15, another, [one])).toMatchObject({ granted: 12, refused: 3 });
    expect(lines.filter((line) => line.includes('rates_not_shared'))).toHaveLength(1);
    expect(await metric(one, 'rostack_rates_not_shared')).toBe('1');
    expect(await metric(one, 'rostack_alarms_total\\{kind="rates_not_shared"\\}')).toBe('1');
    expect(await isReady(one)).toBe(200);

    await queryPostgres(`alter table ${database.schema}.away rename to rate`);
    await expect
      .poll(
        async () => {
          await ask(1, another, [one]);
          return metric(one, 'rostack_rates_not_shared');
        },
        { interval: 200 },
      )
      .toBe('0');
    expect(lines.at(-1)).toContain('together with other gateways again');
    await expect.poll(async () => (await ask(1, another, [other])).refused).toBe(1);
  });
});
