import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MenuStore, memoryMenuStore, openMenuStore } from 'menu-client';
import { openPostgresMenuStore } from 'menu-client/postgres';
import { openSqliteMenuStore } from 'menu-client/sqlite';
import { MENU_STORE_CHECKS } from 'menu-client/store-conformance';
import { connectPostgres, createSchema, describePostgres, POSTGRES_URL } from 'test-support/postgres';
import { afterAll, describe, expect, test } from 'vitest';

const folder = await mkdtemp(join(tmpdir(), 'menu-store-'));
afterAll(() => rm(folder, { recursive: true }));

describe('memory', () => {
  test.each(MENU_STORE_CHECKS)('$name', async (check) => {
    const store = memoryMenuStore();
    // Its entries end with it, so "opened twice" is the same object.
    const shared: MenuStore = {
      ...bind(store),
      close: async () => {},
      [Symbol.asyncDispose]: async () => {},
    };
    await expect(check.run(async () => shared)).resolves.toBeUndefined();
  });
});

describe('SQLite', () => {
  test.each(MENU_STORE_CHECKS)('$name', async (check) => {
    const path = join(folder, `${randomUUID()}.db`);
    await expect(check.run(() => openSqliteMenuStore(path))).resolves.toBeUndefined();
  });

  test('makes the folder of its file, and says which file it could not open', async () => {
    const store = await openMenuStore(`sqlite:${join(folder, 'new', 'folder', 'menus.db')}`);
    await store[Symbol.asyncDispose]();
    await expect(openMenuStore(`sqlite:${folder}`)).rejects.toMatchObject({
      code: 'store_unavailable',
      message: `The SQLite store ${JSON.stringify(folder)} could not be opened: unable to open database file.`,
    });
  });
});

describePostgres('PostgreSQL', () => {
  test.each(MENU_STORE_CHECKS)('$name', async (check) => {
    await using schema = await createSchema();
    const open = () => openPostgresMenuStore(POSTGRES_URL, { schema: schema.name });
    await expect(check.run(open)).resolves.toBeUndefined();
  });

  test('is opened by several processes at once', async () => {
    await using schema = await createSchema();
    const opening = Array.from({ length: 6 }, () =>
      openPostgresMenuStore(POSTGRES_URL, { schema: schema.name }),
    );
    for (const store of await Promise.all(opening)) {
      await using opened = store;
      expect(await opened.prune('2026-01-01')).toBe(0);
    }
  });

  test('a store that cannot be opened says why, in the words of the server', async () => {
    await using schema = await createSchema();
    await using client = await connectPostgres();
    await client.query(`create role ${schema.name}; grant usage on schema ${schema.name} to ${schema.name}`);
    const url = new URL(POSTGRES_URL);
    url.searchParams.set('options', `-c role=${schema.name}`);
    try {
      await expect(openPostgresMenuStore(url.href, { schema: schema.name })).rejects.toMatchObject({
        code: 'store_unavailable',
        message: `The PostgreSQL store could not be opened: permission denied for schema ${schema.name}.`,
      });
    } finally {
      await client.query(`drop owned by ${schema.name}; drop role ${schema.name}`);
    }
  });

  test('a statement that takes too long is ended, and the store goes on', async () => {
    await using schema = await createSchema();
    // Making the tables may take longer on a busy machine than looking whether they are there.
    await using _first = await openPostgresMenuStore(POSTGRES_URL, { schema: schema.name });
    await using store = await openPostgresMenuStore(POSTGRES_URL, {
      schema: schema.name,
      statementTimeoutMs: 500,
    });
    await using locker = await connectPostgres();
    await locker.query(`begin; lock table ${schema.name}.menu_entry`);
    await expect(store.prune('2026-01-01')).rejects.toMatchObject({
      code: 'store_unavailable',
      cause: { code: '57014' },
    });
    await locker.query('rollback');
    expect(await store.prune('2026-01-01')).toBe(0);
  });
});

test('a server that does not answer is a retryable error without the password', async () => {
  const opening = openMenuStore('postgres://someone:hunter2@127.0.0.1:1/none');
  const error = await opening.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({
    code: 'store_unavailable',
    retryable: true,
    message: 'The PostgreSQL store could not be opened: ECONNREFUSED.',
  });
  expect(String(error)).not.toContain('hunter2');
});

test('another kind of URL is refused with what to send', async () => {
  await expect(openMenuStore('redis://localhost')).rejects.toThrow(/sqlite:<file>/);
});

function bind(store: MenuStore): Omit<MenuStore, 'close' | typeof Symbol.asyncDispose> {
  return {
    read: (key) => store.read(key),
    readDays: (range) => store.readDays(range),
    write: (key, body, revision) => store.write(key, body, revision),
    acquireLease: (name, holder, ttlMs) => store.acquireLease(name, holder, ttlMs),
    releaseLease: (name, holder) => store.releaseLease(name, holder),
    addInterest: (counts) => store.addInterest(counts),
    readInterest: (vendor, from) => store.readInterest(vendor, from),
    prune: (date) => store.prune(date),
  };
}
