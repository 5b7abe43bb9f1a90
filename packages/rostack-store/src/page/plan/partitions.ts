import type { Position } from 'rostack-core';
import { run, type Work } from '../../drivers/database.ts';
import type { Dialect } from '../../drivers/dialect.ts';
import type { Query, Row } from '../../drivers/query.ts';
import { once, type Sql, sql } from '../../drivers/sql.ts';
import { PARTITION, partitionOf } from '../../schema/tables.ts';

/** The partitions in which versions ended that stood at a position. */
export interface Partitions {
  readonly first: number;
  readonly last: number;
}

/** The partitions of what ended after one position and up to another. */
export function partitionsBetween(after: Position, upTo: Position): Partitions {
  return { first: partitionOf(after + 1), last: partitionOf(upTo) };
}

export function partitionCount({ first, last }: Partitions): number {
  return last - first + 1;
}

/** Writes a select of past versions that are of the partitions which the condition names. */
export type SelectOfPast = (isOfPartition: Sql) => Sql;

/** The rows that a select finds in each of the partitions, which an order and a limit of it are for. */
export function* selectByPartition(
  dialect: Dialect,
  partitions: Partitions,
  select: SelectOfPast,
): Work<readonly Row[]> {
  return yield* run(
    dialect.name === 'sqlite'
      ? forEachPartition(dialect, partitions, select)
      : once(dialect, sql`select part.* from ${eachPartition(partitions, select)}`),
  );
}

/** Stands for the partition in the statement that runs for each. */
const ANY_PARTITION = Symbol('partition');

function forEachPartition(dialect: Dialect, partitions: Partitions, select: SelectOfPast): Query {
  const { sql: text, parameters } = once(
    dialect,
    select(sql`${PARTITION} = ${dialect.equal(ANY_PARTITION)}`),
  );
  const rows = numbersOf(partitions).map((partition) =>
    parameters.map((value) => (value === ANY_PARTITION ? partition : value)),
  );
  return { kind: 'each', sql: text, types: [], rows };
}

/** One query for all partitions, each of which PostgreSQL finds by a scan of the index of its own. */
function eachPartition({ first, last }: Partitions, select: SelectOfPast): Sql {
  const partitions = sql`generate_series(${first}::bigint, ${last}::bigint) as partitions (partition)`;
  return sql`${partitions} cross join lateral (${select(sql`${PARTITION} = partitions.partition`)}) as part`;
}

function numbersOf(partitions: Partitions): number[] {
  return Array.from({ length: partitionCount(partitions) }, (_, index) => partitions.first + index);
}
