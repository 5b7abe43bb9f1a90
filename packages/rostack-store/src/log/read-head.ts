import { sql } from 'kysely';
import { type Head, type Position, PositionExpiredError, SourceUnavailableError } from 'rostack-core';
import type { StoredResource } from '../apply/prepare-change.ts';
import { type Query, run, type Work } from '../database/database.ts';
import { type Dialect, once } from '../database/dialect.ts';
import { DefinitionChangedError } from '../errors/index.ts';
import type { ResourceTables } from '../schema/tables.ts';

/**
 * Where the resource's log stands in this snapshot.
 * @throws SourceUnavailableError when another process has changed the resource's indexed fields
 */
export function* readHead(dialect: Dialect, { resource, tables }: StoredResource): Work<Head> {
  const [row] = yield* run<Head & { readonly is_known: boolean | 0 | 1 }>(headQuery(dialect, tables));
  if (row === undefined || !row.is_known) {
    const cause = new DefinitionChangedError(resource.name);
    throw new SourceUnavailableError(cause.message, { cause });
  }
  return { position: row.position, floor: row.floor, epoch: row.epoch };
}

const queries = new WeakMap<ResourceTables, Query>();

/** Every request reads a head, so its statement is written once. */
function headQuery(dialect: Dialect, tables: ResourceTables): Query {
  let query = queries.get(tables);
  if (query === undefined) {
    query = once(
      dialect,
      sql`select position, floor, fields = ${sql.lit(tables.fieldsText)} as is_known, (select epoch from ${dialect.table('state')}) as epoch
        from ${dialect.table('head')} where number = ${tables.number}`,
    );
    queries.set(tables, query);
  }
  return query;
}

/**
 * Makes sure that the log and the past versions still answer for a position.
 * @throws PositionExpiredError when it lies below the floor, or beyond the head (then it is of another history)
 */
export function checkPosition(position: Position, head: Head): void {
  if (position < head.floor) {
    throw new PositionExpiredError(
      `position ${position} lies below the floor ${head.floor}: take a new snapshot`,
    );
  }
  if (position > head.position) {
    throw new PositionExpiredError(
      `position ${position} lies beyond the head ${head.position}: take a new snapshot`,
    );
  }
}
