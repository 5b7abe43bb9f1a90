import type { StoredRecord } from 'rostack-core';
import type { Database } from '../database/database.ts';
import { type Dialect, type Once, once } from '../database/dialect.ts';
import { sql } from '../database/sql.ts';
import { faultOfId } from '../resource/record-id.ts';
import type { StoredResource } from '../schema/stored-resource.ts';
import type { ResourceTables } from '../schema/tables.ts';

interface FoundRow {
  readonly version: string;
  readonly position: number;
  readonly body: string | null;
}

/** The current version of a record; 'gone' while its deletion is in the log's retention. */
export async function readRecord(
  database: Database,
  { tables }: StoredResource,
  id: string,
): Promise<StoredRecord | 'gone' | undefined> {
  // PostgreSQL refuses some texts that no record can have as its id.
  if (faultOfId(id) !== undefined) return undefined;
  const rows = await database.ask<FoundRow>(recordQuery(database.dialect, tables, id));
  for (const { version, position, body } of rows) {
    if (body !== null) return { id, version, position, body };
  }
  return rows.length > 0 ? 'gone' : undefined;
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
