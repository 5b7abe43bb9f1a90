import { Client } from 'pg';
import type { Change, Position, RecordSource } from 'rostack-core';
import { describePostgres, POSTGRES_URL } from 'test-support/postgres';
import { expect, test, vi } from 'vitest';
import { type Store, VersionConflictError } from '../src/index.ts';
import { readChain } from './support/chain.ts';
import { postgres } from './support/databases.ts';
import { executeRaw } from './support/execute-raw.ts';
import { readToHead, type State, stateAfter } from './support/log-states.ts';
import { notes, put, remove, stations } from './support/stations.ts';

const WRITERS = 8;
const ROUNDS = 20;

describePostgres('eight writers on connections of their own', () => {
  test('positions are dense and in commit order, nothing is lost or inverted, chains are exact', {
    timeout: 300_000,
  }, async () => {
    await using database = postgres();
    await using reader = await database.open({ resources: [stations, notes] });
    await using stack = new AsyncDisposableStack();
    const writers: Store[] = [];
    for (let writer = 0; writer < WRITERS; writer += 1) {
      const options = { resources: [stations, notes], maxConnections: 3, retention: { intervalMs: 0 } };
      writers.push(stack.use(await database.open(options)));
    }
    await reader.apply([put({ id: 'counter', height: 0 })]);
    const source = reader.source('stations');
    const writersDone = new AbortController();
    const tailed: Change[] = [];
    const tailing = (async () => {
      while (!writersDone.signal.aborted || (tailed.at(-1)?.position ?? 0) < (await source.head()).position) {
        tailed.push(...(await source.read(tailed.at(-1)?.position ?? 0, 50)));
      }
    })();
    const snapshots = new Map<Position, [string, string][]>();
    const paging = (async () => {
      while (!writersDone.signal.aborted) {
        const { position: at } = await source.head();
        const records = await readChain(source, { at, sort: [], limit: 4 });
        snapshots.set(
          at,
          records.map(({ id, body }) => [id, body]),
        );
      }
    })();
    const acknowledged = await Promise.all(writers.map(write));
    writersDone.abort();
    await Promise.all([tailing, paging]);

    const log = await readToHead(source, 0);
    expect(log.map(({ position }) => position)).toEqual(log.map((_, index) => index + 1));
    expect(tailed).toEqual(log);
    for (const results of acknowledged) {
      const positions = results.map(({ position }) => position);
      expect(positions).toEqual(positions.toSorted((a, b) => a - b));
      for (const { position, version, id } of results) {
        expect(log[position - 1]).toMatchObject({ position, version, id });
      }
    }
    const counts = log.filter(({ id }) => id === 'counter').map(({ after }) => heightOf(after));
    expect(counts).toEqual(counts.map((_, index) => index));
    expect(counts).toHaveLength(WRITERS * ROUNDS + 1);

    const states = statesOf(log);
    expect(snapshots.size).toBeGreaterThan(5);
    for (const [at, records] of snapshots) {
      expect([at, records]).toEqual([at, [...(states[at] ?? [])].sort(([a], [b]) => (a < b ? -1 : 1))]);
    }
  });
});

describePostgres('a batch of several resources', () => {
  const batch = [put({ id: 'a', height: 1 }), { resource: 'notes', op: 'put', record: { id: 'n' } } as const];

  test.each([
    ['as they are defined', batch],
    ['the other way round', batch.toReversed()],
  ])('locks them in the order of their names, so that no two deadlock: %s', async (_order, changes) => {
    await using database = postgres();
    await using store = await database.open({ resources: [stations, notes], writeTimeoutMs: 20_000 });
    // The row of the notes is behind that of the stations now, where the server finds it second.
    await store.apply([{ resource: 'notes', op: 'put', record: { id: 'first' } }]);
    const other = new Client(POSTGRES_URL);
    await other.connect();
    try {
      await other.query(`begin; select from ${database.schema}.head where name = 'stations' for update`);
      const applied = store.apply(changes);
      await vi.waitFor(async () => {
        const waiting = `select from pg_stat_activity where application_name = '${database.schema}' and wait_event_type = 'Lock'`;
        expect((await other.query(waiting)).rowCount).toBe(1);
      });
      await expect(
        executeRaw(database, `select from head where name = 'notes' for update nowait`),
      ).rejects.toMatchObject({ code: '55P03' });
      await other.query('commit');
      expect(await applied).toHaveLength(2);
    } finally {
      await other.end();
    }
  });
});

interface Acknowledged {
  readonly id: string;
  readonly position: Position;
  readonly version: string;
}

/** Random writes to few records, and increments of one counter that all writers contend for. */
async function write(store: Store, writer: number): Promise<Acknowledged[]> {
  const acknowledged: Acknowledged[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = `s${(writer * 7 + round * 3) % 10}`;
    const results = await store.apply([
      { resource: 'notes', op: 'put', record: { id: `n${round % 3}`, writer, round } },
      (writer + round) % 5 === 0 ? remove(id) : put({ id, height: writer * 1_000 + round }),
    ]);
    for (const { resource, changed, position, version } of results) {
      if (resource === 'stations' && changed && position !== undefined && version !== undefined) {
        acknowledged.push({ id, position, version });
      }
    }
    acknowledged.push(await increment(store));
  }
  return acknowledged;
}

async function increment(store: Store): Promise<Acknowledged> {
  const source: RecordSource = store.source('stations');
  for (;;) {
    const found = await source.get('counter');
    if (typeof found !== 'object') throw new Error('the counter is gone');
    const counter = put(
      { id: 'counter', height: heightOf(found.body) + 1 },
      { expectedVersion: found.version },
    );
    try {
      const [result] = await store.apply([counter]);
      return { id: 'counter', position: result?.position ?? 0, version: result?.version ?? '' };
    } catch (error) {
      if (!(error instanceof VersionConflictError)) throw error;
    }
  }
}

function heightOf(body: string | undefined): number {
  return (JSON.parse(body ?? '{}') as { height: number }).height;
}

/** The state at each position. */
function statesOf(log: readonly Change[]): State[] {
  const states: State[] = [new Map()];
  for (const change of log) states.push(stateAfter(states.at(-1), change));
  return states;
}
