import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { EntryKey } from './menu-store.ts';

export interface MenuDatabase {
  readonly menu_entry: {
    readonly kind: EntryKey['kind'];
    readonly vendor: EntryKey['vendor'];
    readonly restaurant_id: string;
    readonly date: string;
    readonly item: string;
    readonly revision: number;
    /** JSON text; the database never looks inside it. */
    readonly body: string;
  };
  readonly menu_interest: {
    readonly vendor: EntryKey['vendor'];
    readonly restaurant_id: string;
    readonly date: string;
    readonly count: number;
  };
  readonly menu_lease: {
    readonly name: string;
    readonly holder: string;
    readonly ends_at_ms: number;
  };
}

/** Creates missing tables. Names and columns are fixed: a new shape of the bodies needs no new tables. */
export async function createTables(db: Kysely<MenuDatabase>, text: RawBuilder<unknown>): Promise<void> {
  await db.schema
    .createTable('menu_entry')
    .ifNotExists()
    .addColumn('kind', sql`${text}`, (column) => column.notNull())
    .addColumn('vendor', sql`${text}`, (column) => column.notNull())
    .addColumn('restaurant_id', sql`${text}`, (column) => column.notNull())
    .addColumn('date', sql`${text}`, (column) => column.notNull())
    .addColumn('item', sql`${text}`, (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('menu_entry_key', ['kind', 'vendor', 'restaurant_id', 'date', 'item'])
    .execute();
  await db.schema
    .createIndex('menu_entry_by_date')
    .ifNotExists()
    .on('menu_entry')
    .columns(['date'])
    .execute();
  await db.schema
    .createTable('menu_interest')
    .ifNotExists()
    .addColumn('vendor', sql`${text}`, (column) => column.notNull())
    .addColumn('restaurant_id', sql`${text}`, (column) => column.notNull())
    .addColumn('date', sql`${text}`, (column) => column.notNull())
    .addColumn('count', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('menu_interest_key', ['vendor', 'restaurant_id', 'date'])
    .execute();
  await db.schema
    .createTable('menu_lease')
    .ifNotExists()
    .addColumn('name', sql`${text}`, (column) => column.notNull().primaryKey())
    .addColumn('holder', 'text', (column) => column.notNull())
    .addColumn('ends_at_ms', 'bigint', (column) => column.notNull())
    .execute();
}
