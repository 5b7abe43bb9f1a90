import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Change, Position } from 'rostack-core';
import { describePostgres } from 'test-support/postgres';
import { seededNumbers } from 'test-support/seeded-random';
import { testRuns } from 'test-support/test-runs';
import { describe, expect, test } from 'vitest';
import { type Store, StoreUnavailableError } from '../src/index.ts';
import { type App, type AppWork, postgresWays, SQLITE_WAYS, type Way } from './support/app-connections.ts';
import { readChain } from './support/chain.ts';
import type { TestDatabase } from './support/databases.ts';
import { readToHead, type State, stateAfter } from './support/log-states.ts';
import { notes, put, remove, stations } from './support/stations.ts';

const resources = [stations, notes];
const WRITERS = 3;
const TRANSACTIONS = 25;
const KILLS = testRuns(1);
/** For a process to start and be killed, on a busy machine. */
const KILL_TIMEOUT_MS = 60_000;
const PROGRAM = fileURLToPath(new URL('./support/within-process.ts', import.meta.url));

type Below = (limit: number) => number;

/** Thrown by an application that changes its mind. */
class Undone extends Error {}

/** Keeps the table `own` and the resource equal, in random transactions; some are rolled back, as a whole or to a savepoint. */
async function runWriter(app: App, store: Store, below: Below): Promise<void> {
  for (let left = TRANSACTIONS; left > 0; ) {
    try {
      await app.transaction((at) => randomTransaction(at, store, below));
      left -= 1;
    } catch (error) {
      if (error instanceof Undone) left -= 1;
      else if (!isLost(error)) throw error;
      await delay(1 + below(5));
    }
    await delay(0);
  }
}

async function randomTransaction(at: AppWork, store: Store, below: Below): Promise<void> {
  for (let left = 1 + below(3); left > 0; left -= 1) {
    const isNested = below(3) === 0;
    if (isNested) await at.execute('savepoint mine');
    const id = `own-${below(12)}`;
    const height = below(4) === 0 ? undefined : below(5);
    const changes = [
      height === undefined ? remove(id) : put({ id, height }),
      { resource: 'notes', op: 'put', record: { id: `n${below(3)}`, at: below(100) } } as const,
    ];
    if (below(2) === 0) {
      await at.write(id, height);
      await at.apply(store, changes);
    } else {
      await at.apply(store, changes.toReversed());
      await at.write(id, height);
    }
    if (isNested && below(2) === 0) await at.execute('rollback to savepoint mine');
    if (isNested) await at.execute('release savepoint mine');
  }
  if (below(5) === 0) throw new Undone();
}

/** What an application repeats: SQLite was busy, PostgreSQL found a deadlock. */
function isLost(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const message = error instanceof Error ? error.message : '';
  return code.startsWith('SQLITE_BUSY') || message.includes('database is locked') || code === '40P01';
}

/** Changes of the store's own, to other records of the same resource. */
async function runOthers(store: Store, done: AbortSignal, below: Below): Promise<void> {
  while (!done.aborted) {
    const id = `other-${below(5)}`;
    await store.apply([below(3) === 0 ? remove(id) : put({ id, height: below(100) })]).catch((error) => {
      if (!(error instanceof StoreUnavailableError)) throw error;
    });
    await delay(below(4));
  }
}

function suite({ create, connect }: Way): void {
  test('commits and rollbacks among other writers and readers: log, pages and rows agree', async () => {
    const random = seededNumbers();
    const below: Below = (limit) => Math.floor(random() * limit);
    await using database = create();
    await using store = await database.open({ resources, retention: { intervalMs: 0 } });
    await using stack = new AsyncDisposableStack();
    const apps: App[] = [];
    for (let writer = 0; writer < WRITERS; writer += 1) apps.push(stack.use(await connect(database)));
    const source = store.source('stations');
    const done = new AbortController();
    const tailed: Change[] = [];
    const tailing = (async () => {
      while (!done.signal.aborted || (tailed.at(-1)?.position ?? 0) < (await source.head()).position) {
        tailed.push(...(await source.read(tailed.at(-1)?.position ?? 0, 7)));
        await delay(2);
      }
    })();
    const snapshots = new Map<Position, readonly (readonly [string, string])[]>();
    const paging = (async () => {
      while (!done.signal.aborted) {
        const { position: at } = await source.head();
        const records = await readChain(source, { at, sort: [], limit: 4 });
        snapshots.set(
          at,
          records.map(({ id, body }) => [id, body]),
        );
        await delay(2);
      }
    })();
    const appsDone = new AbortController();
    const others = runOthers(store, appsDone.signal, below);
    try {
      await Promise.all(apps.map((app) => runWriter(app, store, below)));
      appsDone.abort();
      await others;
    } finally {
      appsDone.abort();
      done.abort();
    }
    await Promise.all([tailing, paging]);

    const log = await readToHead(source, 0);
    expect(log.map(({ position }) => position)).toEqual(log.map((_, index) => index + 1));
    expect(tailed).toEqual(log);
    const states: State[] = [new Map()];
    for (const change of log) states.push(stateAfter(states.at(-1), change));
    expect(snapshots.size).toBeGreaterThan(5);
    for (const [at, records] of snapshots) {
      expect([at, records]).toEqual([at, [...(states[at] ?? [])].toSorted(byId)]);
    }
    const own = [...(states.at(-1) ?? [])].filter(([id]) => id.startsWith('own-')).toSorted(byId);
    const rows = await apps[0]?.rows();
    expect(own.map(([id, body]) => [id, (JSON.parse(body) as { height: number }).height])).toEqual(rows);
    expect(new Set(log.map(({ tag }) => tag)).size).toBeGreaterThan(TRANSACTIONS);
  }, 120_000);
}

function killSuite({ create, connect }: Way): void {
  test(`${KILLS} times SIGKILL: rows and records are the same, what was acknowledged is there`, {
    timeout: KILL_TIMEOUT_MS * (KILLS + 1),
  }, async () => {
    const random = seededNumbers();
    await using database = create();
    await using app = await connect(database);
    const acknowledged: string[] = [];
    for (let round = 0; round < KILLS; round += 1) {
      acknowledged.push(
        ...(await writeUntilKilled(database, round, {
          afterWrites: 2 + Math.floor(random() * 30),
          andMs: random() * 10,
        })),
      );
      await using store = await database.open({ resources: [stations], retention: { intervalMs: 0 } });
      // A server may take a moment to see that a client is gone; it then rolls back, or has committed.
      await store.apply([put({ id: 'after', height: round })]);
      const log = await readToHead(store.source('stations'), 0, 1_000);
      expect(log.map(({ position }) => position)).toEqual(log.map((_, index) => index + 1));
      const ids = log.map(({ id }) => id).filter((id) => id !== 'after');
      expect(ids.toSorted()).toEqual((await app.rows()).map(([id]) => id));
      expect(ids).toEqual(expect.arrayContaining(acknowledged));
    }
    expect(acknowledged.length).toBeGreaterThan(KILLS);
  });
}

interface Moment {
  /** A number of acknowledgements, not a time: on a busy machine there may be none in any time. */
  readonly afterWrites: number;
  readonly andMs: number;
}

async function writeUntilKilled(
  database: TestDatabase,
  round: number,
  { afterWrites, andMs }: Moment,
): Promise<string[]> {
  const { url, schema } = database;
  const child = spawn(
    process.execPath,
    ['--conditions=workspace-source', PROGRAM, url, schema, String(round)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let printed = '';
  let timer: NodeJS.Timeout | undefined;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    if (printed.split('\n').length <= afterWrites) return;
    timer ??= setTimeout(() => child.kill('SIGKILL'), andMs);
  });
  await once(child, 'close');
  return printed.split('\n').slice(0, -1);
}

function byId([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

describe.each(SQLITE_WAYS)('applyWithin: $name', (way) => {
  suite(way);
});
describe.each(SQLITE_WAYS.slice(0, 1))('applyWithin in a process that is killed: $name', (way) => {
  killSuite(way);
});

describePostgres('applyWithin', () => {
  describe.each(postgresWays())('$name', (way) => {
    suite(way);
  });
  describe.each(postgresWays().slice(0, 1))('in a process that is killed: $name', (way) => {
    killSuite(way);
  });
});
