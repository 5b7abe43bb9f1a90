import { ConformanceError } from 'rostack-core/testing';
import { openStore, type Store } from 'rostack-store';
import { createDatabase, hasPostgres } from 'test-support/postgres';
import { describe, expect, test } from 'vitest';
import { MemorySharedTokenStore, type SharedTokenRecord, type SharedTokenStore } from '../src/index.ts';
import { type SharedTokenStoreTarget, sharedTokenStoreChecks } from '../src/testing/index.ts';

const seed = Number(process.env['TEST_SEED'] ?? 1);

const inMemory: SharedTokenStoreTarget<MemorySharedTokenStore> = {
  open: () => new MemorySharedTokenStore(),
  store: (store) => store,
  add: (store, record) => store.put(record),
  revoke: (store, tokenId) => store.revoke(tokenId, 1_800_000_000_000),
};

interface InDatabase {
  readonly store: Store;
  readonly remove: () => PromiseLike<void>;
}

function inDatabase(
  create: () => Promise<{ readonly url: string } & AsyncDisposable>,
): SharedTokenStoreTarget<InDatabase> {
  return {
    open: async () => {
      const database = await create();
      const store = await openStore({ url: database.url, resources: [] });
      return { store, remove: () => database[Symbol.asyncDispose]() };
    },
    store: ({ store }) => store.tokens,
    add: ({ store }, { tokenId, verifier, subject, grants, claims, expiresAtMs }) =>
      store.tokens.add({ tokenId, verifier, subject, grants, claims, expiresAtMs }),
    revoke: ({ store }, tokenId) => store.tokens.revoke(tokenId),
    cutOff: ({ store }) => store.close(),
    close: async ({ store, remove }) => {
      await store.close();
      await remove();
    },
  };
}

const sqlite = inDatabase(async () => ({ url: 'sqlite::memory:', [Symbol.asyncDispose]: async () => {} }));

describe('the token store in memory', () => {
  // oxlint-disable-next-line vitest/expect-expect -- a check throws
  test.for(sharedTokenStoreChecks(inMemory, { seed }))(
    'keeps the contract of SharedTokenStore: $name',
    ({ run }) => run(),
  );
});

describe('the token store of rostack-store on SQLite', () => {
  // oxlint-disable-next-line vitest/expect-expect -- a check throws
  test.for(sharedTokenStoreChecks(sqlite, { seed }))(
    'keeps the contract of SharedTokenStore: $name',
    ({ run }) => run(),
  );
});

describe.skipIf(!hasPostgres)('the token store of rostack-store on PostgreSQL', () => {
  const checks = sharedTokenStoreChecks(inDatabase(createDatabase), { seed });
  // oxlint-disable-next-line vitest/expect-expect -- a check throws
  test.for(checks)('keeps the contract of SharedTokenStore: $name', ({ run }) => run());
});

type Find = SharedTokenStore['find'];

/** A `find` in the place of that of the store in memory. */
const FAULTS: Readonly<
  Record<string, readonly [(find: Find, known: ReadonlySet<string>) => Find, readonly string[]]>
> = {
  'a revoked token is not found': [
    (find) => async (id) => {
      const found = await find(id);
      return found?.revokedAtMs === undefined ? found : undefined;
    },
    ['find: a revoked token too, with when it was revoked'],
  ],
  'a revoked token is found as if it were not': [
    (find) => async (id) => {
      const found = await find(id);
      return found && { ...found, revokedAtMs: undefined };
    },
    ['find: a revoked token too, with when it was revoked'],
  ],
  'an expired token is not found': [
    (find) => async (id) => {
      const found = await find(id);
      return found?.expiresAtMs !== undefined && found.expiresAtMs < 1_000 ? undefined : found;
    },
    ['find: an expired token too, with its expiry'],
  ],
  'the expiry is lost': [
    (find) => async (id) => {
      const found = await find(id);
      return found && { ...found, expiresAtMs: undefined };
    },
    ['find: everything that was stored of a token', 'find: an expired token too, with its expiry'],
  ],
  'claims are lost': [
    (find) => async (id) => {
      const found = await find(id);
      return found && { ...found, claims: undefined };
    },
    ['find: everything that was stored of a token'],
  ],
  'grants are joined to one': [
    (find) => async (id) => {
      const found = await find(id);
      return found && { ...found, grants: [found.grants.join(' ')] };
    },
    ['find: everything that was stored of a token'],
  ],
  'the verifier is read as text': [
    (find) => async (id) => {
      const found = await find(id);
      return found && { ...found, verifier: Buffer.from(Buffer.from(found.verifier).toString('utf8')) };
    },
    [
      'find: everything that was stored of a token',
      'find: an expired token too, with its expiry',
      'find: a revoked token too, with when it was revoked',
    ],
  ],
  'ids are found whatever their case': [
    (find, known) => (id) => find([...known].find((each) => each.toLowerCase() === id.toLowerCase()) ?? id),
    ['find: nothing under an id that no token has'],
  ],
  'any object is asked by name': [
    (find) => async (id) => (await find(id)) ?? ({} as Record<string, SharedTokenRecord>)[id],
    ['find: nothing under an id that no token has'],
  ],
};

test.for(Object.entries(FAULTS))(
  'found by the checks that want it otherwise: %s',
  async ([, [fault, failing]]) => {
    const known = new Set<string>();
    const failures = await failuresOf<MemorySharedTokenStore>({
      ...inMemory,
      store: (memory) => ({ find: fault(memory.find.bind(memory), known) }),
      add: (memory, record) => {
        known.add(record.tokenId);
        memory.put(record);
      },
    });
    expect(failures).toEqual(failing);
  },
);

test('found by the checks that want it otherwise: in an outage no token is known', async () => {
  let isCutOff = false;
  const failures = await failuresOf({
    ...inMemory,
    store: (memory) => ({ find: async (id) => (isCutOff ? undefined : memory.find(id)) }),
    cutOff: () => {
      isCutOff = true;
    },
  });
  expect(failures).toEqual(['outage: find rejects']);
});

async function failuresOf<T>(target: SharedTokenStoreTarget<T>): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of sharedTokenStoreChecks(target)) {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof ConformanceError)) throw error;
      failed.push(name);
    }
  }
  return failed;
}
