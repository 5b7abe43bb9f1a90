import { describePostgres } from 'test-support/postgres';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { storePartsOf } from '../src/attach/source/store-parts.ts';
import { SqliteDatabase } from '../src/drivers/sqlite/database.ts';
import { attachTable } from '../src/index.ts';
import { equal } from './support/attached.ts';
import { becomes, setting } from './support/boats.ts';
import { FaultSetting, fails, failsBy, SCENARIOS, stops } from './support/fault-setting.ts';

// oxlint-disable vitest/expect-expect -- the expectations are in the setting

const PATIENT = { timeout: 60_000, interval: 20 };

describePostgres('what keeps rows of PostgreSQL from being moved', () => {
  let at: FaultSetting;

  beforeAll(async () => {
    at = await FaultSetting.make();
  }, 120_000);

  afterAll(() => at[Symbol.asyncDispose]());

  test.each([SCENARIOS.select, SCENARIOS.login])(
    '$what: it is failing, for that reason, for as long as that is so',
    (scenario) => failsBy(at, scenario),
    120_000,
  );

  test('the server is away: it is failing, for that reason, until it is back', async () => {
    await fails(
      at,
      { code: /ECONNREFUSED|08|57P/, advice: 'the server cannot be reached' },
      async () => {
        await at.gate.close();
        await at.insert();
      },
      () => at.gate.open(),
    );
  }, 120_000);

  test('a column is dropped: it is stopped, until it is there again and the table is attached', async () => {
    await at.insert();
    await stops(
      at,
      'alter table T drop column height',
      async () => {
        await at.run('alter table T add column height float8; alter table T owner to R');
        await attachTable(at.store, 'observations', at.app.source);
      },
      'column 4: gone, was height',
    );
    await equal(at);
  }, 120_000);
});

describe('what keeps rows of SQLite from being moved', () => {
  test.each([
    ['a trigger is dropped', 'drop trigger rostack_1_insert', 'rostack_1_insert'],
    ['the table has another name', 'alter table boats rename to ships', 'boats'],
    ['the table is dropped', 'drop table boats', 'is gone'],
  ])('%s: it is stopped, and the reason says so', async (_what, begin, reason) => {
    await using at = await setting();
    const mover = await at.follow();
    at.app.exec(begin);
    await vi.waitFor(() => {
      expect(mover.status).toMatchObject([{ state: 'stopped', reason: expect.stringContaining(reason) }]);
    }, PATIENT);
    expect(at.alarms[0]).toMatchObject({
      code: 'attachment_stopped',
      message: expect.stringContaining(reason),
    });
  });

  test('the file may not be written: it is failing, for that reason, until it may', async () => {
    await using at = await setting();
    const mover = await at.follow();
    const { database } = storePartsOf(at.store);
    if (!(database instanceof SqliteDatabase)) throw new TypeError('the store is not on SQLite');
    database.handle.pragma('query_only = on');
    at.app.exec(`insert into boats (id, name) values (1, 'Ara')`);
    await vi.waitFor(() => {
      expect(mover.status).toMatchObject([{ state: 'failing', fault: { code: 'SQLITE_READONLY' } }]);
      expect(mover.status[0]?.fault?.failures).toBeGreaterThan(1);
    }, PATIENT);
    expect(mover.status[0]?.fault?.advice).toContain('the file may not be written');
    expect(mover.status[0]?.oldestUnmovedMs).toBeGreaterThan(0);
    database.handle.pragma('query_only = off');
    await becomes(at.store, [{ id: '1', name: 'Ara', length: null }]);
    await vi.waitFor(() => expect(mover.status).toMatchObject([{ state: 'following' }]), PATIENT);
    expect(at.alarms.map(({ code }) => code)).toEqual(['move_failed', 'move_resumed']);
  });
});
