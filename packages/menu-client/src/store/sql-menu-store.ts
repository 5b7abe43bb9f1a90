import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { MenuStoreError } from '../domain/menu-error.ts';
import type { Vendor } from '../domain/restaurant.ts';
import type { DayRange, EntryKey, InterestCount, MenuStore, StoredEntry } from './menu-store.ts';
import type { MenuDatabase } from './menu-tables.ts';

/** Rows per statement. */
const INTEREST_ROWS = 500;
/** A higher count says nothing more, and sums stay integers. */
const MAX_INTEREST = 1_000_000_000;

/** Runs one statement the way the database needs it. */
export type RunStatement = <T>(statement: (db: Kysely<MenuDatabase>) => Promise<T>) => Promise<T>;

export interface SqlMenuStoreParts {
  readonly run: RunStatement;
  /** The clock that all processes share, in milliseconds since the epoch. */
  readonly nowMs: () => RawBuilder<number>;
  readonly close: () => Promise<void>;
}

/** The store over either database; every change is one statement. */
export class SqlMenuStore implements MenuStore {
  readonly #run: RunStatement;
  readonly #nowMs: () => RawBuilder<number>;
  readonly #close: () => Promise<void>;
  #closing: Promise<void> | undefined;

  constructor({ run, nowMs, close }: SqlMenuStoreParts) {
    this.#run = async (statement) => {
      try {
        return await run(statement);
      } catch (error) {
        throw new MenuStoreError('The menu store could not be read or written.', { cause: error });
      }
    };
    this.#nowMs = nowMs;
    this.#close = close;
  }

  async read(key: EntryKey): Promise<StoredEntry | undefined> {
    const row = await this.#run((db) =>
      db.selectFrom('menu_entry').selectAll().where(isKey(key)).executeTakeFirst(),
    );
    return row === undefined ? undefined : toEntry(row);
  }

  async readDays({ from, to, after, limit }: DayRange): Promise<readonly StoredEntry[]> {
    const rows = await this.#run((db) =>
      db
        .selectFrom('menu_entry')
        .selectAll()
        .where('kind', '=', 'day')
        .where('date', '>=', from)
        .where('date', '<=', to)
        .$if(after !== undefined, (query) =>
          query.where(
            sql<boolean>`(vendor, restaurant_id, date) > (${after?.vendor}, ${after?.restaurantId}, ${after?.date})`,
          ),
        )
        .orderBy('vendor')
        .orderBy('restaurant_id')
        .orderBy('date')
        .limit(limit)
        .execute(),
    );
    return rows.map(toEntry);
  }

  async write(key: EntryKey, body: string, expectedRevision: number): Promise<number | undefined> {
    const revision = expectedRevision + 1;
    if (expectedRevision === 0) {
      const inserted = await this.#run((db) =>
        db
          .insertInto('menu_entry')
          .values({ ...toColumns(key), revision, body })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst(),
      );
      return inserted.numInsertedOrUpdatedRows === 1n ? revision : undefined;
    }
    const updated = await this.#run((db) =>
      db
        .updateTable('menu_entry')
        .set({ revision, body })
        .where(isKey(key))
        .where('revision', '=', expectedRevision)
        .executeTakeFirst(),
    );
    return updated.numUpdatedRows === 1n ? revision : undefined;
  }

  async acquireLease(name: string, holder: string, ttlMs: number): Promise<boolean> {
    const nowMs = this.#nowMs();
    const held = await this.#run((db) =>
      db
        .insertInto('menu_lease')
        .values({ name, holder, ends_at_ms: sql<number>`${nowMs} + ${sql.lit(Math.ceil(ttlMs))}` })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet((row) => ({
              holder: row.ref('excluded.holder'),
              ends_at_ms: row.ref('excluded.ends_at_ms'),
            }))
            .where(sql<boolean>`menu_lease.holder = excluded.holder or menu_lease.ends_at_ms <= ${nowMs}`),
        )
        .returning('holder')
        .executeTakeFirst(),
    );
    return held !== undefined;
  }

  async releaseLease(name: string, holder: string): Promise<void> {
    await this.#run((db) =>
      db.deleteFrom('menu_lease').where('name', '=', name).where('holder', '=', holder).execute(),
    );
  }

  async addInterest(counts: readonly InterestCount[]): Promise<void> {
    // Every process writes them in the same order, so that no two wait for each other.
    const rows = counts
      .map(({ vendor, restaurantId, date, count }) => ({ vendor, restaurant_id: restaurantId, date, count }))
      .sort((a, b) => (formatRow(a) < formatRow(b) ? -1 : 1));
    for (let at = 0; at < rows.length; at += INTEREST_ROWS) {
      await this.#run((db) =>
        db
          .insertInto('menu_interest')
          .values(rows.slice(at, at + INTEREST_ROWS))
          .onConflict((conflict) =>
            conflict
              .columns(['vendor', 'restaurant_id', 'date'])
              .doUpdateSet({ count: sql<number>`menu_interest.count + excluded.count` })
              .where(sql<boolean>`menu_interest.count < ${sql.lit(MAX_INTEREST)}`),
          )
          .execute(),
      );
    }
  }

  async readInterest(vendor: Vendor, from: string): Promise<readonly InterestCount[]> {
    const rows = await this.#run((db) =>
      db
        .selectFrom('menu_interest')
        .selectAll()
        .where('vendor', '=', vendor)
        .where('date', '>=', from)
        .execute(),
    );
    return rows.map(({ restaurant_id, date, count }) => ({
      vendor,
      restaurantId: restaurant_id,
      date,
      count,
    }));
  }

  async prune(beforeDate: string): Promise<number> {
    await this.#run((db) => db.deleteFrom('menu_interest').where('date', '<', beforeDate).execute());
    const pruned = await this.#run((db) =>
      db.deleteFrom('menu_entry').where('date', '!=', '').where('date', '<', beforeDate).executeTakeFirst(),
    );
    return Number(pruned.numDeletedRows);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function formatRow(row: { vendor: string; restaurant_id: string; date: string }): string {
  return JSON.stringify([row.vendor, row.restaurant_id, row.date]);
}

function toColumns({ kind, vendor, restaurantId, date, item }: EntryKey) {
  return { kind, vendor, restaurant_id: restaurantId, date, item };
}

function isKey(key: EntryKey): RawBuilder<boolean> {
  const { kind, vendor, restaurant_id, date, item } = toColumns(key);
  return sql<boolean>`(kind = ${kind} and vendor = ${vendor} and restaurant_id = ${restaurant_id}
    and date = ${date} and item = ${item})`;
}

function toEntry(row: Selectable<MenuDatabase['menu_entry']>): StoredEntry {
  const { kind, vendor, restaurant_id, date, item, revision, body } = row;
  return { key: { kind, vendor, restaurantId: restaurant_id, date, item }, revision, body };
}
