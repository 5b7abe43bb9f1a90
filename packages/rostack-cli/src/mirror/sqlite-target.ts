import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { FollowState, StateScope, StoredRecord } from 'rostack-client';
import type { JsonObject } from 'rostack-core';
import { parseTrustedJson } from 'rostack-core';
import { KeyLock } from './key-lock.ts';
import { type MirrorBatch, type MirrorTarget, notAMirror } from './mirror-target.ts';
import { transact } from './transact.ts';

const BUSY_TIMEOUT_MS = 5_000;

interface MirrorRow {
  readonly scope: string | null;
  readonly cursor: string | null;
  readonly event_id: string | null;
}

interface RecordRow {
  readonly id: string;
  readonly version: string | null;
  readonly record: string;
}

/** A table of a SQLite file, through Node's own SQLite: `id`, `version` and `record` as JSON text. */
export class SqliteTarget implements MirrorTarget {
  readonly #database: DatabaseSync;
  readonly #table: string;
  readonly #quoted: string;
  readonly #put: StatementSync;
  readonly #remove: StatementSync;
  readonly #move: StatementSync;
  #lock: KeyLock | undefined;

  /** @throws Error when the table exists and is not a mirror, or the file is not a database */
  constructor(path: string, table: string) {
    this.#table = table;
    this.#quoted = `"${table.replaceAll('"', '""')}"`;
    this.#database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    try {
      transact(this.#database, () => this.#prepare());
      this.#put = this.#database.prepare(
        `INSERT INTO ${this.#quoted} (id, version, record) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET version = excluded.version, record = excluded.record`,
      );
      this.#remove = this.#database.prepare(`DELETE FROM ${this.#quoted} WHERE id = ?`);
      this.#move = this.#database.prepare(
        'UPDATE rostack_mirror SET cursor = ?, event_id = ? WHERE "table" = ?',
      );
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  async claim(): Promise<boolean> {
    const path = this.#database.location();
    if (path === null) return true;
    this.#lock = KeyLock.take(path, `mirror ${this.#table}`);
    return this.#lock !== undefined;
  }

  async load(): Promise<FollowState | undefined> {
    return transact(this.#database, () => {
      const row = this.#row();
      if (row?.cursor == null || row.scope === null) return undefined;
      const rows = this.#database.prepare(`SELECT id, version, record FROM ${this.#quoted}`).all();
      const records = (rows as unknown as readonly RecordRow[]).map(
        ({ id, version, record }): StoredRecord => ({
          id,
          version: version ?? undefined,
          record: parseTrustedJson(record) as JsonObject,
        }),
      );
      const scope = parseTrustedJson(row.scope) as StateScope;
      return { scope, cursor: row.cursor, eventId: row.event_id ?? undefined, records };
    });
  }

  async replace({ scope, cursor, eventId, records }: FollowState): Promise<void> {
    transact(this.#database, () => {
      this.#database.exec(`DELETE FROM ${this.#quoted}`);
      for (const record of records) this.#write(record);
      this.#database
        .prepare('UPDATE rostack_mirror SET scope = ?, cursor = ?, event_id = ? WHERE "table" = ?')
        .run(JSON.stringify(scope), cursor, eventId ?? null, this.#table);
    });
  }

  async apply({ cursor, eventId, records }: MirrorBatch): Promise<void> {
    transact(this.#database, () => {
      for (const [id, record] of records) {
        if (record === undefined) this.#remove.run(id);
        else this.#write(record);
      }
      this.#move.run(cursor, eventId ?? null, this.#table);
    });
  }

  async part(name: string): Promise<string | undefined> {
    const row = this.#database
      .prepare('SELECT state FROM rostack_mirror_part WHERE "table" = ? AND name = ?')
      .get(this.#table, name);
    return row === undefined ? undefined : String(row.state);
  }

  async putPart(name: string, text: string | undefined): Promise<void> {
    if (text === undefined) {
      this.#database
        .prepare('DELETE FROM rostack_mirror_part WHERE "table" = ? AND name = ?')
        .run(this.#table, name);
    } else {
      this.#database
        .prepare('INSERT OR REPLACE INTO rostack_mirror_part ("table", name, state) VALUES (?, ?, ?)')
        .run(this.#table, name, text);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#lock?.release();
    if (this.#database.isOpen) this.#database.close();
  }

  #write({ id, version, record }: StoredRecord): void {
    this.#put.run(id, version ?? null, JSON.stringify(record));
  }

  #row(): MirrorRow | undefined {
    const row = this.#database
      .prepare('SELECT scope, cursor, event_id FROM rostack_mirror WHERE "table" = ?')
      .get(this.#table);
    return row as unknown as MirrorRow | undefined;
  }

  #prepare(): void {
    this.#database.exec(
      'CREATE TABLE IF NOT EXISTS rostack_mirror ("table" TEXT PRIMARY KEY, scope TEXT, cursor TEXT, event_id TEXT) STRICT',
    );
    this.#database.exec(
      'CREATE TABLE IF NOT EXISTS rostack_mirror_part ("table" TEXT, name TEXT, state TEXT NOT NULL, PRIMARY KEY ("table", name)) STRICT',
    );
    if (this.#row() !== undefined) return;
    const there = this.#database
      .prepare('SELECT 1 FROM sqlite_schema WHERE lower(name) = lower(?)')
      .get(this.#table);
    if (there !== undefined) throw notAMirror(this.#table);
    this.#database.exec(
      `CREATE TABLE ${this.#quoted} (id TEXT PRIMARY KEY, version TEXT, record TEXT NOT NULL) STRICT`,
    );
    this.#database.prepare('INSERT INTO rostack_mirror ("table") VALUES (?)').run(this.#table);
  }
}
