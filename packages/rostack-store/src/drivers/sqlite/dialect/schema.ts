import { attachmentTables } from '../../dialect/attachment-tables.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import type { SchemaDialect } from '../../dialect/schema-dialect.ts';
import { sql } from '../../dialect/sql.ts';

export function sqliteSchema(parts: Pick<Dialect, 'table' | 'columnTypes'>): SchemaDialect {
  const { bigint } = parts.columnTypes;
  return {
    name: 'main',
    ofPlainNames: 'main',
    isThere: sql`select name from sqlite_schema where type = 'table' and name = 'state'`,
    lock: undefined,
    creation: undefined,
    steps: {
      createAttachment: [],
      leaseLeadership: [],
      createRate: [],
      attachOnSqlite: [
        ...attachmentTables(parts, bigint),
        sql`alter table ${parts.table('attachment')} add column leads_until_ms ${bigint}`,
      ],
    },
  };
}
