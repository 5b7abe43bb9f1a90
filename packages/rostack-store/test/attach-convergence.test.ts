import { setTimeout as delay } from 'node:timers/promises';
import type { Change } from 'rostack-core';
import { describePostgres } from 'test-support/postgres';
import { seededNumbers } from 'test-support/seeded-random';
import { testRuns } from 'test-support/test-runs';
import { expect, test, vi } from 'vitest';
import { attachTable } from '../src/index.ts';
import { runAppWriter, type WriterCounts } from './support/app-writer.ts';
import { readChain } from './support/chain.ts';
import { postgres } from './support/databases.ts';
import { readToHead, type State } from './support/log-states.ts';
import { MoverChild } from './support/mover-child.ts';
import { type AppTable, appTable, backlogOf, observations } from './support/observations.ts';

const WRITERS = 16;
/** What the writers commit at least while leaders are killed. */
const MIN_COMMITS = testRuns(250);
const KILL_EVERY_MS = 900;
const MIN_KILLS = testRuns(2);

/** Changes other rows of the statement that fired it, from inside of it. */
function cascadeSql({ schema, table }: AppTable): string {
  return `create function ${schema}.cascade() returns trigger language plpgsql as $$
    begin
      if pg_trigger_depth() = 1 and NEW.station = 'cascade' and NEW.id % 3 = 0 then
        update ${table} set station = 'nested', rev = nextval('${schema}.revision') where id = NEW.id + 1;
        delete from ${table} where id = NEW.id + 2;
        update ${table} set id = NEW.id + 2, rev = nextval('${schema}.revision') where id = NEW.id - 1;
      end if;
      -- Rows of the statement have left their keys; another row takes one of them before its own trigger has fired.
      if pg_trigger_depth() = 1 and NEW.id = OLD.id + 2000 then
        update ${table} set id = OLD.id + 1, rev = nextval('${schema}.revision') where id = OLD.id - 1
          and not exists (select from ${table} where id = OLD.id + 1);
      end if;
      return null;
    end $$;
    create trigger a_cascade after update on ${table} for each row execute function ${schema}.cascade();
    create trigger z_cascade after update on ${table} for each row execute function ${schema}.cascade();`;
}

describePostgres('sixteen writers, and leaders that are killed', () => {
  test('the log replays to exactly the table, and no record ever goes back', {
    timeout: 600_000,
  }, async () => {
    await using database = postgres();
    await using app = await appTable(database);
    await using store = await database.open({ resources: [observations] });
    await app.query(`insert into ${app.table} (id, station) select i, 'first' from generate_series(1, 40) i;
      insert into ${app.table} (id, station) select i, 'far' from generate_series(10000, 30000) i`);
    await app.query(cascadeSql(app));
    const random = seededNumbers();
    const counts: WriterCounts = { commits: 0, rollbacks: 0, conflicts: 0, truncations: 0 };
    let isOver = false;
    const writing = Array.from({ length: WRITERS }, () => runAppWriter(app, () => isOver, counts, random));
    const movers = [new MoverChild(database, app), new MoverChild(database, app)];
    await using cleanUp = new AsyncDisposableStack();
    cleanUp.defer(async () => {
      isOver = true;
      await Promise.allSettled(writing);
      await Promise.all(movers.map((mover) => mover.kill()));
    });
    expect((await attachTable(store, 'observations', app.source)).outcome).toBe('attached');
    let kills = 0;
    while (counts.commits < MIN_COMMITS || counts.truncations === 0 || kills < MIN_KILLS) {
      await delay(random() * KILL_EVERY_MS * 2);
      const leader = movers.findIndex(({ leads }) => leads);
      if (leader === -1) continue;
      await movers[leader]?.kill();
      movers[leader] = new MoverChild(database, app);
      kills += 1;
    }
    isOver = true;
    await Promise.all(writing);
    await vi.waitFor(
      async () => {
        expect(await backlogOf(database, app)).toEqual({ rows: 0, phase: 'live' });
      },
      { timeout: 30_000, interval: 100 },
    );
    expect(movers.flatMap(({ lines }) => lines.filter((line) => line.startsWith('alarm')))).toEqual([]);

    const source = store.source('observations');
    const { position } = await source.head();
    const log = await readToHead(source, 0, 1_000);
    expect(log.map((change) => change.position)).toEqual(log.map((_, index) => index + 1));
    expect(log).toHaveLength(position);
    const records = await readChain(source, { at: position, sort: [], limit: 1_000 });
    const found = records.map(({ id, body }) => [id, JSON.parse(body) as unknown]);
    expect(found).toEqual(await app.expected());
    let state: State = new Map();
    for (const change of log) state = replay(state, change);
    expect([...state].sort(([a], [b]) => (a < b ? -1 : 1))).toEqual(
      records.map(({ id, body }) => [id, body]),
    );
    expect(log.filter(goesBack)).toEqual([]);
  });
});

/** In place: the log is long. */
function replay(state: State, change: Change): State {
  const map = state as Map<string, string>;
  if (change.after === undefined) map.delete(change.id);
  else map.set(change.id, change.after);
  return map;
}

/** Every write of the application takes a greater revision, while it holds the row. */
function goesBack({ before, after }: Change): boolean {
  if (before === undefined || after === undefined) return false;
  return revisionOf(after) <= revisionOf(before);
}

function revisionOf(body: string): number {
  return (JSON.parse(body) as { revision: number }).revision;
}
