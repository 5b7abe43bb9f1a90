import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { JsonObject } from 'rostack-core';
import { aString, parseTrustedJson } from 'rostack-core/client';
import { checkUsage, StateGoneError, StateStoreError } from '../http/error/errors.ts';
import type { FollowState, StateScope, StateStore, StateUpdate, StoredRecord } from '../state/state-store.ts';
import { KeyLock } from './key-lock.ts';
import { transact } from './transact.ts';

/** "RSCL", which marks a file as a state store of this package. */
const APPLICATION_ID = 0x5253434c;
const FORMAT = 1;

const SCHEMA = `
  CREATE TABLE follow (
    key TEXT PRIMARY KEY,
    scope TEXT NOT NULL,
    cursor TEXT NOT NULL,
    event_id TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE record (
    key TEXT NOT NULL REFERENCES follow (key) ON DELETE CASCADE,
    id TEXT NOT NULL,
    version TEXT,
    body TEXT NOT NULL,
    PRIMARY KEY (key, id)
  ) STRICT, WITHOUT ROWID;
`;

/** The tables are strict: their columns hold these types. */
interface FollowRow {
  readonly scope: string;
  readonly cursor: string;
  readonly event_id: string | null;
}

interface RecordRow {
  readonly id: string;
  readonly version: string | null;
  readonly body: string;
}

interface Statements {
  readonly follow: StatementSync;
  readonly records: StatementSync;
  readonly putFollow: StatementSync;
  readonly moveFollow: StatementSync;
  readonly removeFollow: StatementSync;
  readonly clearRecords: StatementSync;
  readonly putRecord: StatementSync;
  readonly removeRecord: StatementSync;
}

/**
 * Keeps states in a SQLite file, through Node's own SQLite. Each call is one transaction: a process that is killed, or a machine that
 * loses power, leaves the state before the call or the one after it. The last calls before a loss of power may be undone; their
 * events come again. The operating system locks a key for its follow, in an empty file `<path>-<hash of the key>.lock`, so that only
 * one process uses it; the lock ends with its process, even if that is killed.
 */
export class SqliteStateStore implements StateStore, AsyncDisposable {
  readonly #database: DatabaseSync;
  readonly #statements: Statements;
  readonly #locks = new Set<KeyLock>();

  /**
   * Opens the file, or creates it.
   * @throws UsageError `invalid_options` when the path is not a text
   * @throws StateStoreError `state_store_failed` when it is another kind of file
   */
  constructor(path: string) {
    checkUsage(aString, path, 'path');
    try {
      this.#database = new DatabaseSync(path, { timeout: 5_000 });
    } catch (error) {
      throw new StateStoreError(`${path} cannot be opened`, { cause: error });
    }
    try {
      prepareFile(this.#database, path);
      this.#statements = prepareStatements(this.#database);
    } catch (error) {
      this.#database.close();
      if (error instanceof StateStoreError) throw error;
      throw new StateStoreError(`${path} contains no states of follows`, { cause: error });
    }
  }

  async load(key: string): Promise<FollowState | undefined> {
    // One transaction: the cursor and the records belong together, even if another process writes in between.
    const read = (): FollowState | undefined => {
      const row = this.#statements.follow.get(key);
      if (row === undefined) return undefined;
      const { scope, cursor, event_id: eventId } = row as unknown as FollowRow;
      const records = this.#statements.records.all(key).map(toStoredRecord);
      return { scope: parseTrustedJson(scope) as StateScope, cursor, eventId: eventId ?? undefined, records };
    };
    return transact(this.#database, read, 'BEGIN');
  }

  async replace(key: string, { scope, cursor, eventId, records }: FollowState): Promise<void> {
    transact(this.#database, () => {
      this.#statements.clearRecords.run(key);
      this.#statements.putFollow.run(key, JSON.stringify(scope), cursor, eventId ?? null);
      for (const record of records) this.#put(key, record);
    });
  }

  async update(key: string, { cursor, eventId, put, remove }: StateUpdate): Promise<void> {
    transact(this.#database, () => {
      const { changes } = this.#statements.moveFollow.run(cursor, eventId ?? null, key);
      if (changes === 0) throw new StateGoneError(`there is no state under the key ${key}`);
      if (remove !== undefined) this.#statements.removeRecord.run(key, remove);
      if (put !== undefined) this.#put(key, put);
    });
  }

  async remove(key: string): Promise<void> {
    transact(this.#database, () => this.#statements.removeFollow.run(key));
  }

  /** @returns undefined when another follow has the key, in this process or another one; a store in memory has no others */
  async claim(key: string): Promise<(() => void) | undefined> {
    const path = this.#database.location();
    if (path === null) return () => {};
    const lock = KeyLock.take(path, key);
    if (lock === undefined) return undefined;
    this.#locks.add(lock);
    return () => {
      this.#locks.delete(lock);
      lock.release();
    };
  }

  /** Closes the file. Close the follows that use it first. */
  async close(): Promise<void> {
    for (const lock of this.#locks) lock.release();
    if (this.#database.isOpen) this.#database.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #put(key: string, { id, version, record }: StoredRecord): void {
    this.#statements.putRecord.run(key, id, version ?? null, JSON.stringify(record));
  }
}

function prepareFile(database: DatabaseSync, path: string): void {
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
  transact(database, () => {
    const applicationId = database.prepare('PRAGMA application_id').get()?.application_id;
    const format = database.prepare('PRAGMA user_version').get()?.user_version;
    const tables = database.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.n;
    if (applicationId === 0 && format === 0 && tables === 0) {
      database.exec(SCHEMA);
      database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${FORMAT}`);
    } else if (applicationId !== APPLICATION_ID || format !== FORMAT) {
      throw new StateStoreError(`${path} is another kind of file: name a file of its own for the states`);
    }
  });
}

function prepareStatements(database: DatabaseSync): Statements {
  return {
    follow: database.prepare('SELECT scope, cursor, event_id FROM follow WHERE key = ?'),
    records: database.prepare('SELECT id, version, body FROM record WHERE key = ? ORDER BY id'),
    putFollow: database.prepare(
      'INSERT INTO follow (key, scope, cursor, event_id) VALUES (?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET scope = excluded.scope, cursor = excluded.cursor, event_id = excluded.event_id',
    ),
    moveFollow: database.prepare('UPDATE follow SET cursor = ?, event_id = ? WHERE key = ?'),
    removeFollow: database.prepare('DELETE FROM follow WHERE key = ?'),
    clearRecords: database.prepare('DELETE FROM record WHERE key = ?'),
    putRecord: database.prepare(
      'INSERT INTO record (key, id, version, body) VALUES (?, ?, ?, ?) ON CONFLICT (key, id) DO UPDATE SET version = excluded.version, body = excluded.body',
    ),
    removeRecord: database.prepare('DELETE FROM record WHERE key = ? AND id = ?'),
  };
}

function toStoredRecord(row: unknown): StoredRecord {
  const { id, version, body } = row as RecordRow;
  return { id, version: version ?? undefined, record: parseTrustedJson(body) as JsonObject };
}
