import { describePostgres } from 'test-support/postgres';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { attachTable, readQuarantine, startMover } from '../src/index.ts';
import { equal, following, QUICK } from './support/attached.ts';
import { becomes, boats, setting, source } from './support/boats.ts';
import { postgres } from './support/databases.ts';
import { FaultSetting, fails, failsBy, SCENARIOS, stops } from './support/fault-setting.ts';
import { MoverChild } from './support/mover-child.ts';
import { appTable, observations } from './support/observations.ts';

// oxlint-disable vitest/expect-expect -- the expectations are in the setting

const PATIENT = { timeout: 60_000, interval: 20 };

describePostgres('what keeps rows of PostgreSQL from being moved', () => {
  let at: FaultSetting;

  beforeAll(async () => {
    at = await FaultSetting.make();
  }, 120_000);

  afterAll(() => at[Symbol.asyncDispose]());

  const { usage, store, inbox, table, connections } = SCENARIOS;
  test.each([usage, store, inbox, table, connections])(
    '$what: it is failing, for that reason, for as long as that is so',
    (scenario) => failsBy(at, scenario),
    120_000,
  );

  test('the network loses everything: it is failing, for that reason, until it does not', async () => {
    await fails(
      at,
      { code: /ETIMEDOUT|ECONN/, advice: 'the server cannot be reached' },
      async () => {
        at.gate.mute();
        await at.insert();
      },
      async () => {
        await at.gate.close();
        await at.gate.open();
      },
    );
  }, 120_000);

  test('the quarantine may not be written: a row that is refused makes it failing, for that reason', async () => {
    await fails(
      at,
      { code: /42501/, advice: 'a privilege is missing' },
      async () => {
        await at.run(`revoke insert on S.quarantine from R`);
        await at.app.query(`insert into ${at.app.table} (id, station) values (900, repeat('x', 101))`);
      },
      async () => {
        await at.run(`grant insert on S.quarantine to R`);
        await vi.waitFor(
          async () => expect(await readQuarantine(at.store, 'observations')).toMatchObject({ rows: 1 }),
          PATIENT,
        );
        await at.app.query(`delete from ${at.app.table} where id = 900`);
      },
    );
  }, 120_000);

  test.each([
    [
      'a trigger is disabled',
      'alter table T disable trigger all',
      'alter table T enable trigger user',
      'trigger',
    ],
    [
      'the table has another name',
      'alter table T rename to elsewhere',
      'alter table A.elsewhere rename to observations',
      'name: ',
    ],
  ])(
    '%s: it is stopped until that is taken back',
    async (_what, begin, over, reason) => {
      const [trigger] = await at.app.query(
        `select tgname from pg_trigger where tgrelid = '${at.app.table}'::regclass and tgenabled = 'O' limit 1`,
      );
      const one = (text: string) =>
        text.replace(/trigger (?:all|user)/, `trigger ${String(trigger?.['tgname'])}`);
      await stops(at, one(begin), () => at.run(one(over)), reason);
      await equal(at);
    },
    120_000,
  );

  test('the table is dropped: it is stopped, until it is there again and is attached', async () => {
    const { table: name, source: of } = at.app;
    await stops(
      at,
      `create table A.copy (like T including all); drop table T`,
      async () => {
        await at.run('alter table A.copy rename to observations; alter table T owner to R');
        await attachTable(at.store, 'observations', of);
      },
      `${name} is gone`,
    );
    await equal(at);
  }, 120_000);
});

describePostgres('a leader that is killed', () => {
  test('what waits meanwhile is told by the others, which go on within seconds, without an alarm', async () => {
    await using database = postgres();
    await using app = await appTable(database);
    const alarms: string[] = [];
    await using store = await database.open({
      resources: [observations],
      onAlarm: ({ code }) => alarms.push(code),
    });
    await attachTable(store, 'observations', app.source);
    await using leader = new MoverChild(database, app);
    await leader.leading();
    await using mover = startMover(store, { observations: app.source }, QUICK);
    await leader.kill();
    await app.query(`insert into ${app.table} (id, station) values (1, 'late')`);
    const told: string[] = [];
    await vi.waitFor(() => {
      const [status] = mover.status;
      if (status?.state === 'standby' && status.oldestUnmovedMs > 0) told.push(status.state);
      expect(status?.state).toBe('following');
    }, PATIENT);
    expect(told).toContain('standby');
    await equal({ app, store });
    await vi.waitFor(() => expect(mover.status[0]?.oldestUnmovedMs).toBe(0), PATIENT);
    expect(alarms).toEqual([]);
  }, 120_000);
});

test('a table of SQLite whose file is locked is failing, for that reason, until it is not', async () => {
  await using at = await setting();
  await using store = await at.database.open({ resources: [boats], writeTimeoutMs: 500 });
  await attachTable(store, 'boats', source);
  await using mover = startMover(store, { boats: source }, QUICK);
  await following(mover);
  at.app.exec(`insert into boats (id, name) values (1, 'Ara')`);
  await becomes(store, [{ id: '1', name: 'Ara', length: null }]);
  // In one go, so that the mover has no time in between.
  at.app.exec(`insert into boats (id, name) values (2, 'Bada'); begin immediate`);
  await vi.waitFor(() => {
    expect(mover.status).toMatchObject([{ state: 'failing', fault: { code: 'SQLITE_BUSY' } }]);
    expect(mover.status[0]?.fault?.advice).toContain('end the transaction that locks the file');
  }, PATIENT);
  at.app.exec('commit');
  await becomes(store, [
    { id: '1', name: 'Ara', length: null },
    { id: '2', name: 'Bada', length: null },
  ]);
  await vi.waitFor(() => expect(mover.status).toMatchObject([{ state: 'following' }]), PATIENT);
}, 120_000);
