import { sql } from 'kysely';
import type { StoredRecord } from 'rostack-core';
import { run, type Work } from '../database/database.ts';
import { type Dialect, once } from '../database/dialect.ts';
import { faultOfId } from '../resource/record-id.ts';
import type { StoredResource } from '../schema/stored-resource.ts';

/** The current version of a record; 'gone' while its deletion is in the log's retention. */
export function* readRecord(
  dialect: Dialect,
  { tables }: StoredResource,
  id: string,
): Work<StoredRecord | 'gone' | undefined> {
  // PostgreSQL refuses some texts that no record can have as its id.
  if (faultOfId(id) !== undefined) return undefined;
  const [found] = yield* run<StoredRecord>(
    once(
      dialect,
      sql`select id, version, position, body from ${dialect.table(tables.record)} where id = ${id}`,
    ),
  );
  if (found !== undefined) return found;
  // A deleted record's last version stays until the deletion leaves the log.
  const past = yield* run(
    once(dialect, sql`select to_position from ${dialect.table(tables.past)} where id = ${id} limit 1`),
  );
  return past.length > 0 ? 'gone' : undefined;
}
