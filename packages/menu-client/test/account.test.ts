import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, createMenuService, type MenuService, openOperators, systemClock } from 'menu-client';
import { openSqliteMenuStore } from 'menu-client/sqlite';
import { type Sandbox, startSandbox } from 'menu-sandbox';
import { afterAll, expect, test } from 'vitest';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const WEDNESDAY = '2026-11-18';
const START_MS = Date.parse(`${WEDNESDAY}T09:00:00+09:00`);

const PASSWORD = 'correct horse battery staple';

const folder = await mkdtemp(join(tmpdir(), 'menu-account-'));
afterAll(() => rm(folder, { recursive: true }));

/** Processes of one account over one store, on a day whose time the test decides. */
class Day implements AsyncDisposable {
  readonly path = join(folder, `${randomUUID()}.db`);
  readonly sandbox: Sandbox;
  nowMs = START_MS;
  readonly #clock: Clock = { ...systemClock, nowMs: () => this.nowMs };
  readonly #services: MenuService[] = [];
  readonly loginsAtMs: number[] = [];
  /** What the processes told, in order. */
  readonly refusals: string[] = [];
  #counted = 0;

  private constructor(sandbox: Sandbox) {
    this.sandbox = sandbox;
  }

  static async start(): Promise<Day> {
    let day: Day | undefined;
    const clock = () => day?.nowMs ?? START_MS;
    day = new Day(await startSandbox({ scenario: 'recorded', latencyMs: 0, tokenTtlMs: 48 * HOUR, clock }));
    return day;
  }

  async open(environment: Readonly<Record<string, string>> = {}): Promise<MenuService> {
    const operators = openOperators(
      { ...this.sandbox.environment, ...environment },
      { clock: this.#clock, maxRequestsPerMinute: 60_000 },
    );
    const store = await openSqliteMenuStore(this.path);
    const service = createMenuService({
      operators,
      store,
      clock: this.#clock,
      onRefused: (vendor, { code }) => this.refusals.push(`${vendor} ${code}`),
    });
    this.#services.push(service);
    return service;
  }

  /** Notes when logins were sent since the last call. */
  count(): number {
    const logins = this.sandbox.stats().welstory.byPath['/login'] ?? 0;
    for (; this.#counted < logins; this.#counted += 1) this.loginsAtMs.push(this.nowMs);
    return logins;
  }

  /** The most logins in any 24 hours. */
  get mostInADay(): number {
    return Math.max(
      0,
      ...this.loginsAtMs.map(
        (from) => this.loginsAtMs.filter((at) => at >= from && at < from + 24 * HOUR).length,
      ),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#services.map((service) => service.close()));
    await this.sandbox.close();
  }
}

const welstoryOf = async (service: MenuService) =>
  (await service.health()).operators.find(({ vendor }) => vendor === 'welstory');
const statusesOf = async (service: MenuService, id = 'REST000007', date = WEDNESDAY) =>
  (await service.dailyMenu('welstory', id, date)).periods.map(({ status }) => status);

test('processes of one account share its one session, and so does the next start', async () => {
  await using day = await Day.start();
  const [one, two] = [await day.open(), await day.open({ WELSTORY_DEVICE_ID: 'another-device' })];
  const dates = [WEDNESDAY, '2026-11-19', '2026-11-20'];
  const read = (service: MenuService, ids: readonly string[]) =>
    Promise.all(ids.flatMap((id) => dates.map((date) => statusesOf(service, id, date))));
  const all = await Promise.all([
    read(one, ['REST000001', 'REST000002']),
    read(two, ['REST000003', 'REST000004']),
  ]);
  expect(all.flat(2)).not.toContain('failed');
  const next = await day.open();
  await read(next, ['REST000005']);
  expect(day.count()).toBe(1);
  expect(day.sandbox.stats().welstory).toMatchObject({
    refusedTokens: 0,
    refusedConcurrent: 0,
    maxInFlight: 1,
  });

  // Somebody else logs in with the account: one of them notices, logs in once, and the others use that session.
  day.sandbox.expireSessions();
  day.nowMs += 16 * MINUTE;
  const again = await Promise.all([one, two, next].map((service) => read(service, ['REST000001'])));
  expect(again.flat(2)).not.toContain('failed');
  await expect.poll(() => day.count()).toBe(2);
  day.nowMs += 16 * MINUTE;
  const last = await Promise.all(
    [one, two, next].map((service) => read(service, ['REST000001', 'REST000006'])),
  );
  expect(last.flat(2)).not.toContain('failed');
  expect(day.count()).toBe(2);
});

test('a refused account is logged in to at most 8 times in 24 hours, by all processes and starts together', async () => {
  await using day = await Day.start();
  day.sandbox.setFaults([{ fault: 'login-without-token' }]);
  const expired = { WELSTORY_PASSWORD: PASSWORD };
  const services = [await day.open(expired), await day.open(expired)];
  const startMs = day.nowMs;
  const asked = new Set<MenuService>();
  for (let step = 0; step < 36 * 6; step += 1) {
    if (step % 18 === 0) services[step % 4 === 0 ? 0 : 1] = await day.open(expired);
    const service = services[step % 2] as MenuService;
    asked.add(service);
    expect((await service.restaurants()).incomplete).toMatchObject([
      { vendor: 'welstory', reason: 'login_refused' },
    ]);
    day.count();
    day.nowMs += 10 * MINUTE;
  }
  expect(day.mostInADay).toBeLessThanOrEqual(8);
  expect(day.loginsAtMs.length).toBeGreaterThan(6);
  // Once for each start.
  expect(day.refusals).toHaveLength(asked.size);
  expect(new Set(day.refusals)).toEqual(new Set(['welstory login_refused']));

  // Also a process that has not asked yet says that a person has to act.
  for (const service of [...services, await day.open(expired)])
    expect(await welstoryOf(service)).toMatchObject({
      needsPerson: { reason: 'login_refused', since: new Date(startMs).toISOString() },
    });
  expect((await (services[0] as MenuService).health()).status).toBe('degraded');

  // The store tells that it was refused, and not with which password.
  const files = await Promise.all([day.path, `${day.path}-wal`].map((path) => readFile(path, 'latin1')));
  expect(files.some((text) => text.includes('nextLoginAtMs'))).toBe(true);
  expect(files.some((text) => text.includes(PASSWORD))).toBe(false);
});

test('logins that are answered with 503 are paused for all processes and starts together', async () => {
  await using day = await Day.start();
  day.sandbox.setFaults([{ fault: 'server-error', operator: 'welstory', path: '/login' }]);
  for (let minutes = 0; minutes < 120; minutes += 5) {
    const service = await day.open();
    expect((await service.restaurants()).incomplete).toMatchObject([{ reason: 'operator_unavailable' }]);
    day.nowMs += 5 * MINUTE;
  }
  // Four at once, then a single one after 1, 2, 5 and each further 15 minutes.
  expect(day.count()).toBeLessThanOrEqual(4 + 3 + 8);
  day.sandbox.setFaults([]);
  day.nowMs += 15 * MINUTE;
  expect((await (await day.open()).restaurants()).incomplete).toEqual([]);
});

test('other credentials are tried at once, and the refusal is over when they work', async () => {
  await using day = await Day.start();
  const wrong = await day.open({ WELSTORY_PASSWORD: 'expired' });
  await wrong.restaurants();
  expect(await welstoryOf(wrong)).toMatchObject({ needsPerson: { reason: 'login_refused' } });
  const right = await day.open();
  expect(await welstoryOf(right)).toMatchObject({ needsPerson: null });
  expect((await right.restaurants()).incomplete).toEqual([]);
  // The old process reads with the session that works.
  day.nowMs += 2 * MINUTE;
  expect((await wrong.restaurants()).incomplete).toEqual([]);
  expect(await welstoryOf(wrong)).toMatchObject({ needsPerson: null });
  expect(await statusesOf(wrong)).not.toContain('failed');
  expect(day.count()).toBe(2);
});

test('six hours of maintenance make a handful of logins, pause the whole operator, and are over within minutes', async () => {
  await using day = await Day.start();
  const services = [await day.open(), await day.open()];
  await Promise.all(services.map((service) => service.restaurants()));
  day.sandbox.setFaults([{ fault: 'maintenance', operator: 'welstory' }]);
  day.nowMs += 30 * MINUTE;
  const ids = ['REST000001', 'REST000002', 'REST000003', 'REST000004'];
  const requests = () => day.sandbox.stats().welstory.requests;
  const before = requests();
  for (let minutes = 0; minutes < 360; minutes += 4) {
    const service = services[(minutes / 4) % 2] as MenuService;
    const days = await Promise.all(ids.map((id) => service.dailyMenu('welstory', id, WEDNESDAY)));
    const codes = new Set(days.flatMap(({ periods }) => periods.map(({ error }) => error?.code)));
    expect(codes).toEqual(new Set(['operator_maintenance']));
    day.nowMs += 4 * MINUTE;
  }
  expect(day.count()).toBeLessThanOrEqual(9);
  expect(requests() - before).toBeLessThan(120);
  const health = await welstoryOf(services[0] as MenuService);
  expect(health).toMatchObject({ status: 'degraded', needsPerson: null });
  expect(health?.retrying).toContainEqual(expect.objectContaining({ reason: 'operator_maintenance' }));

  day.sandbox.setFaults([]);
  const logins = day.count();
  day.nowMs += 6 * MINUTE;
  await statusesOf(services[0] as MenuService);
  day.nowMs += 2 * MINUTE;
  expect(await statusesOf(services[1] as MenuService)).not.toContain('failed');
  expect(day.count() - logins).toBeLessThanOrEqual(1);
});
