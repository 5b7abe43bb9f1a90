import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import type { Change } from 'rostack-core';
import { seededNumbers } from 'test-support/seeded-random';
import { testRuns } from 'test-support/test-runs';
import { expect, test, vi } from 'vitest';
import { attachTable, type TableSource } from '../src/index.ts';
import { recordsOf } from './support/attached.ts';
import { sqliteFile } from './support/databases.ts';
import { readToHead } from './support/log-states.ts';
import { MoverChild } from './support/mover-child.ts';
import { observations } from './support/observations.ts';

const KEYS = 40;
const ROUNDS = testRuns(2);
const TRANSACTIONS = 120;
const source: TableSource = {
  table: 'observations',
  key: 'id',
  columns: ['station', 'height', 'amount', { column: 'rev', member: 'revision' }],
};

/** What the shell of SQLite does, with the SQLite of Node. */
const NODE_SHELL = `
  const { DatabaseSync } = require('node:sqlite');
  const database = new DatabaseSync(process.argv[1], { timeout: 20_000 });
  database.exec(require('node:fs').readFileSync(0, 'utf8'));
  database.close();`;

/** A connection of some application; each call is one transaction, which may be rolled back. */
type Writer = (statements: readonly string[], isUndone: boolean) => void;

function writersOf(file: string): { readonly writers: readonly Writer[]; readonly close: () => void } {
  const [recursive, plain] = [new Sqlite(file, { timeout: 20_000 }), new Sqlite(file, { timeout: 20_000 })];
  recursive.pragma('recursive_triggers = on');
  const script = (statements: readonly string[], isUndone: boolean) =>
    ['begin immediate', ...statements, isUndone ? 'rollback' : 'commit', ''].join(';\n');
  const writers: Writer[] = [
    (statements, isUndone) => void recursive.exec(script(statements, isUndone)),
    (statements, isUndone) => void plain.exec(script(statements, isUndone)),
  ];
  // Another library of SQLite is only safe in a process of its own.
  const isShell = hasShell();
  const [program = '', ...options] = isShell
    ? ['sqlite3', '-bail', file]
    : [process.execPath, '--no-warnings', '-e', NODE_SHELL, file];
  writers.push((statements, isUndone) => {
    const busy = isShell ? '.timeout 20000\n' : '';
    const input = `${busy}${script(statements, isUndone)}`;
    execFileSync(program, options, { input, stdio: ['pipe', 'ignore', 'inherit'] });
  });
  return { writers, close: () => [recursive, plain].forEach((connection) => connection.close()) };
}

/** Whether SQLite's own shell is there. */
function hasShell(): boolean {
  try {
    execFileSync('sqlite3', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

test(
  'applications write while movers are killed: each batch leaves a committed state, the last one the table',
  async () => {
    const random = seededNumbers();
    const below = (limit: number) => Math.floor(random() * limit);
    await using database = sqliteFile();
    await using store = await database.open({ resources: [observations], retention: { intervalMs: 0 } });
    const { writers, close } = writersOf(database.file);
    await using stack = new AsyncDisposableStack();
    stack.defer(close);
    const app = new Sqlite(database.file, { timeout: 20_000 });
    stack.defer(() => void app.close());
    app.exec(`create table observations (id int primary key, station text not null unique, secret text, height real,
      amount real, rev int not null);
    create trigger cascade after update of station on observations when new.station like 'cascade%'
      begin update observations set height = coalesce(height, 0) + 1 where id = new.id + 1; end;
    insert into observations (id, station, rev) values (1, 's1', 0)`);
    const states = new Set<string>();
    /** The state of the table now. */
    const keep = (): string => {
      const rows = app.prepare<[], Record<string, unknown>>('select * from observations').all();
      const records = rows.map(({ id, station, height, amount, rev }) =>
        JSON.stringify({
          id: String(id),
          station,
          height,
          ...(amount !== null && { amount }),
          revision: rev,
        }),
      );
      const state = records.toSorted().join('\n');
      states.add(state);
      return state;
    };
    keep();
    await attachTable(store, 'observations', source);
    const childOf = () => new MoverChild(database, { source });
    let [leader, standby] = [childOf(), childOf()];
    stack.defer(() => Promise.all([leader.kill(), standby.kill()]).then(() => {}));
    await vi.waitFor(() => expect(leader.leads || standby.leads).toBe(true), { timeout: 30_000 });
    await vi.waitFor(async () => expect(await recordsOf(store)).toHaveLength(1));

    let revision = 0;
    const statement = (): string => {
      revision += 1;
      const [id, other] = [1 + below(KEYS), 1 + below(KEYS)];
      switch (below(10)) {
        case 0:
        case 1:
          return `insert or replace into observations (id, station, height, rev) values (${id}, 's${other}', ${below(1000) / 8}, ${revision})`;
        case 2:
          return `insert into observations (id, station, rev) values (${id}, 't${id}', ${revision}) on conflict do nothing`;
        case 3:
          return `insert into observations (id, station, amount, rev) values (${id}, 'u${other}-${revision}', ${below(99)}.5, ${revision})
          on conflict (id) do update set amount = excluded.amount, rev = excluded.rev`;
        case 4:
          return `update or replace observations set station = 's${other}', rev = ${revision} where id = ${id}`;
        case 5:
          return `update or replace observations set id = ${other}, rev = ${revision} where id = ${id}`;
        case 6:
          return `update or ignore observations set station = 'cascade${revision}', rev = ${revision} where id = ${id}`;
        case 7:
          return `delete from observations where id = ${id}`;
        case 8:
          return `update observations set secret = 'nobody sees this' where id % 3 = ${below(3)}`;
        default:
          return below(4) === 0
            ? 'delete from observations'
            : `update observations set height = height + 1, rev = ${revision} where id % 5 = ${below(5)}`;
      }
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      for (let left = TRANSACTIONS; left > 0; left -= 1) {
        const write = writers[below(writers.length * 5)] ?? writers[below(2)];
        write?.(Array.from({ length: 1 + below(4) }, statement), below(6) === 0);
        keep();
        if (below(3) === 0) await delay(below(20));
      }
      if (standby.leads) [leader, standby] = [standby, leader];
      await leader.kill();
      leader = childOf();
    }

    await vi.waitFor(
      async () => {
        expect(app.prepare('select count(*) from inbox_1').pluck().get()).toBe(0);
        const records = await recordsOf(store);
        const last = [...records].map(([, record]) => JSON.stringify(record)).toSorted();
        expect(last.join('\n')).toBe(keep());
      },
      { timeout: 30_000, interval: 200 },
    );
    const log = await readToHead(store.source('observations'), 0, 1_000);
    expect(log.map(({ position }) => position)).toEqual(log.map((_, index) => index + 1));
    expect(log.length).toBeGreaterThan(ROUNDS * 20);
    const state = new Map<string, string>();
    for (const batch of Map.groupBy(log, ({ tag }) => tag).values()) {
      for (const change of batch) replay(state, change);
      expect(states).toContain([...state.values()].toSorted().join('\n'));
    }
  },
  60_000 + ROUNDS * 60_000,
);

function replay(state: Map<string, string>, { id, after }: Change): void {
  if (after === undefined) state.delete(id);
  else state.set(id, after);
}
