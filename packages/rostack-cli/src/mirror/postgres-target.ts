import type { Client } from 'pg';
import type { FollowState, StateScope, StoredRecord } from 'rostack-client';
import type { JsonObject } from 'rostack-core';
import { connectDirectly } from './connect-directly.ts';
import { type MirrorBatch, MirrorError, type MirrorTarget, notAMirror } from './mirror-target.ts';

/** U+0000 or half a surrogate pair, as JSON.stringify escapes them. */
const REFUSED = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;
/** Rows of one statement. */
const CHUNK = 1_000;

interface MirrorRow {
  readonly scope: StateScope | null;
  readonly cursor: string | null;
  readonly event_id: string | null;
}

interface RecordRow {
  readonly id: string;
  readonly version: string | null;
  readonly record: JsonObject;
}

/** A table of PostgreSQL, on a direct connection without a pooler: `id`, `version` and `record` as jsonb. */
export class PostgresTarget implements MirrorTarget {
  readonly #client: Client;
  readonly #table: string;
  readonly #quoted: string;
  /** The table of the cursors, in the schema of the mirrored table. */
  readonly #mirrors: string;
  /** The table of the parts of incomplete snapshots, in the same schema. */
  readonly #parts: string;

  private constructor(client: Client, table: string) {
    this.#client = client;
    this.#table = table;
    const path = table.split('.').map(quoted);
    this.#quoted = path.join('.');
    this.#mirrors = [...path.slice(0, -1), 'rostack_mirror'].join('.');
    this.#parts = `${this.#mirrors}_part`;
  }

  /**
   * @param table may have its schema in front
   * @param onLost called when the connection is lost between queries
   */
  static async open(url: string, table: string, onLost: (error: unknown) => void): Promise<PostgresTarget> {
    const client = await connectDirectly(url, onLost);
    const target = new PostgresTarget(client, table);
    try {
      await target.#prepare();
      return target;
    } catch (error) {
      await client.end();
      throw error;
    }
  }

  /** The lock ends with the session, no matter how that ends. */
  async claim(): Promise<boolean> {
    const { rows } = await this.#client.query<{ readonly taken: boolean }>(
      'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS taken',
      [`rostack_mirror ${this.#quoted}`],
    );
    return rows[0]?.taken === true;
  }

  async load(): Promise<FollowState | undefined> {
    return this.#transact(async () => {
      const row = await this.#row();
      if (row?.cursor == null || row.scope === null) return undefined;
      const { rows } = await this.#client.query<RecordRow>(`SELECT id, version, record FROM ${this.#quoted}`);
      const records = rows.map(
        ({ id, version, record }): StoredRecord => ({ id, version: version ?? undefined, record }),
      );
      return { scope: row.scope, cursor: row.cursor, eventId: row.event_id ?? undefined, records };
    });
  }

  async replace({ scope, cursor, eventId, records }: FollowState): Promise<void> {
    await this.#transact(async () => {
      await this.#client.query(`DELETE FROM ${this.#quoted}`);
      await this.#put([...records]);
      await this.#client.query(
        `UPDATE ${this.#mirrors} SET scope = $1, cursor = $2, event_id = $3 WHERE "table" = $4`,
        [JSON.stringify(scope), cursor, eventId ?? null, this.#table],
      );
    });
  }

  async apply({ cursor, eventId, records }: MirrorBatch): Promise<void> {
    const gone = [...records].filter(([, record]) => record === undefined).map(([id]) => id);
    await this.#transact(async () => {
      if (gone.length > 0)
        await this.#client.query(`DELETE FROM ${this.#quoted} WHERE id = ANY ($1)`, [gone]);
      await this.#put([...records.values()].filter((record) => record !== undefined));
      await this.#client.query(`UPDATE ${this.#mirrors} SET cursor = $1, event_id = $2 WHERE "table" = $3`, [
        cursor,
        eventId ?? null,
        this.#table,
      ]);
    });
  }

  async part(name: string): Promise<string | undefined> {
    const { rows } = await this.#client.query<{ readonly state: string }>(
      `SELECT state FROM ${this.#parts} WHERE "table" = $1 AND name = $2`,
      [this.#table, name],
    );
    return rows[0]?.state;
  }

  async putPart(name: string, text: string | undefined): Promise<void> {
    if (text === undefined) {
      await this.#client.query(`DELETE FROM ${this.#parts} WHERE "table" = $1 AND name = $2`, [
        this.#table,
        name,
      ]);
    } else {
      await this.#client.query(
        `INSERT INTO ${this.#parts} ("table", name, state) VALUES ($1, $2, $3)
         ON CONFLICT ("table", name) DO UPDATE SET state = excluded.state`,
        [this.#table, name, text],
      );
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end();
  }

  async #put(records: readonly StoredRecord[]): Promise<void> {
    for (let at = 0; at < records.length; at += CHUNK) {
      const chunk = records.slice(at, at + CHUNK);
      const inserted = this.#client.query(
        `INSERT INTO ${this.#quoted} (id, version, record) SELECT * FROM unnest($1::text[], $2::text[], $3::jsonb[])
         ON CONFLICT (id) DO UPDATE SET version = excluded.version, record = excluded.record`,
        [
          chunk.map(({ id }) => id),
          chunk.map(({ version }) => version ?? null),
          chunk.map(({ record }) => JSON.stringify(record)),
        ],
      );
      await inserted.catch((error: unknown) => {
        throw jsonbFault(chunk, error);
      });
    }
  }

  async #row(): Promise<MirrorRow | undefined> {
    const { rows } = await this.#client.query<MirrorRow>(
      `SELECT scope, cursor, event_id FROM ${this.#mirrors} WHERE "table" = $1`,
      [this.#table],
    );
    return rows[0];
  }

  async #prepare(): Promise<void> {
    await this.#transact(async () => {
      // Two processes that create the same table at once would both find it missing.
      await this.#client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', ['rostack_mirror']);
      await this.#client.query(
        `CREATE TABLE IF NOT EXISTS ${this.#mirrors} ("table" text PRIMARY KEY, scope jsonb, cursor text, event_id text)`,
      );
      await this.#client.query(
        `CREATE TABLE IF NOT EXISTS ${this.#parts} ("table" text, name text, state text NOT NULL, PRIMARY KEY ("table", name))`,
      );
      if ((await this.#row()) !== undefined) return;
      const { rows } = await this.#client.query<{ readonly there: boolean }>(
        'SELECT to_regclass($1) IS NOT NULL AS there',
        [this.#quoted],
      );
      if (rows[0]?.there === true) throw notAMirror(this.#table);
      await this.#client.query(
        `CREATE TABLE ${this.#quoted} (id text PRIMARY KEY, version text, record jsonb NOT NULL)`,
      );
      await this.#client.query(`INSERT INTO ${this.#mirrors} ("table") VALUES ($1)`, [this.#table]);
    });
  }

  async #transact<R>(action: () => Promise<R>): Promise<R> {
    await this.#client.query('BEGIN');
    try {
      const result = await action();
      await this.#client.query('COMMIT');
      return result;
    } catch (error) {
      await this.#client.query('ROLLBACK').catch(() => {});
      throw error;
    }
  }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The error to report for records that could not be written: it names the record that jsonb refuses, if there is one. */
function jsonbFault(records: readonly StoredRecord[], error: unknown): unknown {
  const refused = records.find(({ record }) => REFUSED.test(JSON.stringify(record)));
  if (refused === undefined) return error;
  return new MirrorError(
    `the record ${JSON.stringify(refused.id)} has U+0000 or half a surrogate pair in a string, which jsonb of PostgreSQL cannot hold: mirror into a SQLite file`,
    { cause: error },
  );
}
