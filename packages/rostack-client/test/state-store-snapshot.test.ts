import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { SqliteStateStore } from 'rostack-client/node';
import { temporaryFolder } from 'test-support/temporary-folder';
import { afterEach, expect, test, vi } from 'vitest';

const scope = { implementationId: 'i', apiVersion: '1', resource: 'r', filter: undefined };
const stateAt = (cursor: string) => ({
  scope,
  cursor,
  eventId: undefined,
  records: ['a', 'b'].map((id) => ({ id, version: cursor, record: { id } })),
});

afterEach(() => {
  vi.restoreAllMocks();
});

test('a state that another process replaces while it is loaded is the one before or the one after, never of both', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'states.db');
  await using store = new SqliteStateStore(path);
  await store.replace('key', stateAt('before'));
  const other = new DatabaseSync(path, { timeout: 0 });
  let tries = 0;
  const all = Reflect.get<StatementSync, 'all'>(StatementSync.prototype, 'all');
  // Between what is read first, the cursor, and the records.
  vi.spyOn(StatementSync.prototype, 'all').mockImplementationOnce(function (this: StatementSync, ...values) {
    tries += 1;
    try {
      other.exec(
        `BEGIN IMMEDIATE; UPDATE follow SET cursor = 'after'; UPDATE record SET version = 'after'; COMMIT`,
      );
    } catch {
      if (other.isTransaction) other.exec('ROLLBACK');
    }
    return Reflect.apply(all, this, values);
  });
  const state = await store.load('key');
  other.close();
  expect(tries).toBe(1);
  const versions = Array.from(state?.records ?? [], ({ version }) => version);
  expect(versions).toEqual([state?.cursor, state?.cursor]);
});
