import type { Filter, StoredRecord } from 'rostack-core';
import type { Database } from '../drivers/database.ts';
import type { Dialect } from '../drivers/dialect/dialect.ts';
import { type Once, once, sql } from '../drivers/dialect/sql.ts';
import { faultOfId } from '../schema/resource/record-id.ts';
import type { StoredResource } from '../schema/stored-resource.ts';
import type { ResourceTables } from '../schema/tables.ts';
import { filterToSql } from './plan/filter-to-sql.ts';
import { fieldLookup } from './plan/page-scope.ts';

interface FoundRow {
  readonly version: string;
  readonly position: number;
  readonly body: string | null;
}

/**
 * The current version of a record; 'gone' while its deletion is in the log's retention.
 * @param visible what this version, or the last one of a deleted record, has to match
 * @throws StoreOptionsError when `visible` names a field that the resource was not opened with
 */
export async function readRecord(
  database: Database,
  target: StoredResource,
  id: string,
  visible: Filter | undefined,
): Promise<StoredRecord | 'gone' | undefined> {
  // PostgreSQL refuses some texts that no record can have as its id.
  if (faultOfId(id) !== undefined) return undefined;
  const { dialect } = database;
  const query =
    visible === undefined
      ? recordQuery(dialect, target.tables, id)
      : visibleRecordQuery(dialect, target, id, visible);
  const rows = await database.query<FoundRow>(query);
  for (const { version, position, body } of rows) {
    if (body !== null) return { id, version, position, body };
  }
  return rows.length > 0 ? 'gone' : undefined;
}

/** What is there and does not match takes the same statement, and gives as much, as what is not there. */
function visibleRecordQuery(dialect: Dialect, target: StoredResource, id: string, visible: Filter): Once {
  const record = dialect.table(target.tables.record);
  const past = dialect.table(target.tables.past);
  const matches = filterToSql(dialect, visible, fieldLookup(target));
  return once(
    dialect,
    sql`select version, position, body from ${record} where id = ${id} and ${matches}
      union all select * from (select version, to_position, null from ${past} where id = ${id} and ${matches}
        and to_position = (select max(to_position) from ${past} where id = ${id})
        and not exists (select 1 from ${record} where id = ${id})) as closed`,
  );
}

const texts = new WeakMap<ResourceTables, string>();

/** The statement of a resource is written once: that takes longer than SQLite takes to run it. */
function recordQuery(dialect: Dialect, tables: ResourceTables, id: string): Once {
  let text = texts.get(tables);
  if (text === undefined) {
    const record = dialect.table(tables.record);
    const past = dialect.table(tables.past);
    // A deleted record's last version stays until the deletion leaves the log.
    const query = sql`select version, position, body from ${record} where id = ${id}
      union all select * from (select version, to_position, null from ${past} where id = ${id} limit 1) as closed`;
    text = once(dialect, query).sql;
    texts.set(tables, text);
  }
  return { kind: 'once', sql: text, parameters: [id, id] };
}
