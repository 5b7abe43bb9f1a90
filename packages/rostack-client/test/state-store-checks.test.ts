import { join } from 'node:path';
import { MemoryStateStore, type StateStore, type StoredRecord } from 'rostack-client';
import { SqliteStateStore } from 'rostack-client/node';
import { type StateStoreTarget, stateStoreChecks } from 'rostack-client/testing';
import { ConformanceError } from 'rostack-core/testing';
import { temporaryFolder } from 'test-support/temporary-folder';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const seed = Number(process.env['TEST_SEED'] ?? 1);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let files = 0;

beforeAll(async () => {
  folder = await temporaryFolder();
});

afterAll(() => folder[Symbol.asyncDispose]());

interface OnDisk {
  readonly path: string;
  readonly store: SqliteStateStore;
}

const openFile = (path: string): OnDisk => ({ path, store: new SqliteStateStore(path) });

const onDisk: StateStoreTarget<OnDisk> = {
  open: () => {
    files += 1;
    return openFile(join(folder.path, `${files}.db`));
  },
  store: ({ store }) => store,
  reopen: async ({ path, store }) => {
    await store[Symbol.asyncDispose]();
    return openFile(path);
  },
  openSecond: ({ path }) => openFile(path),
  close: ({ store }) => store[Symbol.asyncDispose](),
};

const inMemory: StateStoreTarget<StateStore> = {
  open: () => new MemoryStateStore(),
  store: (store) => store,
};

const inMemoryOfSqlite: StateStoreTarget<SqliteStateStore> = {
  open: () => new SqliteStateStore(':memory:'),
  store: (store) => store,
  close: (store) => store[Symbol.asyncDispose](),
};

describe.for([
  ['in memory', stateStoreChecks(inMemory, { seed })],
  ['on disk', stateStoreChecks(onDisk, { seed })],
  ['of SQLite in memory', stateStoreChecks(inMemoryOfSqlite, { seed })],
] as const)('the state store %s', ([, checks]) => {
  // oxlint-disable-next-line vitest/expect-expect -- a check throws
  test.for(checks)('keeps the contract of StateStore: $name', ({ run }) => run());
});

/** A store that makes one mistake. */
type Fault = (memory: MemoryStateStore) => Partial<StateStore>;

const FAULTS: Readonly<Record<string, readonly [Fault, readonly string[]]>> = {
  'an update moves no cursor': [
    (memory) => ({
      update: async (key, update) => {
        const { cursor = '', eventId } = (await memory.load(key)) ?? {};
        await memory.update(key, { ...update, cursor, eventId });
      },
    }),
    [
      'update: changes one record, and moves the cursor',
      'keys: kept apart',
      'calls at once: none is lost',
      'model: random calls',
    ],
  ],
  'an update keeps the event id where there is none': [
    (memory) => ({
      update: async (key, update) => {
        const { eventId } = (await memory.load(key)) ?? {};
        await memory.update(key, { ...update, eventId: update.eventId ?? eventId });
      },
    }),
    ['update: changes one record, and moves the cursor', 'model: random calls'],
  ],
  'a deletion is forgotten': [
    (memory) => ({ update: (key, update) => memory.update(key, { ...update, remove: undefined }) }),
    ['update: changes one record, and moves the cursor', 'model: random calls'],
  ],
  'an update without a state makes one': [
    (memory) => ({
      update: async (key, update) => {
        const scope = { implementationId: '', apiVersion: '', resource: '', filter: undefined };
        if ((await memory.load(key)) === undefined) {
          await memory.replace(key, { scope, cursor: '', eventId: undefined, records: [] });
        }
        await memory.update(key, update);
      },
    }),
    ['update: refused where there is no state'],
  ],
  'replace leaves records of before': [
    (memory) => ({
      replace: async (key, state) => {
        const before = (await memory.load(key))?.records ?? [];
        await memory.replace(key, { ...state, records: [...before, ...state.records] });
      },
    }),
    ['replace: everything comes back, and nothing of before', 'model: random calls'],
  ],
  'replace goes through the records twice': [
    (memory) => ({
      replace: async (key, state) => {
        if ([...state.records].length > 1_000_000) throw new Error('too many');
        await memory.replace(key, state);
      },
    }),
    ['replace: takes any iterable of records'],
  ],
  'replace is not one step': [
    (memory) => ({
      replace: async (key, { records, ...state }) => {
        await memory.replace(key, { ...state, records: [] });
        for (const put of records)
          await memory.update(key, { cursor: state.cursor, eventId: state.eventId, put });
      },
    }),
    ['replace: all or nothing'],
  ],
  'keys are mixed that differ in case': [
    (memory) => ({
      load: (key) => memory.load(key.toLowerCase()),
      replace: (key, state) => memory.replace(key.toLowerCase(), state),
      update: (key, update) => memory.update(key.toLowerCase(), update),
      remove: (key) => memory.remove(key.toLowerCase()),
    }),
    [
      'replace: everything comes back, and nothing of before',
      'replace: all or nothing',
      'update: changes one record, and moves the cursor',
      'keys: kept apart',
      'calls at once: none is lost',
      'model: random calls',
    ],
  ],
  'remove forgets what begins like its key': [
    (memory) => ({
      remove: async (key) => {
        for (const each of [key, `${key} `, `${key}/b`]) await memory.remove(each);
      },
    }),
    ['keys: kept apart', 'model: random calls'],
  ],
  'records go through an object, which loses some names': [
    (memory) => ({
      replace: (key, state) => {
        const byId: Record<string, (typeof records)[number]> = {};
        const records = [...state.records];
        for (const record of records) byId[record.id] = record;
        return memory.replace(key, { ...state, records: Object.values(byId) });
      },
    }),
    [
      'replace: everything comes back, and nothing of before',
      'replace: takes any iterable of records',
      'replace: all or nothing',
      'update: changes one record, and moves the cursor',
      'update: refused where there is no state',
      'keys: kept apart',
      'load: what was loaded stays as it is',
      'calls at once: none is lost',
      'model: random calls',
    ],
  ],
  'an undefined member comes back as null': [
    (memory) => ({
      load: async (key) =>
        JSON.parse(JSON.stringify((await memory.load(key)) ?? null, (_, each: unknown) => each ?? null)),
    }),
    [
      'load: nothing under a key without a state',
      'replace: everything comes back, and nothing of before',
      'replace: takes any iterable of records',
      'replace: all or nothing',
      'update: changes one record, and moves the cursor',
      'update: refused where there is no state',
      'keys: kept apart',
      'load: what was loaded stays as it is',
      'calls at once: none is lost',
      'model: random calls',
    ],
  ],
  'one file for all keys is read, changed and written': [
    (memory) => {
      const present = new Map<string, Awaited<ReturnType<StateStore['load']>>>();
      let file = new Map(present);
      const change = async (apply: (states: typeof file) => Promise<void>) => {
        const read = new Map(file);
        await apply(read);
        await new Promise(setImmediate);
        file = read;
      };
      return {
        load: async (key) => file.get(key),
        replace: (key, state) =>
          change(async (states) => {
            await memory.replace(key, state);
            states.set(key, await memory.load(key));
          }),
        update: (key, update) =>
          change(async (states) => {
            await memory.update(key, update);
            states.set(key, await memory.load(key));
          }),
        remove: (key) =>
          change(async (states) => {
            await memory.remove(key);
            states.delete(key);
          }),
      };
    },
    ['calls at once: none is lost'],
  ],
  'what was loaded is read later': [
    (memory) => {
      const newest = new Map<string, Map<string, StoredRecord>>();
      return {
        load: async (key) => {
          const state = await memory.load(key);
          const records = newest.get(key) ?? new Map<string, StoredRecord>();
          newest.set(key, records);
          for (const record of state?.records ?? []) records.set(record.id, record);
          return state && { ...state, records: { [Symbol.iterator]: () => records.values() } };
        },
        replace: async (key, state) => {
          newest.delete(key);
          await memory.replace(key, state);
        },
        update: async (key, update) => {
          if (update.put !== undefined) newest.get(key)?.set(update.put.id, update.put);
          if (update.remove !== undefined) newest.get(key)?.delete(update.remove);
          await memory.update(key, update);
        },
      };
    },
    ['load: what was loaded stays as it is'],
  ],
};

async function failuresOf<T>(target: StateStoreTarget<T>): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of stateStoreChecks(target)) {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof ConformanceError)) throw error;
      failed.push(name);
    }
  }
  return failed;
}

const faulty = (fault: Fault): StateStore => {
  const memory = new MemoryStateStore();
  const own = fault(memory);
  return {
    load: own.load ?? memory.load.bind(memory),
    replace: own.replace ?? memory.replace.bind(memory),
    update: own.update ?? memory.update.bind(memory),
    remove: own.remove ?? memory.remove.bind(memory),
  };
};

test.for(Object.entries(FAULTS))(
  'found by the checks that want it otherwise: %s',
  async ([, [fault, failing]]) => {
    expect(await failuresOf({ ...inMemory, open: () => faulty(fault) })).toEqual(failing);
  },
);

test.for<[string, Partial<StateStoreTarget<OnDisk>>, readonly string[]]>([
  [
    'a store forgets when it is opened again',
    {
      reopen: async (opened) => {
        await opened.store[Symbol.asyncDispose]();
        return onDisk.open();
      },
    },
    ['model: random calls', 'reopening: everything is kept'],
  ],
  [
    'a key is claimed through each store',
    { openSecond: () => onDisk.open() },
    ['claim: one follow at a time has a key'],
  ],
])('found by the checks that want it otherwise: %s', async ([, others, failing]) => {
  expect(await failuresOf({ ...onDisk, ...others })).toEqual(failing);
});
