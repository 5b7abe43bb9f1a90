import { Client } from 'pg';
import type { Change } from 'rostack-core';
import { describePostgres, POSTGRES_URL } from 'test-support/postgres';
import { expect, test, vi } from 'vitest';
import { startMover } from '../src/index.ts';
import { attached, equal, following, QUICK, recordsOf } from './support/attached.ts';

import { readToHead } from './support/log-states.ts';
import type { AppTable } from './support/observations.ts';
import { SCENARIOS, type Scenario } from './support/scenarios.ts';

const named = (text: string, { schema, table }: AppTable) =>
  text.replaceAll(/\bT\b/g, table).replaceAll(/\bS\b/g, schema);

/** Ten rows, attached; what is captured from now on waits until `followed`. */
async function captured(prepare = '') {
  const found = await attached(undefined, {}, (app) =>
    app.query(
      named(`insert into T (id, station) select i, 'first' from generate_series(1, 10) i; ${prepare}`, app),
    ),
  );
  await found.mover.close();
  const { app, database, store } = found;
  const query = (text: string) => app.query(named(text, app));
  const inbox = () =>
    app.query(`select kind, size from ${database.schema}.inbox_1 order by noted`) as Promise<
      { kind: string; size: number }[]
    >;
  /** After one of them the table is read again, which hides what was not captured. */
  const failures = async () => (await inbox()).filter(({ kind }) => kind === 'e');
  const followed = async () => {
    await using mover = startMover(store, { observations: app.source }, QUICK);
    await following(mover);
    await equal(found);
    const state = new Map<string, unknown>();
    for (const change of await readToHead(store.source('observations'), 0, 1_000)) replay(state, change);
    expect([...state].sort(([a], [b]) => (a < b ? -1 : 1))).toEqual(await recordsOf(store));
    expect(found.alarms).toEqual([]);
  };
  return { ...found, query, inbox, failures, followed };
}

function replay(state: Map<string, unknown>, { id, after }: Change): void {
  if (after === undefined) state.delete(id);
  else state.set(id, JSON.parse(after));
}

describePostgres('what is captured', () => {
  const ways: readonly (readonly [string, (scenario: Scenario) => readonly string[]])[] = [
    ['in one message', ({ statements }) => [['begin', ...statements, 'commit'].join('; ')]],
    ['in a message per statement', ({ statements }) => ['begin', ...statements, 'commit']],
  ];
  for (const [way, messagesOf] of ways) {
    test.for(SCENARIOS)(`${way}: $name: the log replays to the table`, async (scenario, { skip }) => {
      await using found = await captured(scenario.prepare);
      const [server] = (await found.query('show server_version_num')) as { server_version_num: string }[];
      skip(Number(server?.server_version_num) < (scenario.since ?? 0) * 10_000, 'not in this PostgreSQL');
      for (const message of messagesOf(scenario)) await found.query(message);
      expect(await found.failures()).toEqual([]);
      await found.followed();
    });
  }

  test('a statement without rows leaves nothing, one of many rows a few rows of the inbox', async () => {
    await using found = await captured();
    const { query, inbox } = found;
    await query(`update T set height = 1 where id < 0`);
    await query(`delete from T where id < 0`);
    await query(`insert into T select * from T where false`);
    expect(await inbox()).toEqual([]);
    await query(`insert into T (id, station) select i, 'many' from generate_series(1001, 1450) i`);
    await query(`delete from T where id > 1000 and id <= 1200`);
    await query(`delete from T where id > 1249`);
    await query(`update T set height = 2 where id = 1`);
    expect((await inbox()).map(({ size }) => size)).toEqual([200, 200, 50, 200, 200, 1, 1]);
    await found.followed();
  });

  test('triggers read no table of the application, nested or not, and whatever becomes of keys', async () => {
    await using found = await captured();
    const { app, query } = found;
    /** How often a message looked at the table. */
    const scansOf = async (message: string) => {
      const count = async () => {
        const [row] = await query(
          `select (seq_scan + idx_scan)::int as scans from pg_stat_xact_user_tables where relid = '${app.table}'::regclass`,
        );
        return Number(row?.['scans']);
      };
      const before = await count();
      await query(message);
      return (await count()) - before;
    };
    await query('begin');
    for (const rows of ['= 1', '< 6', '> 0']) {
      expect(
        await scansOf(
          `insert into T (id, station) select i * 1000, 'new' from generate_series(1, 10) i where i ${rows}`,
        ),
      ).toBe(0);
      expect(await scansOf(`update T set height = 1 where id < 11 and id ${rows}`)).toBe(1);
      expect(await scansOf(`delete from T where id > 11`)).toBe(1);
    }
    expect(
      await scansOf(`insert into T (id, station) values (11, 'one'); update T set height = 1 where id = 11`),
    ).toBe(1);
    expect(await scansOf(`update T set id = 12 where id = 11`)).toBe(1);
    await query('commit');
    await found.followed();
  });

  test('serializable transactions that insert neighbouring keys do not fail each other', async () => {
    await using found = await captured();
    const clients = [new Client(POSTGRES_URL), new Client(POSTGRES_URL)];
    await Promise.all(clients.map((client) => client.connect()));
    try {
      for (const client of clients) await client.query('begin isolation level serializable');
      for (const id of [100, 102]) {
        for (const [index, client] of clients.entries()) {
          await client.query(`insert into ${found.app.table} (id, station) values (${id + index}, 'one')`);
        }
      }
      for (const client of clients) await client.query('commit');
    } finally {
      await Promise.all(clients.map((client) => client.end()));
    }
    expect(await found.inbox()).toHaveLength(4);
    await found.followed();
  });

  test('rows are found by the index when they are moved, however small the table was at first', async () => {
    await using found = await captured();
    const { app, query } = found;
    await query(`vacuum analyze T`);
    const lookups = async () => {
      const [row] = await query(
        `select idx_scan::int as count from pg_stat_user_tables where relid = '${app.table}'::regclass`,
      );
      return Number(row?.['count']);
    };
    const before = await lookups();
    await query(`insert into T (id, station) values (11, 'one'), (12, 'two')`);
    await using _mover = startMover(found.store, { observations: app.source }, QUICK);
    await vi.waitFor(async () => expect(await lookups()).toBeGreaterThanOrEqual(before + 2), {
      timeout: 30_000,
    });
  });
});
