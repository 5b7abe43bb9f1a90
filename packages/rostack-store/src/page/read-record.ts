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
 * Reads the current version of a record; 'gone' while the log retains its deletion.
 * @param visible the filter that this version, or the last one of a deleted record, has to match
 * @throws StoreOptionsError when `visible` names a field that the resource was not opened with
 */
export async function readRecord(
  database: Database,
  target: StoredResource,
  id: string,
  visible: Filter | undefined,
): Promise<StoredRecord | 'gone' | undefined> {
  // PostgreSQL rejects some texts that no record can have as its id.
  if (faultOfId(id) !== undefined) return undefined;
  const { dialect } = database;
  if (visible !== undefined) {
    const [found] = await database.query<FoundRow>(visibleRecordQuery(dialect, target, id, visible));
    return found && recordOf(id, found);
  }
  const { current, any } = statementsOf(dialect, target.tables);
  const [found] = await database.query<FoundRow>({ kind: 'once', sql: current, parameters: [id] });
  if (found !== undefined) return recordOf(id, found);
  const rows = await database.query<FoundRow>({ kind: 'once', sql: any, parameters: [id, id] });
  const row = rows.find(({ body }) => body !== null) ?? rows[0];
  return row && recordOf(id, row);
}

function recordOf(id: string, { version, position, body }: FoundRow): StoredRecord | 'gone' {
  return body === null ? 'gone' : { id, version, position, body };
}

/** A record that does not match takes the same statement and returns as much as a missing one, so that they cannot be told apart. */
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

interface RecordStatements {
  /** Reads the current record, which is the usual case. */
  readonly current: string;
  /** Reads the record and its past from one snapshot, so that a record created in the meantime is not reported as gone. */
  readonly any: string;
}

const statements = new WeakMap<ResourceTables, RecordStatements>();

/** The statements of a resource, built only once: building them takes longer than SQLite takes to run them. */
function statementsOf(dialect: Dialect, tables: ResourceTables): RecordStatements {
  let known = statements.get(tables);
  if (known === undefined) {
    const id = sql`${''}`;
    const record = sql`select version, position, body from ${dialect.table(tables.record)} where id = ${id}`;
    // The last version of a deleted record is kept until the deletion leaves the log.
    const past = sql`select version, to_position, null from ${dialect.table(tables.past)} where id = ${id} limit 1`;
    const any = sql`${record} union all select * from (${past}) as closed`;
    known = { current: once(dialect, record).sql, any: once(dialect, any).sql };
    statements.set(tables, known);
  }
  return known;
}
