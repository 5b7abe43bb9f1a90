import { describePostgres } from 'test-support/postgres';
import { expect, test, vi } from 'vitest';
import { attachTable, type Mover, type MoverStatus, startMover } from '../src/index.ts';
import { setting } from './support/boats.ts';
import { postgres } from './support/databases.ts';
import { appTable, observations } from './support/observations.ts';

const ROWS = 30_000;

/** What the mover tells until the table is copied, as often as it can be seen. */
async function toldWhileLoading(mover: Mover): Promise<readonly MoverStatus[]> {
  const told: MoverStatus[] = [];
  await vi.waitFor(
    () => {
      const [status] = mover.status;
      if (status?.state === 'loading') told.push(status);
      expect(status?.state).toBe('following');
    },
    { timeout: 60_000, interval: 5 },
  );
  return told;
}

describePostgres('while a table of PostgreSQL is copied', () => {
  test.each([
    [5_000, 5_000, 5_000],
    // Nothing has counted the rows: the server tells about how many there are.
    [ROWS, ROWS / 2, ROWS * 2],
  ])('of %i rows, it is told how many have been, and about how many there are', async (rows, least, most) => {
    await using database = postgres();
    await using app = await appTable(database);
    await app.query(
      `insert into ${app.table} (id, station) select i, 's' from generate_series(1, ${rows}) i`,
    );
    await using store = await database.open({ resources: [observations] });
    await attachTable(store, 'observations', app.source);
    await using mover = startMover(store, { observations: app.source });
    const told = await toldWhileLoading(mover);
    expect(told.length).toBeGreaterThan(0);
    for (const { estimatedRows, loadedRows } of told) {
      expect(estimatedRows).toBeGreaterThanOrEqual(least);
      expect(estimatedRows).toBeLessThanOrEqual(most);
      expect(loadedRows).toBeLessThanOrEqual(rows);
    }
    expect(mover.status).toMatchObject([{ loadedRows: rows, estimatedRows: undefined }]);
  });
});

test.each([
  ['by a rowid', 'create table boats (id integer primary key, name text not null, length_m real)'],
  [
    'without one',
    'create table boats (id integer not null primary key, name text not null, length_m real) without rowid',
  ],
])('while a table of SQLite is copied, %s, the same', async (kind, ddl) => {
  await using at = await setting(ddl);
  const { app, store } = at;
  app.exec(
    `insert into boats (id, name) with recursive n (i) as (select 1 union all select i + 1 from n where i < ${ROWS}) select i, 's' from n`,
  );
  await at.attach();
  await using mover = startMover(store, {
    boats: { table: 'boats', key: 'id', columns: ['name', { column: 'length_m', member: 'length' }] },
  });
  const told = await toldWhileLoading(mover);
  expect(told.length).toBeGreaterThan(0);
  const expected = kind === 'by a rowid' ? ROWS : undefined;
  for (const { estimatedRows } of told) expect(estimatedRows).toBe(expected);
  expect(mover.status).toMatchObject([{ loadedRows: ROWS, estimatedRows: undefined }]);
});
