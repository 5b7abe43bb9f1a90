import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatCompactDate, seoulToday } from 'menu-client';
import { startSandbox } from 'menu-sandbox';
import pg from 'pg';
import { freePort } from 'test-support/free-port';
import { servedDate } from 'test-support/served-date';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { spawnMain, startProgram, until } from './support/process.ts';
import { find, findOne } from './support/running.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'running-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Health {
  readonly status: string;
  readonly operators: readonly { readonly vendor: string; readonly status: string }[];
  readonly prefetch?: { readonly done: number; readonly total: number };
}
const health = async (url: string): Promise<Health> =>
  (await (await fetch(`${url}/api/health`)).json()) as Health;
/** For programs, which have a clock of their own. */
const TODAY = formatCompactDate(seoulToday(Date.now()));

test.runIf(existsSync('/dev/full'))(
  'the program serves on while its log cannot be written, and stops when asked',
  async () => {
    await using sandbox = await startSandbox();
    const port = String(await freePort());
    const full = openSync('/dev/full', 'w');
    const { child } = spawnMain(
      {
        DATA_DIR: join(folder, 'full'),
        MENU_UPSTREAM: 'live',
        CAFETERIA_PORT: port,
        CAFETERIA_PREFETCH_SECONDS: '0',
        LOG_LEVEL: 'debug',
        PLANEAT_BASE_URL: sandbox.planeatUrl,
      },
      full,
    );
    closeSync(full);
    const exited = once(child, 'exit') as Promise<[number | null]>;
    try {
      const url = `http://127.0.0.1:${port}`;
      const answers = () =>
        fetch(`${url}/api/health`).then(
          ({ ok }) => ok,
          () => false,
        );
      await until('it answers', answers);
      // Each is a line of the log.
      for (let photo = 0; photo < 3; photo += 1)
        expect((await fetch(`${url}/img/shinsegae/480/refused`)).ok).toBe(false);
      expect(await answers()).toBe(true);
      child.kill('SIGTERM');
      expect((await exited)[0]).toBe(0);
    } finally {
      child.kill('SIGKILL');
    }
  },
);

test('live mode reads both operators at the addresses that it is given', async () => {
  await using sandbox = await startSandbox({ credentials: { username: 'me', password: 'secret' } });
  await using program = await startProgram({
    DATA_DIR: join(folder, 'c'),
    CAFETERIA_PREFETCH_SECONDS: '0',
    MENU_UPSTREAM: 'live',
    ...sandbox.environment,
    PHOTO_ORIGINS: new URL(sandbox.url).origin,
  });
  const found = await find(program.url, '강남', 50);
  for (const vendor of ['welstory', 'shinsegae'] as const) {
    const item = found.find((each) => each.vendor === vendor);
    const date = servedDate(sandbox, vendor, item?.id ?? '');
    const html = await (await fetch(`${program.url}${item?.path}/${formatCompactDate(date)}`)).text();
    expect(html).not.toContain('샘플 데이터');
    const photo = /\/img\/\w+\/480\/[\w-]+/.exec(html)?.[0];
    expect((await fetch(`${program.url}${photo}`)).headers.get('content-type')).toBe('image/webp');
  }
  expect(program.output()).not.toContain('secret');
});

test('while the first fill runs, the log and health tell how far it is, and pages work', async () => {
  await using sandbox = await startSandbox({ faults: [{ fault: 'slow', delayMs: 150 }] });
  await using program = await startProgram({
    DATA_DIR: join(folder, 'fill'),
    MENU_UPSTREAM: 'live',
    ...sandbox.environment,
  });
  // At once: the pages wait for nothing but what they show.
  const home = await fetch(program.url);
  expect(home.status).toBe(200);
  for (const query of ['R5', '기숙사식당']) {
    const { path } = await findOne(program.url, query);
    const day = await fetch(`${program.url}${path}/${TODAY}`);
    expect([day.status, (await day.text()).includes('불러오지 못')], query).toEqual([200, false]);
  }
  const logged = (): { done: number; total: number }[] =>
    program
      .output()
      .split('\n')
      .filter((line) => line.includes('reading the menus of the days ahead'))
      .map((line) => JSON.parse(line) as { done: number; total: number });
  await until('the log tells', async () => logged().length > 0);
  await until('both operators are read', async () => (await health(program.url)).prefetch?.total === 4200);
  const { status, prefetch } = await health(program.url);
  expect(status).toBe('ok');
  expect(prefetch?.done).toBeLessThan(4200);
  const [line] = logged();
  // An operator counts from when its list of restaurants was read.
  expect([1680, 2520, 4200]).toContain(line?.total);
  expect(prefetch?.done).toBeGreaterThanOrEqual(line?.done ?? 4200);
  await until(
    'health tells more',
    async () => ((await health(program.url)).prefetch?.done ?? 0) > (line?.done ?? 0),
  );
});

test('asked to stop, it ends the requests that run and takes no others', async () => {
  await using sandbox = await startSandbox();
  await using program = await startProgram({
    DATA_DIR: join(folder, 'stop'),
    CAFETERIA_PREFETCH_SECONDS: '0',
    MENU_UPSTREAM: 'live',
    PLANEAT_BASE_URL: sandbox.planeatUrl,
  });
  const { path } = await findOne(program.url, '기숙사식당');
  sandbox.setFaults([{ fault: 'slow', delayMs: 1_000 }]);
  const before = sandbox.stats().shinsegae.requests;
  const running = fetch(`${program.url}${path}/${TODAY}`);
  await until('the operator is asked', async () => sandbox.stats().shinsegae.requests > before);
  const stopped = program.stop();
  const answer = await running;
  expect([answer.status, /불러오지 못/.test(await answer.text())]).toEqual([200, false]);
  expect(await stopped).toBe(0);
  await expect(fetch(program.url)).rejects.toThrow();
});

test('two instances over one PostgreSQL: one prefetches, the other takes over when it dies, nothing is read twice', async (context) => {
  const admin = process.env['TEST_POSTGRES_URL'] ?? 'postgres://root@127.0.0.1:5432/test';
  const client = new pg.Client({ connectionString: admin });
  try {
    await client.connect();
  } catch (error) {
    if (process.env['CI'] !== undefined) throw error;
    process.stderr.write(`NOT TESTED: ${context.task.name}. No PostgreSQL answers at ${admin}\n`);
    context.skip('no PostgreSQL answers');
  }
  const database = `cafeteria_${randomUUID().replaceAll('-', '')}`;
  await client.query(`CREATE DATABASE ${database}`);
  const url = new URL(admin);
  url.pathname = `/${database}`;
  try {
    await using sandbox = await startSandbox({ latencyMs: 0 });
    const environment = (name: string): Record<string, string> => ({
      DATA_DIR: join(folder, name),
      STORE_URL: url.href,
      MENU_UPSTREAM: 'live',
      PLANEAT_BASE_URL: sandbox.planeatUrl,
      LOG_LEVEL: 'warn',
      CAFETERIA_PREFETCH_SECONDS: '1',
      OPERATOR_REQUESTS_PER_MINUTE: '2400',
    });
    const doneBy = async (url: string) => (await health(url)).prefetch?.done ?? 0;
    await using first = await startProgram(environment('d'));
    await until('the first instance prefetches', async () => (await doneBy(first.url)) > 10);
    await using second = await startProgram(environment('e'));
    const before = await doneBy(first.url);
    await until('the first instance goes on', async () => (await doneBy(first.url)) > before + 2);
    expect(await doneBy(second.url)).toBe(0);
    // What the first has read, the second answers from the shared store.
    const item = await findOne(second.url, '강남');
    expect((await fetch(`${second.url}${item.path}/${TODAY}`)).status).toBe(200);
    await first.kill();
    await until('the second instance takes over', async () => (await doneBy(second.url)) > 10, 100_000);
    expect(await second.stop()).toBe(0);
  } finally {
    await client.query(`DROP DATABASE ${database} WITH (FORCE)`);
    await client.end();
  }
}, 200_000);
