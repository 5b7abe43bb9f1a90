import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { MenuStore } from 'menu-client';
import { openPostgresMenuStore } from 'menu-client/postgres';
import { openSqliteMenuStore } from 'menu-client/sqlite';
import { startSandbox } from 'menu-sandbox';
import { createSchema, describePostgres, POSTGRES_URL } from 'test-support/postgres';
import { servedDate } from 'test-support/served-date';
import { afterAll, describe, expect, test } from 'vitest';
import { sandboxService } from './sandbox-service.ts';

const MAIN = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
/** Longer than all readings take, one after the other, on a busy machine. */
const DEADLINE_MS = 60_000;
const DAYS = ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19'];

const folder = await mkdtemp(join(tmpdir(), 'menu-processes-'));
afterAll(() => rm(folder, { recursive: true }));

/** Three services with a connection each, as three processes have, all asked for the same days at once. */
async function askTogether(open: () => Promise<MenuStore>): Promise<void> {
  await using sandbox = await startSandbox();
  await using one = sandboxService(sandbox, { store: await open(), deadlineMs: DEADLINE_MS });
  await using two = sandboxService(sandbox, { store: await open(), deadlineMs: DEADLINE_MS });
  await using three = sandboxService(sandbox, { store: await open(), deadlineMs: DEADLINE_MS });
  // A day of its own for each, so that they have different things to ask for at the same time.
  const own = ['2026-11-23', '2026-11-24', '2026-11-25'];
  const ids = sandbox.restaurants.filter(({ vendor }) => vendor === 'welstory').slice(0, 3);
  const ask = (service: typeof one) =>
    Promise.all(ids.flatMap(({ id }) => DAYS.map((date) => service.dailyMenu('welstory', id, date))));
  const services = [one, two, three];
  const alone = services.flatMap((service, at) =>
    ids.map(({ id }) => service.dailyMenu('welstory', id, own[at] ?? '')),
  );
  const [first, second, third] = await Promise.all(services.map(ask));
  await Promise.all(alone);
  expect(second).toEqual(first);
  expect(third).toEqual(first);
  const statuses = new Set(first?.flatMap((day) => day.periods.map(({ status }) => status)));
  expect(statuses.has('failed')).toBe(false);
  const { welstory } = sandbox.stats();
  expect(welstory.refusedConcurrent).toBe(0);
  expect(welstory.maxInFlight).toBe(1);
  const meals = ids.flatMap(({ id }) =>
    [...DAYS, ...own].map((date) => sandbox.plan('welstory', id, date).length),
  );
  expect(welstory.byPath['/api/meal']).toBe(meals.reduce((sum, count) => sum + count, 0));
  expect(welstory.byPath['/api/mypage/rest-list']).toBe(1);
}

describe('services that share a store read each thing once, and one request at a time', () => {
  test('SQLite', async () => {
    const path = join(folder, `${randomUUID()}.db`);
    await askTogether(() => openSqliteMenuStore(path));
    expect.hasAssertions();
  });

  describePostgres('PostgreSQL', () => {
    test('a schema of its own', async () => {
      await using schema = await createSchema();
      await askTogether(() => openPostgresMenuStore(POSTGRES_URL, { schema: schema.name }));
      expect.hasAssertions();
    });
  });
});

test('commands that run at once share what one of them reads', async () => {
  await using sandbox = await startSandbox({ latencyMs: 20 });
  const env = {
    PATH: process.env.PATH ?? '',
    ...sandbox.environment,
    STORE_URL: `sqlite:${join(folder, 'commands.db')}`,
  };
  const run = promisify(execFile);
  const args = [
    '--conditions=workspace-source',
    MAIN,
    'menu',
    'welstory',
    'REST000007',
    servedDate(sandbox, 'welstory', 'REST000007'),
    '--json',
  ];
  const runs = await Promise.all(Array.from({ length: 4 }, () => run(process.execPath, args, { env })));
  const [first, ...others] = runs.map(({ stdout }) => stdout);
  expect(JSON.parse(first ?? '')).toMatchObject({
    periods: [{ status: 'ok' }, { status: 'ok' }, { status: 'ok' }],
  });
  for (const other of others) expect(other).toBe(first);
  const { welstory } = sandbox.stats();
  expect(welstory).toMatchObject({
    maxInFlight: 1,
    refusedConcurrent: 0,
    byPath: { '/api/mypage/rest-list': 1, '/api/menu/getMealTimeList': 1, '/api/meal': 3 },
  });
});
