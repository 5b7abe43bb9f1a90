import type { Head } from 'rostack-core';
import type { Database } from '../drivers/database.ts';
import { MAX_JOINED_SELECTS, once, sql } from '../drivers/sql.ts';
import type { StoredResource } from '../schema/stored-resource.ts';
import { type HeadRow, headColumns, headOf, headQuery, headTable } from './read-head.ts';

interface Asked {
  readonly target: StoredResource;
  readonly resolve: (head: Head | Promise<Head>) => void;
  readonly reject: (reason: unknown) => void;
}

/** Reads heads: those that are asked for in one turn by one statement, so that a look at all resources is one query. */
export class HeadReads {
  readonly #database: Database;
  #asked: Asked[] = [];

  constructor(database: Database) {
    this.#database = database;
  }

  /** Throws as `headOf` does. */
  read(target: StoredResource): Promise<Head> {
    const { promise, resolve, reject } = Promise.withResolvers<Head>();
    this.#asked.push({ target, resolve, reject });
    if (this.#asked.length === 1) queueMicrotask(() => this.#readAsked());
    return promise;
  }

  #readAsked(): void {
    const asked = this.#asked;
    this.#asked = [];
    for (let start = 0; start < asked.length; start += MAX_JOINED_SELECTS)
      void this.#readTogether(asked.slice(start, start + MAX_JOINED_SELECTS));
  }

  async #readTogether(asked: readonly Asked[]): Promise<void> {
    const [first, ...others] = asked;
    if (first === undefined) return;
    if (others.length === 0) {
      first.resolve(this.#readOne(first.target));
      return;
    }
    const { dialect } = this.#database;
    const selects = asked.map(({ target }) => {
      const { from, where } = headTable(dialect, target.tables);
      return sql`select h.number, ${headColumns(dialect, target.tables, undefined)} from ${from} where ${where}`;
    });
    try {
      const rows = await this.#database.query<HeadRow & { readonly number: number }>(
        once(dialect, sql.join(selects, ' union all ')),
      );
      const byNumber = new Map(rows.map((row) => [row.number, row]));
      for (const { target, resolve, reject } of asked) {
        try {
          resolve(headOf(byNumber.get(target.tables.number), target));
        } catch (error) {
          reject(error);
        }
      }
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }

  async #readOne(target: StoredResource): Promise<Head> {
    const [row] = await this.#database.query<HeadRow>(headQuery(this.#database.dialect, target.tables));
    return headOf(row, target);
  }
}
