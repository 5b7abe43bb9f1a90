import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import {
  type FollowState,
  MemoryStateStore,
  type StateScope,
  type StateStore,
  type StoredRecord,
} from 'rostack-client';
import { SqliteStateStore } from 'rostack-client/node';
import { describe, expect, test } from 'vitest';
import { stateAfter } from './support/kill-follower-states.ts';
import { seededRandom } from './support/seeded-random.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const WRITER = fileURLToPath(new URL('./support/store-writer.ts', import.meta.url));
const KILLS = 25;

const byId = (state: FollowState | undefined) =>
  state && { ...state, records: [...state.records].sort((a, b) => (a.id < b.id ? -1 : 1)) };

const stores: readonly [string, (path: string) => { store: StateStore; reopen(): Promise<StateStore> }][] = [
  [
    'in memory',
    () => {
      const store = new MemoryStateStore();
      return { store, reopen: async () => store };
    },
  ],
  [
    'on disk',
    (path) => {
      let store = new SqliteStateStore(path);
      return {
        store,
        reopen: async () => {
          await store[Symbol.asyncDispose]();
          store = new SqliteStateStore(path);
          return store;
        },
      };
    },
  ],
];

describe.for(stores)('a state store %s', ([, open]) => {
  test('holds what a model of it holds, whatever was done, also after it was opened again', async () => {
    const id = fc.constantFrom('a', 'b', 'c', 'ㄱ', '__proto__');
    const record = fc.record({
      id,
      version: fc.option(fc.string(), { nil: undefined }),
      record: fc.dictionary(fc.string(), fc.jsonValue()).map(asJson),
    });
    const scope: fc.Arbitrary<StateScope> = fc.record({
      implementationId: fc.string(),
      apiVersion: fc.string(),
      resource: fc.string(),
      filter: fc.option(fc.string(), { nil: undefined }),
    });
    const key = fc.constantFrom('k', 'l');
    const action = fc.oneof(
      fc.record({
        kind: fc.constant('replace' as const),
        key,
        scope,
        cursor: fc.string(),
        records: fc.uniqueArray(record, { selector: ({ id }) => id }),
      }),
      fc.record({
        kind: fc.constant('put' as const),
        key,
        cursor: fc.string(),
        eventId: fc.string(),
        put: record,
      }),
      fc.record({
        kind: fc.constant('delete' as const),
        key,
        cursor: fc.string(),
        eventId: fc.string(),
        remove: id,
      }),
      fc.record({
        kind: fc.constant('bookmark' as const),
        key,
        cursor: fc.string(),
        eventId: fc.constant(undefined),
      }),
      fc.record({ kind: fc.constant('forget' as const), key }),
      fc.record({ kind: fc.constant('reopen' as const), key }),
    );
    await using folder = await temporaryFolder();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 25 }), async (actions) => {
        run += 1;
        const opened = open(join(folder.path, `${run}.db`));
        let { store } = opened;
        const model = new Map<string, { state: FollowState; records: Map<string, StoredRecord> }>();
        for (const action of actions) {
          const entry = model.get(action.key);
          if (action.kind === 'reopen') store = await opened.reopen();
          else if (action.kind === 'forget') {
            await store.remove(action.key);
            model.delete(action.key);
          } else if (action.kind === 'replace') {
            const { scope, cursor, records } = action;
            const state = { scope, cursor, eventId: undefined, records };
            await store.replace(action.key, state);
            model.set(action.key, { state, records: new Map(records.map((record) => [record.id, record])) });
          } else if (entry !== undefined) {
            const { cursor, eventId } = action;
            await store.update(action.key, action);
            if (action.kind === 'put') entry.records.set(action.put.id, action.put);
            else if (action.kind === 'delete') entry.records.delete(action.remove);
            entry.state = { ...entry.state, cursor, eventId };
          }
          for (const key of ['k', 'l']) {
            const expected = model.get(key);
            expect(byId(await store.load(key))).toEqual(
              expected && byId({ ...expected.state, records: [...expected.records.values()] }),
            );
          }
        }
        const last = await opened.reopen();
        if (last instanceof SqliteStateStore) await last[Symbol.asyncDispose]();
      }),
      { numRuns: 60 },
    );
  });

  test('refuses an update where there is no state', async () => {
    await using folder = await temporaryFolder();
    const { store } = open(join(folder.path, 'a.db'));
    await expect(store.update('k', { cursor: 'c', eventId: 'e' })).rejects.toThrow('no state');
    if (store instanceof SqliteStateStore) await store[Symbol.asyncDispose]();
  });
});

describe('a state store on disk', () => {
  test(`${KILLS} times SIGKILL at any moment: the records are those of the cursor, and nothing processed is lost`, {
    timeout: 120_000,
  }, async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'states.db');
    const random = seededRandom();
    let first = 0;
    let updates = 0;
    for (let round = 0; round < KILLS; round += 1) {
      const printed = await writeUntilKilled(path, first, random() * 80);
      updates += printed.length;
      await using store = new SqliteStateStore(path);
      const state = await store.load('key');
      expect(state !== undefined || printed.length === 0).toBe(true);
      if (state === undefined) continue;
      const [run = 0, n = 0] = state.cursor.split('.').map(Number);
      expect(byId(state)).toEqual(byId(stateAfter(run, n)));
      const [lastRun = 0, lastN = 0] = (printed.at(-1) ?? '0.0').split('.').map(Number);
      expect(run * 1_000 + n).toBeGreaterThanOrEqual(lastRun * 1_000 + lastN);
      first = run + 1;
    }
    expect(updates).toBeGreaterThan(KILLS);
    const database = new DatabaseSync(path);
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    database.close();
  });

  test.for([
    ['is no database', (path: string) => writeFile(path, 'some text that is not a database at all')],
    [
      'is a database of somebody else',
      async (path: string) => {
        const database = new DatabaseSync(path);
        database.exec('CREATE TABLE theirs (a)');
        database.close();
      },
    ],
  ] as const)('leaves a file alone that %s', async ([, make]) => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'a.db');
    await make(path);
    expect(() => new SqliteStateStore(path)).toThrow(
      expect.objectContaining({ code: 'state_store_failed', message: expect.stringContaining(path) }),
    );
  });
});

/** Lets a process of its own write, kills it, and returns what it had acknowledged. */
async function writeUntilKilled(path: string, first: number, afterMs: number): Promise<string[]> {
  const child = spawn(process.execPath, ['--conditions=workspace-source', WRITER, path, String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  let timer: NodeJS.Timeout | undefined;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    timer ??= setTimeout(() => child.kill('SIGKILL'), afterMs);
  });
  await new Promise((resolve) => {
    child.on('close', resolve);
  });
  clearTimeout(timer);
  return printed.split('\n').slice(1, -1);
}

/** As JSON brings it back: -0 becomes 0. */
const asJson = (value: unknown): StoredRecord['record'] =>
  JSON.parse(JSON.stringify(value)) as StoredRecord['record'];
