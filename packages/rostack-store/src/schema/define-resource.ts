import { parseTrustedJson } from 'rostack-core';
import { run, send, type Work } from '../drivers/database.ts';
import type { Dialect } from '../drivers/dialect/dialect.ts';
import { once, type Sql, sql } from '../drivers/dialect/sql.ts';
import { fillKeys } from './fill-keys.ts';
import type { Head } from './heads.ts';
import type { Field, FieldPair, StoredField } from './resource/field.ts';
import type { Resource } from './resource/resource.ts';
import {
  createCompositeIndex,
  createIndex,
  detailColumn,
  type FieldText,
  indexName,
  orderColumn,
  type ResourceTables,
  resourceTables,
} from './tables.ts';

/**
 * Creates the resource's tables, or adapts their columns and indexes to its present fields. Existing records are indexed.
 * @param head undefined if there are no tables yet
 */
export function* defineResource(
  dialect: Dialect,
  resource: Resource,
  head: Head | undefined,
): Work<ResourceTables> {
  if (head === undefined) return yield* createResource(dialect, resource);
  const stored = parseTrustedJson(head.fields) as readonly FieldText[];
  const tables = numberedTables(head.number, resource, stored);
  yield* changeFields(dialect, tables, stored, resource.name);
  if (tables.fieldsText !== head.fields) {
    yield* run(
      once(
        dialect,
        sql`update ${dialect.table('head')} set fields = ${tables.fieldsText} where number = ${head.number}`,
      ),
    );
  }
  return tables;
}

/** The tables of a resource, whose fields have the numbers that are stored. */
export function numberedTables(
  number: number,
  { fields, compositeIndexes }: Resource,
  stored: readonly FieldText[],
): ResourceTables {
  const numbered = numberFields(fields, stored);
  const fieldOf = ({ pointer }: Field) => numbered.find((field) => field.pointer === pointer) as StoredField;
  const pairs = compositeIndexes.map(({ equal, sort }) => ({ equal: fieldOf(equal), sort: fieldOf(sort) }));
  return resourceTables(
    number,
    numbered,
    pairs.toSorted((a, b) => a.equal.number - b.equal.number),
  );
}

/**
 * Numbers the fields. A known field keeps its number; a new one, or one whose keys have changed, gets the next free one. They are sorted by
 * number, so that definitions can be compared as texts.
 */
function numberFields(fields: readonly Field[], stored: readonly FieldText[]): readonly StoredField[] {
  const kept = (field: Field) =>
    stored.find(({ pointer, collation }) => pointer === field.pointer && collation === field.collation);
  let next = Math.max(0, ...stored.map(({ number }) => number));
  return fields
    .toSorted((a, b) => (a.pointer < b.pointer ? -1 : 1))
    .map((field) => ({ ...field, number: kept(field)?.number ?? (next += 1) }))
    .toSorted((a, b) => a.number - b.number);
}

/** What is created is sent without waiting: a hundred resources would wait for a thousand answers. */
function* createResource(dialect: Dialect, resource: Resource): Work<ResourceTables> {
  const head = dialect.table('head');
  const [last] = yield* run<{ number: number }>(
    once(dialect, sql`select coalesce(max(number), 0) as number from ${head}`),
  );
  const tables = numberedTables((last?.number ?? 0) + 1, resource, []);
  yield* createTables(dialect, tables);
  for (const field of tables.fields) yield* addIndexes(dialect, tables, field);
  for (const pair of tables.compositeIndexes) {
    yield* send(once(dialect, createCompositeIndex(dialect, tables, pair)));
  }
  yield* send(
    once(
      dialect,
      sql`insert into ${head} (number, name, position, floor, closed_bytes, fields)
        values (${tables.number}, ${resource.name}, 0, 0, 0, ${tables.fieldsText})`,
    ),
  );
  return tables;
}

/** With all columns at once: SQLite reads the whole schema again whenever a column is added. */
function* createTables(dialect: Dialect, { record, past, log, fields }: ResourceTables): Work<void> {
  const { text, bigint } = dialect.columnTypes;
  const keys = sql.join([sql``, ...fields.flatMap((field) => keyColumnDefinitions(dialect, field))]);
  const statements: Sql[] = [
    sql`create table ${dialect.table(record)} (
      id ${text} not null primary key,
      version ${text} not null,
      position ${bigint} not null,
      body ${text} not null${keys})`,
    sql`create table ${dialect.table(past)} (
      to_position ${bigint} not null primary key,
      from_position ${bigint} not null,
      id ${text} not null,
      version ${text} not null,
      body ${text} not null${keys})`,
    sql`create index ${sql.id(`${past}_id`)} on ${dialect.table(past)} (id, to_position)`,
    sql`create table ${dialect.table(log)} (
      position ${bigint} not null primary key,
      id ${text} not null,
      event_type ${text},
      transition ${text} not null,
      version ${text} not null,
      occurred_at_ms ${bigint} not null,
      closed_bytes ${bigint} not null)`,
  ];
  for (const statement of statements) yield* send(once(dialect, statement));
}

function* changeFields(
  dialect: Dialect,
  tables: ResourceTables,
  stored: readonly FieldText[],
  resourceName: string,
): Work<void> {
  const before = new Map(stored.map((field) => [field.number, field]));
  const pairsBefore = pairsOf(stored);
  const pairs = new Map(tables.compositeIndexes.map((pair) => [textOfPair(pair), pair]));
  for (const [text, { equal, sort }] of pairsBefore) {
    if (pairs.has(text)) continue;
    const name = dialect.table(indexName(tables.record, sort, equal));
    yield* run(once(dialect, sql`drop index ${name}`));
  }
  for (const field of stored) {
    const now = tables.fields.find(({ number }) => number === field.number);
    if (now?.index !== field.index) yield* dropIndexes(dialect, tables, { ...field, path: [] });
    if (now === undefined) yield* dropColumns(dialect, tables, { ...field, path: [] });
  }
  const added = tables.fields.filter(({ number }) => !before.has(number));
  for (const field of added) yield* addColumns(dialect, tables, field);
  const reindexed = tables.fields.filter(({ number, index }) => before.get(number)?.index !== index);
  yield* fillKeys(dialect, tables, added, reindexed, resourceName);
  for (const field of reindexed) yield* addIndexes(dialect, tables, field);
  for (const [text, pair] of pairs) {
    if (!pairsBefore.has(text)) yield* run(once(dialect, createCompositeIndex(dialect, tables, pair)));
  }
}

type IndexedKey = Pick<FieldText, 'number' | 'index'>;

/** The composite indexes that are there, by what they consist of. */
function pairsOf(stored: readonly FieldText[]): ReadonlyMap<string, FieldPair<IndexedKey>> {
  const pairs = stored.flatMap((sort) =>
    (sort.within ?? []).map((number) => ({
      equal: stored.find((field) => field.number === number) as FieldText,
      sort,
    })),
  );
  return new Map(pairs.map((pair) => [textOfPair(pair), pair]));
}

function textOfPair({ equal, sort }: FieldPair<IndexedKey>): string {
  return [equal.number, equal.index, sort.number, sort.index].join(' ');
}

function* addColumns(dialect: Dialect, tables: ResourceTables, field: StoredField): Work<void> {
  for (const table of [tables.record, tables.past]) {
    for (const column of keyColumnDefinitions(dialect, field)) {
      yield* run(once(dialect, sql`alter table ${dialect.table(table)} add column ${column}`));
    }
  }
}

function keyColumnDefinitions(dialect: Dialect, field: StoredField): readonly Sql[] {
  const { bytea } = dialect.columnTypes;
  // The default is the key of a missing field.
  const missing = dialect.bytesOf('10');
  return [
    sql`${sql.id(orderColumn(field))} ${bytea} not null default ${missing}`,
    sql`${sql.id(detailColumn(field))} ${bytea}`,
  ];
}

function* dropColumns(dialect: Dialect, tables: ResourceTables, field: StoredField): Work<void> {
  for (const table of [tables.record, tables.past]) {
    for (const column of [orderColumn(field), detailColumn(field)]) {
      yield* run(once(dialect, sql`alter table ${dialect.table(table)} drop column ${sql.id(column)}`));
    }
  }
}

function* addIndexes(dialect: Dialect, tables: ResourceTables, field: StoredField): Work<void> {
  if (field.index === 'none') return;
  for (const half of ['record', 'past'] as const) {
    yield* send(once(dialect, createIndex(dialect, tables, half, field)));
  }
}

function* dropIndexes(dialect: Dialect, tables: ResourceTables, field: StoredField): Work<void> {
  if (field.index === 'none') return;
  for (const table of [tables.record, tables.past]) {
    yield* run(once(dialect, sql`drop index ${dialect.table(indexName(table, field))}`));
  }
}
