import { resolve } from 'node:path';
import { type JsonObject, parseFilter, parseSort } from 'rostack-core';
import { type Accepts, limitConstants, numbered, succeeds } from 'test-support/limit-constants';
import { describePostgres, queryPostgres } from 'test-support/postgres';
import { expect, test } from 'vitest';
import { carriedBytes } from '../src/attach/row/carried-bytes.ts';
import { readInbox } from '../src/attach/sqlite/read/read-inbox.ts';
import type { Database } from '../src/drivers/database.ts';
import { channelOf, hasChannel } from '../src/drivers/postgres/listening/channel.ts';
import { PostgresAsks } from '../src/drivers/postgres/statement/asks.ts';
import { QueryFailure } from '../src/drivers/postgres/statement/failure.ts';
import { StatementNames } from '../src/drivers/postgres/statement/statement-names.ts';
import { SqliteStatements } from '../src/drivers/sqlite/statement/statements.ts';
import {
  type ResourceDefinition,
  readQuarantine,
  type Store,
  startMover,
  type TableSource,
} from '../src/index.ts';
import { prune } from '../src/log/retention/prune.ts';
import { PAGE_LIMITS } from '../src/page/plan/page-limits.ts';
import { PathStats, planPage } from '../src/page/plan/page-plan.ts';
import { pageScope } from '../src/page/plan/page-scope.ts';
import { EARLIER_EPOCHS_NOTE, parseEarlierEpochs } from '../src/schema/epoch.ts';
import { internalsOf } from '../src/store/store-internals.ts';
import { ApplyQueue } from '../src/write/apply/apply-queue.ts';
import type { PreparedChange } from '../src/write/apply/prepare-change.ts';
import { boats, setting } from './support/boats.ts';
import { postgres, sqliteFile, sqliteMemory } from './support/databases.ts';
import { executeRaw } from './support/execute-raw.ts';
import { notes, put, stations } from './support/stations.ts';
import { takenOver } from './support/taken-over.ts';

const SOURCES = resolve(import.meta.dirname, '../src');

async function inStore<T>(
  look: (store: Store) => T | Promise<T>,
  resources: readonly ResourceDefinition[] = [stations, notes],
): Promise<T> {
  await using database = sqliteMemory();
  await using store = await database.open({ resources, retention: { intervalMs: 0 } });
  return await look(store);
}

const accepted = (record: JsonObject, resource = 'stations'): Promise<boolean> =>
  inStore((store) => succeeds(store.apply([{ resource, op: 'put', record }])));

/** Whether a mover can have an option. */
const isMoverOption = (options: Parameters<typeof startMover>[2]): Promise<boolean> =>
  inStore((store) => succeeds((async () => startMover(store, {}, options).close())()));

function nested(depth: number): JsonObject {
  let value: JsonObject = {};
  for (let level = 1; level < depth; level += 1) value = { a: value };
  return value;
}

/** By its constant: the largest size that is within the limit, and how to tell. */
const LIMITS: Readonly<Record<string, readonly [limit: number, accepts: Accepts]>> = {
  'drivers/postgres/listening/channel.ts MAX_CHANNEL_BYTES': [
    63,
    (bytes) => hasChannel('x'.repeat(bytes - channelOf('').length)),
  ],
  'write/apply/apply-queue.ts MAX_GROUPED_CHANGES': [
    2_000,
    async (changes) => {
      let transactions = 0;
      const write = async () => {
        transactions += 1;
        return { moved: [], outcomes: numbered(2).map(() => ({ results: [] })) };
      };
      const times = { nowMs: () => 0, newTag: () => 'tag' };
      const queue = new ApplyQueue({ write } as unknown as Database, times, () => {});
      const batch = (size: number): readonly PreparedChange[] => Array.from({ length: size });
      await Promise.all([queue.add(batch(1)), queue.add(batch(changes - 1))]);
      return transactions === 1;
    },
  ],
  'write/apply/prepare-change.ts MAX_FAULTS': [
    100,
    (count) =>
      inStore(async (store) => {
        const changes = numbered(count).map((index) => put({ id: `s${index}` }));
        const error = await store.apply(changes).catch((reason: unknown) => reason);
        return (error as { readonly faults: readonly unknown[] }).faults.length === count;
      }),
  ],
  'attach/row/carried-bytes.ts MAX_CARRIED_BYTES': [64 * 1_048_576, (bytes) => carriedBytes(bytes) === bytes],
  'attach/attachment/leader-lease.ts MAX_LEASE_MS': [30_000, (leaseMs) => isMoverOption({ leaseMs })],
  'attach/sqlite/read/rows.ts MAX_KEY_BYTES': [
    65_536,
    async (bytes) => {
      await using at = await setting(
        'create table boats (id text not null primary key, name text, length_m real)',
      );
      at.app.prepare('insert into boats values (?, null, null)').run('x'.repeat(bytes));
      await at.follow();
      const { rows } = await readQuarantine(at.store, 'boats');
      return rows === 1;
    },
  ],
  'attach/mover/attachment-runner.ts MAX_BATCH_ROWS': [
    2_000,
    async (rows) => {
      await using at = await setting();
      await at.attach();
      const { leader } = await takenOver(at.store, 0, boats);
      const insert = at.app.prepare('insert into boats (id, name) values (?, ?)');
      at.app.transaction(() => {
        for (const id of numbered(rows)) insert.run(id, 'a');
      })();
      expect(at.app.prepare('select count(*) from inbox_1').pluck().get()).toBe(rows);
      const batch = await readInbox(leader);
      return batch !== undefined && 'movedRows' in batch && batch.movedRows === rows;
    },
  ],
  'attach/source/table-source.ts MAX_KEY_COLUMNS': [
    32,
    (columns) =>
      inStore((store) => {
        const source: TableSource = { table: 'a', key: numbered(columns).map((index) => `k${index}`) };
        return succeeds((async () => startMover(store, { stations: source }).close())());
      }),
  ],
  'drivers/postgres/statement/asks.ts MAX_TOGETHER': [
    4,
    async (count) => {
      let connections = 0;
      const connect = () => {
        connections += 1;
        return Promise.reject(new QueryFailure(new Error('no server')));
      };
      const names = new StatementNames();
      const asks = new PostgresAsks({
        connect,
        names,
        maxConnections: 1,
        timeoutMs: 1,
        graceMs: 1,
        Query: undefined as never,
      });
      await Promise.allSettled(
        numbered(count).map(() => asks.ask({ kind: 'once', sql: '', parameters: [] })),
      );
      return connections === 1;
    },
  ],
  'drivers/sqlite/statement/statements.ts MAX_CACHED_STATEMENTS': [
    500,
    (count) => {
      const statements = new SqliteStatements({ prepare: () => ({ all: () => [], run: () => {} }) });
      const first = statements.prepare('0');
      for (const index of numbered(count)) statements.prepare(String(index));
      expect(statements.size).toBe(Math.min(count, 500));
      return statements.prepare('0') === first;
    },
  ],
  'drivers/postgres/statement/statement-names.ts MAX_NAMES': [
    500,
    (count) => {
      const names = new StatementNames();
      return numbered(count).every((index) => names.nameOf(`select ${index}`) !== undefined);
    },
  ],
  'store/options/max-delay.ts MAX_DELAY_MS': [
    2_147_483_647,
    (takeoverIntervalMs) => isMoverOption({ takeoverIntervalMs }),
  ],
  'page/plan/page-plan.ts MAX_SHAPES': [
    1_000,
    (count) => {
      const ways = new PathStats();
      const query = (index: number) => ({ sort: parseSort(`/f${index}`, [`/f${index}`]), limit: 1 });
      for (const index of numbered(count)) ways.remember(query(index), 1);
      return ways.inOrder(query(0), 2)[0] === 1;
    },
  ],
  'page/plan/page-plan.ts MAX_ACCESSES': [
    3,
    (count) => {
      const pointers = numbered(count).map((index) => `/f${index}`);
      const filterableFields = Object.fromEntries(pointers.map((pointer) => [pointer, ['gt'] as const]));
      const schema = {
        type: 'object',
        properties: Object.fromEntries(pointers.map((pointer) => [pointer.slice(1), { type: 'number' }])),
      };
      return inStore(
        (store) => {
          const { database, resources } = internalsOf(store);
          const target = resources.get('notes');
          if (target === undefined) throw new Error('no resource');
          const filter = parseFilter(Object.fromEntries(pointers.map((pointer) => [pointer, { gt: 1 }])));
          const query = { filter, sort: [], limit: 1 };
          return planPage(pageScope(database.dialect, target, query, PAGE_LIMITS)).accesses.length === count;
        },
        [{ ...notes, schema, filterableFields }],
      );
    },
  ],
  'schema/resource/field.ts MAX_SORT_KEY_BYTES': [
    1_025,
    // The type of a value takes one byte.
    (bytes) => accepted({ id: 'a', height: 1, name: 'x'.repeat(bytes - 1) }),
  ],
  'schema/resource/json-record.ts MAX_DEPTH': [
    64,
    (depth) => accepted({ ...nested(depth), id: 'a' }, 'notes'),
  ],
  'schema/resource/record-id.ts MAX_ID_BYTES': [512, (bytes) => accepted({ id: 'x'.repeat(bytes) }, 'notes')],
  'log/retention/prune.ts MAX_DROPPED': [
    500,
    (count) =>
      inStore(async (store) => {
        const { database, resources } = internalsOf(store);
        const target = resources.get('notes');
        if (target === undefined) throw new Error('no resource');
        const records = numbered(count).map((index) => ({ id: `n${index}` }));
        await store.apply(records.map((record) => ({ resource: 'notes', op: 'put', record })));
        const nothing = { maxAgeMs: 0, maxChanges: 0, maxBytes: 0 };
        const dropped = await database.write(() => prune(database.dialect, target, nothing, 0));
        return dropped === count;
      }),
  ],
  'schema/epoch.ts MAX_KEPT': [
    100,
    async (renewals) => {
      await using database = sqliteFile();
      await using store = await database.open({ resources: [], synchronous: 'normal' });
      const { epoch } = store;
      for (const _ of numbered(renewals)) await store.renewEpoch();
      const [note] = await executeRaw(
        database,
        `select body from note where name = '${EARLIER_EPOCHS_NOTE}'`,
      );
      const earlier = parseEarlierEpochs(String(note?.['body']));
      expect(earlier).toHaveLength(Math.min(renewals, 100));
      return earlier[0] === epoch;
    },
  ],
  'token/token-record.ts MAX_ID_LENGTH': [
    128,
    (length) =>
      inStore((store) => {
        const verifier = new Uint8Array(32);
        return succeeds(
          store.tokens.add({ tokenId: 'x'.repeat(length), verifier, subject: 'me', grants: [] }),
        );
      }),
  ],
};

/** What refuses nothing, and why: the rest comes later, or another way is taken. */
const BOUNDS: Readonly<Record<string, string>> = {
  'attach/mover/attachment-runner.ts MAX_CHUNK_ROWS': 'the next rows are those of the next chunk',
  'attach/mover/attachment-runner.ts MAX_RETRY_MS': 'a pause',
  'attach/mover/attachment-runner.ts MIN_RETRY_MS': 'a pause',
  'attach/mover/inbox-poller.ts MIN_PAUSE_MS': 'a pause',
  'attach/mover/kept-fault.ts MAX_TOLD_CAUSES': 'further causes are told in the summary',
  'attach/mover/move-fault.ts MAX_CAUSES': 'causes further in are not looked at',
  'attach/postgres/read/kept-reads.ts MAX_TABLES': 'reads of further tables are planned each time',
  'attach/postgres/read/kept-reads.ts MIN_FOUND': 'until then a read is planned each time',
  'attach/postgres/read/noted-query.ts MAX_NOTES': 'the notes that are left are looked at next',
  'attach/postgres/read/read-inbox.ts MAX_RECORDS': 'where there are more, the whole table is read again',
  'drivers/postgres/database.ts MAX_ATTEMPTS': 'tried over PostgreSQL, below',
  'drivers/postgres/database.ts MAX_PAYLOAD_BYTES': 'tried over PostgreSQL, below',
  'drivers/postgres/listening/listener.ts MAX_RECONNECT_MS': 'a pause',
  'drivers/postgres/listening/listener.ts MIN_RECONNECT_MS': 'a pause',
  'drivers/dialect/sql.ts MAX_JOINED_SELECTS': 'what is left is a statement of its own',
  'drivers/sqlite/file/checkpoint-thread.ts MAX_ROUNDS': 'the next checkpoint goes on',
  'drivers/sqlite/database.ts MAX_TURN_MS': 'the reads that are left go on in the next turn',
  'log/hints/nats-hint-bus.ts MAX_PAYLOAD_BYTES': 'a longer hint means any resource',
  'log/retention/max-waited.ts MAX_WAITED_MS': 'what waited longer counts as if it had waited so long',
  'log/hints/nats-hint-bus.ts MAX_RECONNECT_MS': 'a pause',
  'log/hints/nats-hint-bus.ts MIN_RECONNECT_MS': 'a pause',
  'write/apply/lock-heads.ts MAX_TAGGED': 'changes of further logs are read, not handed over',
  'page/scan/sliced-way.ts MIN_SLICE_ROWS': 'a slice is never smaller, however slow',
};

test('each limit of the sources is in a table', () => {
  expect(limitConstants(SOURCES)).toEqual([...Object.keys(LIMITS), ...Object.keys(BOUNDS)].sort());
});

test.each(Object.entries(LIMITS))('%s is allowed, and nothing beyond it', async (_name, [limit, accepts]) => {
  expect([await accepts(limit), await accepts(limit + 1)]).toEqual([true, false]);
});

describePostgres('limits of PostgreSQL', () => {
  test('a transaction that loses against others is tried five times', async () => {
    await using database = postgres();
    await using store = await database.open({ resources: [stations] });
    const { schema } = database;
    await queryPostgres(`create sequence ${schema}.tries;
      create function ${schema}.lose() returns trigger language plpgsql as $$ begin
        if nextval('${schema}.tries') < new.body::int then raise serialization_failure; end if; return new; end $$;
      create trigger loses before update on ${schema}.note for each row execute function ${schema}.lose()`);
    const winsAt = async (attempt: number) => {
      await queryPostgres(`alter sequence ${schema}.tries restart`);
      return succeeds(store.updateNote('n', () => String(attempt)));
    };
    expect([await winsAt(5), await winsAt(6)]).toEqual([true, false]);
  });

  test('a hint names resources up to 7,000 bytes; a longer one means any of them', async () => {
    await using database = postgres();
    await using store = await database.open({ resources: [stations] });
    await using other = await database.open({ resources: [stations], pollIntervalMs: 600_000 });
    const heard: (readonly string[] | undefined)[] = [];
    const stop = internalsOf(other).database.watch((resources) => heard.push(resources));
    const { database: telling } = internalsOf(store);
    const longest = 'x'.repeat(7_000);
    await expect
      .poll(() => {
        telling.hint([longest]);
        return heard.some((resources) => resources?.[0] === longest);
      })
      .toBe(true);
    telling.hint(['before']);
    await expect.poll(() => heard.at(-1)).toEqual(['before']);
    telling.hint(['x'.repeat(7_001)]);
    telling.hint(['after']);
    await expect.poll(() => heard.at(-1)).toEqual(['after']);
    expect(heard.slice(-3)).toEqual([['before'], undefined, ['after']]);
    stop();
  });
});
